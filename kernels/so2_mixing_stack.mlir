// Gated residual layers and a final linear one (docs/operators.md, section 7).
//
// z_l = u_l W_l                                  l = 0 .. T-1, W_l block-diagonal: W0[l, f] on the
// u_(l+1) = u_l + gated_activation(z_l, G_l)     order 0, W1[l, f] on the orders -1 and +1
// x_local[e, f] = alpha[e, f] (u_T + u_T W_T)    no factor where focuses do not compete
//
// Saved from the forward are z_all and u_final. Inputs of layers are recovered from u_final, layer
// by layer downwards, but for u0, which is an operand. Without degrees (L = 0) there are no orders
// -1 and +1, and no gates.

!u = !gyre.tensor<F x E x (3*L+1)*C x act>
!u_0 = !gyre.tensor<F x E x (L+1)*C x act>
!u_1 = !gyre.tensor<F x E x 2*L*C x act>
!alpha = !gyre.tensor<E x F x act>
!local = !gyre.tensor<E x F x (3*L+1)*C x act>
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
!scalars = !gyre.tensor<F x E x C x act>
!scalars_local = !gyre.tensor<E x F x C x act>
!scalars_all = !gyre.tensor<T x F x E x C x act>
!S0 = !gyre.tensor<T+1 x F x C x C x par>
!S0_act = !gyre.tensor<T+1 x F x C x C x act>
!s0 = !gyre.tensor<F x C x C x act>
!last_s = !gyre.tensor<1 x F x C x C x act>
!last0 = !gyre.tensor<1 x F x (L+1)*C x (L+1)*C x act>
!last1 = !gyre.tensor<1 x F x 2*L*C x 2*L*C x act>

