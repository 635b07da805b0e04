"""A case of each kernel, small enough for tools that watch each access (compute-sanitizer): rows with the
lanes of one warp and of several, cells of nodes in shared memory and beyond it, hubs that many workers
share, odd sizes of tiles, pads."""

CASES = (
    "so2_rotate_mix:L=1,F=1,C=33,R=1,act=f32:big_hub",
    "so2_rotate_mix:L=3,F=1,C=64,R=1,act=f32:power_law",
    "so2_rotate_mix:L=6,F=1,C=128,R=1,act=f32:power_law",
    "so2_rotate_mix:L=2,F=1,C=5,R=0,act=f64:isolated",
    "so2_message:L=1,F=1,C=7,R=1,act=f32:big_hub",
    "gated_activation:L=1,F=2,C=33,act=f32:power_law",
    "gated_layer:L=1,F=1,C=16,act=f32:power_law",
    "segment_sum:A=4,B=33,act=f32:big_hub",
    "segment_broadcast:A=4,B=33,act=f32:power_law",
    "radial_head:L=1,Cr=12,Cw=16,R=1,act=f32:power_law",
    "focus_competition:F=2,C=33,normalised=1,biased=1,act=f32:power_law",
    "so2_mixing_stack:L=1,F=2,C=16,T=1,competing=1,act=f32:power_law",
    "knn_conv:Cin=3,Cout=33,K=5,V=3,biased=1,act=f32:padded_table",
    "knn_max_pool:K=5,act=f32:padded_table",
    "knn_avg_pool:K=5,act=f32:padded_table",
)
