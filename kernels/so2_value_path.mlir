// The whole value path (docs/operators.md, section 8): radial head, rotation and degree mixing,
// competition of the focuses, mixing stack, and the sum into the nodes where edges end.
//
// rad, kc = radial_head(q, A, Bm)               rad0: rad's row l = 0
// u0 = rotate_mix(x, src, wigner, kc, cb)       p: the scalar channels of u0, edge by edge
// alpha = focus_competition(p, wc, b, sc)       where focuses compete
// x_local, z_all, u_final = mixing_stack(u0, alpha, W0, W1, G)
// nodes[n] = sum over edges e into n of x_local[e]
//
// Each part is the spec of its name, the competition with a bias and normalised; radial features are
// projected. Saved for the backward are p, u0, z_all and u_final. The second order is in two parts:
// @value_path_bwd2, and @value_path_train_bwd with what it says of these four.

!q = !gyre.tensor<E x L+1 x Cr x act>
!A = !gyre.tensor<Cr x F*C x par>
!A_act = !gyre.tensor<Cr x F*C x act>
!rad = !gyre.tensor<E x L+1 x F*C x act>
!rad0 = !gyre.tensor<E x 1 x F*C x act>
!Bm = !gyre.tensor<(L+1)*F*C x ((L+1)*(L+1)+L*L)*R x par>
!Bm_act = !gyre.tensor<(L+1)*F*C x ((L+1)*(L+1)+L*L)*R x act>
!kc = !gyre.tensor<E x ((L+1)*(L+1)+L*L)*R x act>
!cb = !gyre.tensor<R x F*C x par>
!cb_act = !gyre.tensor<R x F*C x act>
!x = !gyre.tensor<N x (L+1)*(L+1) x F*C x act>
!xe = !gyre.tensor<E x (L+1)*(L+1) x F*C x act>
!wigner = !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x act>
!rows = !gyre.tensor<E x 3*L+1 x F*C x act>
!map = !gyre.map<[e: E] to N>
!scalars = !gyre.tensor<F x E x C x act>
!p = !gyre.tensor<E x F x C x act>
!alpha = !gyre.tensor<E x F x act>
!wc = !gyre.tensor<C x F x par>
!b = !gyre.tensor<F x par>
!sc = !gyre.tensor<F x C x par>
!number = !gyre.tensor<acc>
!p_acc = !gyre.tensor<E x F x C x acc>
!t = !gyre.tensor<E x F x acc>
!wc_acc = !gyre.tensor<C x F x acc>
!b_acc = !gyre.tensor<F x acc>
!sc_acc = !gyre.tensor<F x C x acc>
!edge = !gyre.tensor<E x acc>
!slot = !gyre.tensor<E x i8>
!channels = !gyre.tensor<C x acc>
!u = !gyre.tensor<F x E x (3*L+1)*C x act>
!u_0 = !gyre.tensor<F x E x (L+1)*C x act>
!u_1 = !gyre.tensor<F x E x 2*L*C x act>
!z_all = !gyre.tensor<T x F x E x (3*L+1)*C x act>
!W0 = !gyre.tensor<T+1 x F x (L+1)*C x (L+1)*C x par>
!W1 = !gyre.tensor<T+1 x F x 2*L*C x 2*L*C x par>
!G = !gyre.tensor<T x F x C x L*C x par>
!W0_act = !gyre.tensor<T+1 x F x (L+1)*C x (L+1)*C x act>
!W1_act = !gyre.tensor<T+1 x F x 2*L*C x 2*L*C x act>
!G_act = !gyre.tensor<T x F x C x L*C x act>
!w0 = !gyre.tensor<F x (L+1)*C x (L+1)*C x act>
!w1 = !gyre.tensor<F x 2*L*C x 2*L*C x act>
!g = !gyre.tensor<F x C x L*C x act>
!last0 = !gyre.tensor<1 x F x (L+1)*C x (L+1)*C x act>
!last1 = !gyre.tensor<1 x F x 2*L*C x 2*L*C x act>
!local = !gyre.tensor<E x F x 3*L+1 x C x act>
!nodes = !gyre.tensor<N x F x 3*L+1 x C x act>

