import sys

import gyre
import numpy as np

library = gyre.load(f"{sys.argv[1]}/weighted_sum.json")
src, dst = gyre.Map([0, 0, 1, 3], target=4), gyre.Map([1, 2, 2, 1], target=4)
x = np.arange(12, dtype=np.float32).reshape(4, 3)
w = np.array([1, 2, -1, 0.5], np.float32)

y = library.weighted_sum(x, w, src, dst)
print(y)

gx, gw = library.weighted_sum_bwd(x, w, src, dst, gy=np.ones_like(y))
print(gw)  # the sums of x[src]: [3, 3, 12, 30]