gyre.spec @so2_mixing_stack {
  gyre.param "L" in [0, 8] doc "maximal degree"
  gyre.param "F" in [1, 64] default 1 doc "focuses"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.param "T" in [0, 64] doc "gated layers"
  gyre.param "competing" in [0, 1] default 0 doc "1: the result is multiplied by alpha"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"
  gyre.type_param "par" in [f32, f64, f16, bf16] default !gyre.elem<act> doc "weights"

  gyre.alternative where L == 0 and competing == 0 {
    gyre.func @so2_mixing_stack(%u0: !scalars, %W0: !S0)
        -> (x_local: !scalars_local, z_all: !scalars_all, u_final: !scalars) {
      %w0_all = gyre.convert %W0 : !S0 -> !S0_act
      %u_final, %z_all = gyre.repeat T carry (%u = %u0 : !scalars) slice (%w0 = %w0_all : !S0_act) -> (!scalars, !scalars_all) {
        %z = gyre.contract %u[f, e, i], %w0[f, i, o] -> [f, e, o] : !scalars, !s0
        %v = gyre.gated_activation %z degree 0 channels C : !scalars
        %next = arith.addf %u, %v : !scalars
        gyre.yield %next, %z : !scalars, !scalars
      }
      %last0 = gyre.slice %w0_all axis 0 from T size 1 : !S0_act
      %linear = gyre.contract %u_final[f, e, i], %last0[t, f, i, o] -> [f, e, o] : !scalars, !last_s
      %y = arith.addf %u_final, %linear : !scalars
      %x_local = gyre.contract %y[f, e, j] -> [e, f, j] : !scalars
      gyre.return %x_local, %z_all, %u_final : !scalars_local, !scalars_all, !scalars
    }
    // Of forces: neither gradients of weights nor inputs of layers.
    gyre.derive @so2_mixing_stack_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0) given (x_local as g_out) saves (z_all, u_final) without (u0)
    // Its second order, of a force loss. What it says of z_all and u_final enters the training backward.
    gyre.derive @so2_mixing_stack_bwd2 = vjp @so2_mixing_stack_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, W0 as dW0) given (gu0 as hu0)
    gyre.derive @so2_mixing_stack_train_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, W0 as gW0)
      given (x_local as g_out, z_all as g_z, u_final as g_u) saves (z_all, u_final) exact (u0)
    gyre.derive @so2_mixing_stack_train_bwd2 = vjp @so2_mixing_stack_train_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, W0 as dW0, u0 as du0, g_z as dg_z, g_u as dg_u)
      given (gu0 as hu0, gW0 as hW0)
    // Where only x_local has a cotangent: training without a force loss.
    gyre.derive @so2_mixing_stack_plain_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, W0 as gW0) given (x_local as g_out) saves (z_all, u_final) exact (u0)
  }

  gyre.alternative where L == 0 and competing == 1 {
    gyre.func @so2_mixing_stack(%u0: !scalars, %alpha: !alpha, %W0: !S0)
        -> (x_local: !scalars_local, z_all: !scalars_all, u_final: !scalars) {
      %w0_all = gyre.convert %W0 : !S0 -> !S0_act
      %u_final, %z_all = gyre.repeat T carry (%u = %u0 : !scalars) slice (%w0 = %w0_all : !S0_act) -> (!scalars, !scalars_all) {
        %z = gyre.contract %u[f, e, i], %w0[f, i, o] -> [f, e, o] : !scalars, !s0
        %v = gyre.gated_activation %z degree 0 channels C : !scalars
        %next = arith.addf %u, %v : !scalars
        gyre.yield %next, %z : !scalars, !scalars
      }
      %last0 = gyre.slice %w0_all axis 0 from T size 1 : !S0_act
      %linear = gyre.contract %u_final[f, e, i], %last0[t, f, i, o] -> [f, e, o] : !scalars, !last_s
      %y = arith.addf %u_final, %linear : !scalars
      %x_local = gyre.contract %y[f, e, j], %alpha[e, f] -> [e, f, j] : !scalars, !alpha
      gyre.return %x_local, %z_all, %u_final : !scalars_local, !scalars_all, !scalars
    }
    // Of forces: neither gradients of weights nor inputs of layers.
    gyre.derive @so2_mixing_stack_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, alpha as galpha) given (x_local as g_out) saves (z_all, u_final) without (u0)
    // Its second order, of a force loss. What it says of z_all and u_final enters the training backward.
    gyre.derive @so2_mixing_stack_bwd2 = vjp @so2_mixing_stack_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, alpha as dalpha, W0 as dW0) given (gu0 as hu0, galpha as halpha)
    gyre.derive @so2_mixing_stack_train_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, alpha as galpha, W0 as gW0)
      given (x_local as g_out, z_all as g_z, u_final as g_u) saves (z_all, u_final) exact (u0)
    gyre.derive @so2_mixing_stack_train_bwd2 = vjp @so2_mixing_stack_train_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, alpha as dalpha, W0 as dW0, u0 as du0, g_z as dg_z, g_u as dg_u)
      given (gu0 as hu0, galpha as halpha, gW0 as hW0)
    // Where only x_local has a cotangent: training without a force loss.
    gyre.derive @so2_mixing_stack_plain_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, alpha as galpha, W0 as gW0) given (x_local as g_out) saves (z_all, u_final) exact (u0)
  }

  gyre.alternative where L >= 1 and competing == 0 {
    gyre.func @so2_mixing_stack(%u0: !u, %W0: !W0, %W1: !W1, %G: !G)
        -> (x_local: !local, z_all: !z_all, u_final: !u) {
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
      %x_local = gyre.contract %y[f, e, j] -> [e, f, j] : !u
      gyre.return %x_local, %z_all, %u_final : !local, !z_all, !u
    }
    // Of forces: neither gradients of weights nor inputs of layers.
    gyre.derive @so2_mixing_stack_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0) given (x_local as g_out) saves (z_all, u_final) without (u0)
    // Its second order, of a force loss. What it says of z_all and u_final enters the training backward.
    gyre.derive @so2_mixing_stack_bwd2 = vjp @so2_mixing_stack_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, W0 as dW0, W1 as dW1, G as dG) given (gu0 as hu0)
    gyre.derive @so2_mixing_stack_train_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, W0 as gW0, W1 as gW1, G as gG)
      given (x_local as g_out, z_all as g_z, u_final as g_u) saves (z_all, u_final) exact (u0)
    gyre.derive @so2_mixing_stack_train_bwd2 = vjp @so2_mixing_stack_train_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, W0 as dW0, W1 as dW1, G as dG, u0 as du0, g_z as dg_z, g_u as dg_u)
      given (gu0 as hu0, gW0 as hW0, gW1 as hW1, gG as hG)
    // Where only x_local has a cotangent: training without a force loss.
    gyre.derive @so2_mixing_stack_plain_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, W0 as gW0, W1 as gW1, G as gG) given (x_local as g_out) saves (z_all, u_final) exact (u0)
  }

  gyre.alternative where L >= 1 and competing == 1 {
    gyre.func @so2_mixing_stack(%u0: !u, %alpha: !alpha, %W0: !W0, %W1: !W1, %G: !G)
        -> (x_local: !local, z_all: !z_all, u_final: !u) {
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
      %x_local = gyre.contract %y[f, e, j], %alpha[e, f] -> [e, f, j] : !u, !alpha
      gyre.return %x_local, %z_all, %u_final : !local, !z_all, !u
    }
    // Of forces: neither gradients of weights nor inputs of layers.
    gyre.derive @so2_mixing_stack_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, alpha as galpha) given (x_local as g_out) saves (z_all, u_final) without (u0)
    // Its second order, of a force loss. What it says of z_all and u_final enters the training backward.
    gyre.derive @so2_mixing_stack_bwd2 = vjp @so2_mixing_stack_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, alpha as dalpha, W0 as dW0, W1 as dW1, G as dG) given (gu0 as hu0, galpha as halpha)
    gyre.derive @so2_mixing_stack_train_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, alpha as galpha, W0 as gW0, W1 as gW1, G as gG)
      given (x_local as g_out, z_all as g_z, u_final as g_u) saves (z_all, u_final) exact (u0)
    gyre.derive @so2_mixing_stack_train_bwd2 = vjp @so2_mixing_stack_train_bwd
      wrt (g_out as dg_out, z_all as dz_all, u_final as du_final, alpha as dalpha, W0 as dW0, W1 as dW1, G as dG, u0 as du0, g_z as dg_z, g_u as dg_u)
      given (gu0 as hu0, galpha as halpha, gW0 as hW0, gW1 as hW1, gG as hG)
    // Where only x_local has a cotangent: training without a force loss.
    gyre.derive @so2_mixing_stack_plain_bwd = vjp @so2_mixing_stack
      wrt (u0 as gu0, alpha as galpha, W0 as gW0, W1 as gW1, G as gG) given (x_local as g_out) saves (z_all, u_final) exact (u0)
  }
}