gyre.spec @so2_value_path {
  gyre.param "L" in [1, 8] doc "maximal degree"
  gyre.param "F" in [1, 64] default 1 doc "focuses, independent groups of channels"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.param "Cr" in [1, 4096] doc "channels of the radial features"
  gyre.param "R" in [0, 8] doc "rank of the degree kernel, 0 for one radial value per degree and channel"
  gyre.param "T" in [0, 64] doc "gated layers"
  gyre.param "competing" in [0, 1] default 0 doc "1: focuses compete"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"
  gyre.type_param "par" in [f32, f64, f16, bf16] default !gyre.elem<act> doc "weights"
  gyre.accumulator "acc" of "act"

  gyre.alternative where R == 0 and competing == 0 {
    gyre.func @value_path(%x: !x, %src: !map, %dst: !map, %wigner: !wigner, %q: !q, %A: !A,
        %W0: !W0, %W1: !W1, %G: !G)
        -> (nodes: !nodes, x_local: !local, rad0: !rad0, u0: !u, z_all: !z_all, u_final: !u) {
      %a_act = gyre.convert %A : !A -> !A_act
      %rad = gyre.contract %q[e, l, i], %a_act[i, o] -> [e, l, o] : !q, !A_act
      %rad0 = gyre.slice %rad axis 1 from 0 size 1 : !rad

      %xe = gyre.gather %x over %src axis 0 : !x, !map
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %mixed = gyre.degree_mix %xl by %rad degree L : !rows, !rad
      %u0 = gyre.contract %mixed[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows

      %w0_all = gyre.convert %W0 : !W0 -> !W0_act
      %w1_all = gyre.convert %W1 : !W1 -> !W1_act
      %g_all = gyre.convert %G : !G -> !G_act
      %u_final, %z_all = gyre.repeat T carry (%u = %u0 : !u)
          slice (%w0 = %w0_all : !W0_act, %w1 = %w1_all : !W1_act, %g = %g_all : !G_act) -> (!u, !z_all) {
        %u_0 = gyre.slice %u axis 2 from 0 size (L+1)*C : !u
        %u_1 = gyre.slice %u axis 2 from (L+1)*C size 2*L*C : !u
        %z_0 = gyre.contract %u_0[f, e, i], %w0[f, i, o] -> [f, e, o] : !u_0, !w0
        %z_1 = gyre.contract %u_1[f, e, i], %w1[f, i, o] -> [f, e, o] : !u_1, !w1
        %z = gyre.concat %z_0, %z_1 axis 2 : !u_0, !u_1
        %v = gyre.gated_activation %z gate %g degree L channels C : !u, !g
        %next = arith.addf %u, %v : !u
        gyre.yield %next, %z : !u, !u
      }
      %last0 = gyre.slice %w0_all axis 0 from T size 1 : !W0_act
      %last1 = gyre.slice %w1_all axis 0 from T size 1 : !W1_act
      %final_0 = gyre.slice %u_final axis 2 from 0 size (L+1)*C : !u
      %final_1 = gyre.slice %u_final axis 2 from (L+1)*C size 2*L*C : !u
      %linear_0 = gyre.contract %final_0[f, e, i], %last0[t, f, i, o] -> [f, e, o] : !u_0, !last0
      %linear_1 = gyre.contract %final_1[f, e, i], %last1[t, f, i, o] -> [f, e, o] : !u_1, !last1
      %linear = gyre.concat %linear_0, %linear_1 axis 2 : !u_0, !u_1
      %y = arith.addf %u_final, %linear : !u
      %x_local = gyre.contract %y[f, e, (m, c)] -> [e, f, m, c] with (m = 3*L+1, c = C) : !u
      %nodes = gyre.segment_sum %x_local over %dst axis 0 : !local, !map
      gyre.return %nodes, %x_local, %rad0, %u0, %z_all, %u_final : !nodes, !local, !rad0, !u, !z_all, !u
    }
    // Of forces: x, wigner and q depend on positions.
    gyre.derive @value_path_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq) given (nodes as g_nodes) saves (u0, z_all, u_final) exact (u0)
    gyre.derive @value_path_bwd2 = vjp @value_path_bwd
      wrt (g_nodes as dg_nodes, x as dx, wigner as dwigner, q as dq, A as dA, W0 as dW0, W1 as dW1, G as dG,
           u0 as du0, z_all as dz_all, u_final as du_final)
      given (gx as hx, gwigner as hwigner, gq as hq)
    gyre.derive @value_path_train_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq, A as gA, W0 as gW0, W1 as gW1, G as gG)
      given (nodes as g_nodes, rad0 as g_rad0, u0 as g_u0, z_all as g_z_all, u_final as g_u_final) saves (u0, z_all, u_final) exact (u0)
  }

  gyre.alternative where R == 0 and competing == 1 {
    gyre.func @value_path(%x: !x, %src: !map, %dst: !map, %wigner: !wigner, %q: !q, %A: !A,
        %wc: !wc, %b: !b, %sc: !sc, %tau: !number, %smooth: !number, %eps: !number, %W0: !W0, %W1: !W1, %G: !G)
        -> (nodes: !nodes, x_local: !local, rad0: !rad0, p: !p, u0: !u, z_all: !z_all, u_final: !u) {
      %a_act = gyre.convert %A : !A -> !A_act
      %rad = gyre.contract %q[e, l, i], %a_act[i, o] -> [e, l, o] : !q, !A_act
      %rad0 = gyre.slice %rad axis 1 from 0 size 1 : !rad

      %xe = gyre.gather %x over %src axis 0 : !x, !map
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %mixed = gyre.degree_mix %xl by %rad degree L : !rows, !rad
      %u0 = gyre.contract %mixed[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows

      %u0_scalars = gyre.slice %u0 axis 2 from 0 size C : !u
      %p = gyre.contract %u0_scalars[f, e, c] -> [e, f, c] : !scalars
      %scalars = gyre.convert %p : !p -> !p_acc
      %w = gyre.convert %wc : !wc -> !wc_acc
      %scale = gyre.convert %sc : !sc -> !sc_acc
      %squares = gyre.contract %scalars[e, f, c], %scalars[e, f, c] -> [e, f] : !p_acc, !p_acc
      %one_c = gyre.constant 1.0 : !channels
      %channels = gyre.contract %one_c[c] -> [e, f] with (e = E, f = F) : !channels
      %mean = arith.divf %squares, %channels : !t
      %eps_t = gyre.contract %eps[] -> [e, f] with (e = E, f = F) : !number
      %shifted_mean = arith.addf %mean, %eps_t : !t
      %rho = math.rsqrt %shifted_mean : !t
      %n = gyre.contract %scalars[e, f, c], %scale[f, c], %rho[e, f] -> [e, f, c] : !p_acc, !sc_acc, !t
      %logit = gyre.contract %n[e, f, c], %w[c, f] -> [e, f] : !p_acc, !wc_acc
      %bias = gyre.convert %b : !b -> !b_acc
      %bias_t = gyre.contract %bias[f] -> [e, f] with (e = E) : !b_acc
      %sum = arith.addf %logit, %bias_t : !t
      %tau_t = gyre.contract %tau[] -> [e, f] with (e = E, f = F) : !number
      %t = arith.divf %sum, %tau_t : !t

      %max, %slot = gyre.max_slot %t axis 1 : !t -> !edge, !slot
      %shift = gyre.stop_gradient %max : !edge
      %shift_t = gyre.contract %shift[e] -> [e, f] with (f = F) : !edge
      %below = arith.subf %t, %shift_t : !t
      %x_t = math.exp %below : !t
      %total = gyre.contract %x_t[e, f] -> [e] : !t
      %total_t = gyre.contract %total[e] -> [e, f] with (f = F) : !edge
      %a = arith.divf %x_t, %total_t : !t

      %one = gyre.constant 1.0 : !number
      %keep = arith.subf %one, %smooth : !number
      %kept = gyre.contract %a[e, f], %keep[] -> [e, f] : !t, !number
      %one_f = gyre.constant 1.0 : !b_acc
      %focuses = gyre.contract %one_f[f] -> [] : !b_acc
      %least = arith.divf %smooth, %focuses : !number
      %least_t = gyre.contract %least[] -> [e, f] with (e = E, f = F) : !number
      %weight = arith.addf %kept, %least_t : !t
      %alpha = gyre.convert %weight : !t -> !alpha

      %w0_all = gyre.convert %W0 : !W0 -> !W0_act
      %w1_all = gyre.convert %W1 : !W1 -> !W1_act
      %g_all = gyre.convert %G : !G -> !G_act
      %u_final, %z_all = gyre.repeat T carry (%u = %u0 : !u)
          slice (%w0 = %w0_all : !W0_act, %w1 = %w1_all : !W1_act, %g = %g_all : !G_act) -> (!u, !z_all) {
        %u_0 = gyre.slice %u axis 2 from 0 size (L+1)*C : !u
        %u_1 = gyre.slice %u axis 2 from (L+1)*C size 2*L*C : !u
        %z_0 = gyre.contract %u_0[f, e, i], %w0[f, i, o] -> [f, e, o] : !u_0, !w0
        %z_1 = gyre.contract %u_1[f, e, i], %w1[f, i, o] -> [f, e, o] : !u_1, !w1
        %z = gyre.concat %z_0, %z_1 axis 2 : !u_0, !u_1
        %v = gyre.gated_activation %z gate %g degree L channels C : !u, !g
        %next = arith.addf %u, %v : !u
        gyre.yield %next, %z : !u, !u
      }
      %last0 = gyre.slice %w0_all axis 0 from T size 1 : !W0_act
      %last1 = gyre.slice %w1_all axis 0 from T size 1 : !W1_act
      %final_0 = gyre.slice %u_final axis 2 from 0 size (L+1)*C : !u
      %final_1 = gyre.slice %u_final axis 2 from (L+1)*C size 2*L*C : !u
      %linear_0 = gyre.contract %final_0[f, e, i], %last0[t, f, i, o] -> [f, e, o] : !u_0, !last0
      %linear_1 = gyre.contract %final_1[f, e, i], %last1[t, f, i, o] -> [f, e, o] : !u_1, !last1
      %linear = gyre.concat %linear_0, %linear_1 axis 2 : !u_0, !u_1
      %y = arith.addf %u_final, %linear : !u
      %x_local = gyre.contract %y[f, e, (m, c)], %alpha[e, f] -> [e, f, m, c] with (m = 3*L+1, c = C) : !u, !alpha
      %nodes = gyre.segment_sum %x_local over %dst axis 0 : !local, !map
      gyre.return %nodes, %x_local, %rad0, %p, %u0, %z_all, %u_final : !nodes, !local, !rad0, !p, !u, !z_all, !u
    }
    // Of forces: x, wigner and q depend on positions.
    gyre.derive @value_path_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq) given (nodes as g_nodes) saves (p, u0, z_all, u_final) exact (u0)
    gyre.derive @value_path_bwd2 = vjp @value_path_bwd
      wrt (g_nodes as dg_nodes, x as dx, wigner as dwigner, q as dq, A as dA, wc as dwc, b as db, sc as dsc, W0 as dW0, W1 as dW1, G as dG,
           p as dp, u0 as du0, z_all as dz_all, u_final as du_final)
      given (gx as hx, gwigner as hwigner, gq as hq)
    gyre.derive @value_path_train_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq, A as gA, wc as gwc, b as gb, sc as gsc, W0 as gW0, W1 as gW1, G as gG)
      given (nodes as g_nodes, rad0 as g_rad0, p as g_p, u0 as g_u0, z_all as g_z_all, u_final as g_u_final) saves (p, u0, z_all, u_final) exact (u0)
  }

  gyre.alternative where R >= 1 and competing == 0 {
    gyre.func @value_path(%x: !x, %src: !map, %dst: !map, %wigner: !wigner, %q: !q, %A: !A, %Bm: !Bm, %cb: !cb,
        %W0: !W0, %W1: !W1, %G: !G)
        -> (nodes: !nodes, x_local: !local, rad0: !rad0, u0: !u, z_all: !z_all, u_final: !u) {
      %a_act = gyre.convert %A : !A -> !A_act
      %rad = gyre.contract %q[e, l, i], %a_act[i, o] -> [e, l, o] : !q, !A_act
      %rad0 = gyre.slice %rad axis 1 from 0 size 1 : !rad
      %bm_act = gyre.convert %Bm : !Bm -> !Bm_act
      %kc = gyre.contract %rad[e, l, o], %bm_act[(l, o), j] -> [e, j] with (l = L+1, o = F*C) : !rad, !Bm_act
      %cb_act = gyre.convert %cb : !cb -> !cb_act

      %xe = gyre.gather %x over %src axis 0 : !x, !map
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %mixed = gyre.degree_mix %xl by %kc basis %cb_act degree L : !rows, !kc, !cb_act
      %u0 = gyre.contract %mixed[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows

      %w0_all = gyre.convert %W0 : !W0 -> !W0_act
      %w1_all = gyre.convert %W1 : !W1 -> !W1_act
      %g_all = gyre.convert %G : !G -> !G_act
      %u_final, %z_all = gyre.repeat T carry (%u = %u0 : !u)
          slice (%w0 = %w0_all : !W0_act, %w1 = %w1_all : !W1_act, %g = %g_all : !G_act) -> (!u, !z_all) {
        %u_0 = gyre.slice %u axis 2 from 0 size (L+1)*C : !u
        %u_1 = gyre.slice %u axis 2 from (L+1)*C size 2*L*C : !u
        %z_0 = gyre.contract %u_0[f, e, i], %w0[f, i, o] -> [f, e, o] : !u_0, !w0
        %z_1 = gyre.contract %u_1[f, e, i], %w1[f, i, o] -> [f, e, o] : !u_1, !w1
        %z = gyre.concat %z_0, %z_1 axis 2 : !u_0, !u_1
        %v = gyre.gated_activation %z gate %g degree L channels C : !u, !g
        %next = arith.addf %u, %v : !u
        gyre.yield %next, %z : !u, !u
      }
      %last0 = gyre.slice %w0_all axis 0 from T size 1 : !W0_act
      %last1 = gyre.slice %w1_all axis 0 from T size 1 : !W1_act
      %final_0 = gyre.slice %u_final axis 2 from 0 size (L+1)*C : !u
      %final_1 = gyre.slice %u_final axis 2 from (L+1)*C size 2*L*C : !u
      %linear_0 = gyre.contract %final_0[f, e, i], %last0[t, f, i, o] -> [f, e, o] : !u_0, !last0
      %linear_1 = gyre.contract %final_1[f, e, i], %last1[t, f, i, o] -> [f, e, o] : !u_1, !last1
      %linear = gyre.concat %linear_0, %linear_1 axis 2 : !u_0, !u_1
      %y = arith.addf %u_final, %linear : !u
      %x_local = gyre.contract %y[f, e, (m, c)] -> [e, f, m, c] with (m = 3*L+1, c = C) : !u
      %nodes = gyre.segment_sum %x_local over %dst axis 0 : !local, !map
      gyre.return %nodes, %x_local, %rad0, %u0, %z_all, %u_final : !nodes, !local, !rad0, !u, !z_all, !u
    }
    // Of forces: x, wigner and q depend on positions.
    gyre.derive @value_path_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq) given (nodes as g_nodes) saves (u0, z_all, u_final) exact (u0)
    gyre.derive @value_path_bwd2 = vjp @value_path_bwd
      wrt (g_nodes as dg_nodes, x as dx, wigner as dwigner, q as dq, A as dA, Bm as dBm, cb as dcb, W0 as dW0, W1 as dW1, G as dG,
           u0 as du0, z_all as dz_all, u_final as du_final)
      given (gx as hx, gwigner as hwigner, gq as hq)
    gyre.derive @value_path_train_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq, A as gA, Bm as gBm, cb as gcb, W0 as gW0, W1 as gW1, G as gG)
      given (nodes as g_nodes, rad0 as g_rad0, u0 as g_u0, z_all as g_z_all, u_final as g_u_final) saves (u0, z_all, u_final) exact (u0)
  }

  gyre.alternative where R >= 1 and competing == 1 {
    gyre.func @value_path(%x: !x, %src: !map, %dst: !map, %wigner: !wigner, %q: !q, %A: !A, %Bm: !Bm, %cb: !cb,
        %wc: !wc, %b: !b, %sc: !sc, %tau: !number, %smooth: !number, %eps: !number, %W0: !W0, %W1: !W1, %G: !G)
        -> (nodes: !nodes, x_local: !local, rad0: !rad0, p: !p, u0: !u, z_all: !z_all, u_final: !u) {
      %a_act = gyre.convert %A : !A -> !A_act
      %rad = gyre.contract %q[e, l, i], %a_act[i, o] -> [e, l, o] : !q, !A_act
      %rad0 = gyre.slice %rad axis 1 from 0 size 1 : !rad
      %bm_act = gyre.convert %Bm : !Bm -> !Bm_act
      %kc = gyre.contract %rad[e, l, o], %bm_act[(l, o), j] -> [e, j] with (l = L+1, o = F*C) : !rad, !Bm_act
      %cb_act = gyre.convert %cb : !cb -> !cb_act

      %xe = gyre.gather %x over %src axis 0 : !x, !map
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %mixed = gyre.degree_mix %xl by %kc basis %cb_act degree L : !rows, !kc, !cb_act
      %u0 = gyre.contract %mixed[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows

      %u0_scalars = gyre.slice %u0 axis 2 from 0 size C : !u
      %p = gyre.contract %u0_scalars[f, e, c] -> [e, f, c] : !scalars
      %scalars = gyre.convert %p : !p -> !p_acc
      %w = gyre.convert %wc : !wc -> !wc_acc
      %scale = gyre.convert %sc : !sc -> !sc_acc
      %squares = gyre.contract %scalars[e, f, c], %scalars[e, f, c] -> [e, f] : !p_acc, !p_acc
      %one_c = gyre.constant 1.0 : !channels
      %channels = gyre.contract %one_c[c] -> [e, f] with (e = E, f = F) : !channels
      %mean = arith.divf %squares, %channels : !t
      %eps_t = gyre.contract %eps[] -> [e, f] with (e = E, f = F) : !number
      %shifted_mean = arith.addf %mean, %eps_t : !t
      %rho = math.rsqrt %shifted_mean : !t
      %n = gyre.contract %scalars[e, f, c], %scale[f, c], %rho[e, f] -> [e, f, c] : !p_acc, !sc_acc, !t
      %logit = gyre.contract %n[e, f, c], %w[c, f] -> [e, f] : !p_acc, !wc_acc
      %bias = gyre.convert %b : !b -> !b_acc
      %bias_t = gyre.contract %bias[f] -> [e, f] with (e = E) : !b_acc
      %sum = arith.addf %logit, %bias_t : !t
      %tau_t = gyre.contract %tau[] -> [e, f] with (e = E, f = F) : !number
      %t = arith.divf %sum, %tau_t : !t

      %max, %slot = gyre.max_slot %t axis 1 : !t -> !edge, !slot
      %shift = gyre.stop_gradient %max : !edge
      %shift_t = gyre.contract %shift[e] -> [e, f] with (f = F) : !edge
      %below = arith.subf %t, %shift_t : !t
      %x_t = math.exp %below : !t
      %total = gyre.contract %x_t[e, f] -> [e] : !t
      %total_t = gyre.contract %total[e] -> [e, f] with (f = F) : !edge
      %a = arith.divf %x_t, %total_t : !t

      %one = gyre.constant 1.0 : !number
      %keep = arith.subf %one, %smooth : !number
      %kept = gyre.contract %a[e, f], %keep[] -> [e, f] : !t, !number
      %one_f = gyre.constant 1.0 : !b_acc
      %focuses = gyre.contract %one_f[f] -> [] : !b_acc
      %least = arith.divf %smooth, %focuses : !number
      %least_t = gyre.contract %least[] -> [e, f] with (e = E, f = F) : !number
      %weight = arith.addf %kept, %least_t : !t
      %alpha = gyre.convert %weight : !t -> !alpha

      %w0_all = gyre.convert %W0 : !W0 -> !W0_act
      %w1_all = gyre.convert %W1 : !W1 -> !W1_act
      %g_all = gyre.convert %G : !G -> !G_act
      %u_final, %z_all = gyre.repeat T carry (%u = %u0 : !u)
          slice (%w0 = %w0_all : !W0_act, %w1 = %w1_all : !W1_act, %g = %g_all : !G_act) -> (!u, !z_all) {
        %u_0 = gyre.slice %u axis 2 from 0 size (L+1)*C : !u
        %u_1 = gyre.slice %u axis 2 from (L+1)*C size 2*L*C : !u
        %z_0 = gyre.contract %u_0[f, e, i], %w0[f, i, o] -> [f, e, o] : !u_0, !w0
        %z_1 = gyre.contract %u_1[f, e, i], %w1[f, i, o] -> [f, e, o] : !u_1, !w1
        %z = gyre.concat %z_0, %z_1 axis 2 : !u_0, !u_1
        %v = gyre.gated_activation %z gate %g degree L channels C : !u, !g
        %next = arith.addf %u, %v : !u
        gyre.yield %next, %z : !u, !u
      }
      %last0 = gyre.slice %w0_all axis 0 from T size 1 : !W0_act
      %last1 = gyre.slice %w1_all axis 0 from T size 1 : !W1_act
      %final_0 = gyre.slice %u_final axis 2 from 0 size (L+1)*C : !u
      %final_1 = gyre.slice %u_final axis 2 from (L+1)*C size 2*L*C : !u
      %linear_0 = gyre.contract %final_0[f, e, i], %last0[t, f, i, o] -> [f, e, o] : !u_0, !last0
      %linear_1 = gyre.contract %final_1[f, e, i], %last1[t, f, i, o] -> [f, e, o] : !u_1, !last1
      %linear = gyre.concat %linear_0, %linear_1 axis 2 : !u_0, !u_1
      %y = arith.addf %u_final, %linear : !u
      %x_local = gyre.contract %y[f, e, (m, c)], %alpha[e, f] -> [e, f, m, c] with (m = 3*L+1, c = C) : !u, !alpha
      %nodes = gyre.segment_sum %x_local over %dst axis 0 : !local, !map
      gyre.return %nodes, %x_local, %rad0, %p, %u0, %z_all, %u_final : !nodes, !local, !rad0, !p, !u, !z_all, !u
    }
    // Of forces: x, wigner and q depend on positions.
    gyre.derive @value_path_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq) given (nodes as g_nodes) saves (p, u0, z_all, u_final) exact (u0)
    gyre.derive @value_path_bwd2 = vjp @value_path_bwd
      wrt (g_nodes as dg_nodes, x as dx, wigner as dwigner, q as dq, A as dA, Bm as dBm, cb as dcb, wc as dwc, b as db, sc as dsc, W0 as dW0, W1 as dW1, G as dG,
           p as dp, u0 as du0, z_all as dz_all, u_final as du_final)
      given (gx as hx, gwigner as hwigner, gq as hq)
    gyre.derive @value_path_train_bwd = vjp @value_path
      wrt (x as gx, wigner as gwigner, q as gq, A as gA, Bm as gBm, cb as gcb, wc as gwc, b as gb, sc as gsc, W0 as gW0, W1 as gW1, G as gG)
      given (nodes as g_nodes, rad0 as g_rad0, p as g_p, u0 as g_u0, z_all as g_z_all, u_final as g_u_final) saves (p, u0, z_all, u_final) exact (u0)
  }
}
