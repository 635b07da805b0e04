// A positive weight for each edge and focus, from the scalar channels (docs/operators.md, section 5).
//
// n[e, f, c] = p[e, f, c]                     normalised: times sc[f, c] / sqrt(mean_c p[e, f, c]^2 + eps)
// t[e, f] = (sum_c n[e, f, c] wc[c, f] + b[f]) / tau
// alpha[e, f] = (1 - smooth) softmax_f(t)[e, f] + smooth / F
//
// tau, smooth and eps are operands, numbers without gradients. All is computed in the accumulator's
// type and rounded once.

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

gyre.spec @focus_competition {
  gyre.param "F" in [1, 64] doc "focuses, which compete"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.param "normalised" in [0, 1] default 0 doc "1: each focus' channels are divided by their root mean square, and scaled by sc"
  gyre.param "biased" in [0, 1] default 0 doc "1: b is added to the logits"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"
  gyre.type_param "par" in [f32, f64, f16, bf16] default !gyre.elem<act> doc "weights"
  gyre.accumulator "acc" of "act"

  gyre.alternative where normalised == 0 and biased == 0 {
    gyre.func @focus_competition(%p: !p, %wc: !wc, %tau: !number, %smooth: !number) -> (alpha: !alpha) {
      %x = gyre.convert %p : !p -> !p_acc
      %w = gyre.convert %wc : !wc -> !wc_acc
      %logit = gyre.contract %x[e, f, c], %w[c, f] -> [e, f] : !p_acc, !wc_acc
      %tau_t = gyre.contract %tau[] -> [e, f] with (e = E, f = F) : !number
      %t = arith.divf %logit, %tau_t : !t

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
      gyre.return %alpha : !alpha
    }
    gyre.derive @focus_competition_bwd = vjp @focus_competition wrt (p as gp) given (alpha as galpha)
    gyre.derive @focus_competition_train_bwd = vjp @focus_competition
      wrt (p as gp, wc as gwc) given (alpha as galpha)
    gyre.derive @focus_competition_force_bwd2 = vjp @focus_competition_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc) given (gp as hp)
    gyre.derive @focus_competition_train_bwd2 = vjp @focus_competition_train_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc) given (gp as hp, gwc as hwc)
  }

  gyre.alternative where normalised == 0 and biased == 1 {
    gyre.func @focus_competition(%p: !p, %wc: !wc, %b: !b, %tau: !number, %smooth: !number) -> (alpha: !alpha) {
      %x = gyre.convert %p : !p -> !p_acc
      %w = gyre.convert %wc : !wc -> !wc_acc
      %logit = gyre.contract %x[e, f, c], %w[c, f] -> [e, f] : !p_acc, !wc_acc
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
      gyre.return %alpha : !alpha
    }
    gyre.derive @focus_competition_bwd = vjp @focus_competition wrt (p as gp) given (alpha as galpha)
    gyre.derive @focus_competition_train_bwd = vjp @focus_competition
      wrt (p as gp, wc as gwc, b as gb) given (alpha as galpha)
    gyre.derive @focus_competition_force_bwd2 = vjp @focus_competition_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc, b as db) given (gp as hp)
    gyre.derive @focus_competition_train_bwd2 = vjp @focus_competition_train_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc, b as db) given (gp as hp, gwc as hwc, gb as hb)
  }

  gyre.alternative where normalised == 1 and biased == 0 {
    gyre.func @focus_competition(%p: !p, %wc: !wc, %sc: !sc, %tau: !number, %smooth: !number, %eps: !number) -> (alpha: !alpha) {
      %x = gyre.convert %p : !p -> !p_acc
      %w = gyre.convert %wc : !wc -> !wc_acc
      %scale = gyre.convert %sc : !sc -> !sc_acc
      %squares = gyre.contract %x[e, f, c], %x[e, f, c] -> [e, f] : !p_acc, !p_acc
      %one_c = gyre.constant 1.0 : !channels
      %channels = gyre.contract %one_c[c] -> [e, f] with (e = E, f = F) : !channels
      %mean = arith.divf %squares, %channels : !t
      %eps_t = gyre.contract %eps[] -> [e, f] with (e = E, f = F) : !number
      %shifted_mean = arith.addf %mean, %eps_t : !t
      %rho = math.rsqrt %shifted_mean : !t
      %n = gyre.contract %x[e, f, c], %scale[f, c], %rho[e, f] -> [e, f, c] : !p_acc, !sc_acc, !t
      %logit = gyre.contract %n[e, f, c], %w[c, f] -> [e, f] : !p_acc, !wc_acc
      %tau_t = gyre.contract %tau[] -> [e, f] with (e = E, f = F) : !number
      %t = arith.divf %logit, %tau_t : !t

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
      gyre.return %alpha : !alpha
    }
    gyre.derive @focus_competition_bwd = vjp @focus_competition wrt (p as gp) given (alpha as galpha)
    gyre.derive @focus_competition_train_bwd = vjp @focus_competition
      wrt (p as gp, wc as gwc, sc as gsc) given (alpha as galpha)
    gyre.derive @focus_competition_force_bwd2 = vjp @focus_competition_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc, sc as dsc) given (gp as hp)
    gyre.derive @focus_competition_train_bwd2 = vjp @focus_competition_train_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc, sc as dsc) given (gp as hp, gwc as hwc, gsc as hsc)
  }

  gyre.alternative where normalised == 1 and biased == 1 {
    gyre.func @focus_competition(%p: !p, %wc: !wc, %b: !b, %sc: !sc, %tau: !number, %smooth: !number, %eps: !number) -> (alpha: !alpha) {
      %x = gyre.convert %p : !p -> !p_acc
      %w = gyre.convert %wc : !wc -> !wc_acc
      %scale = gyre.convert %sc : !sc -> !sc_acc
      %squares = gyre.contract %x[e, f, c], %x[e, f, c] -> [e, f] : !p_acc, !p_acc
      %one_c = gyre.constant 1.0 : !channels
      %channels = gyre.contract %one_c[c] -> [e, f] with (e = E, f = F) : !channels
      %mean = arith.divf %squares, %channels : !t
      %eps_t = gyre.contract %eps[] -> [e, f] with (e = E, f = F) : !number
      %shifted_mean = arith.addf %mean, %eps_t : !t
      %rho = math.rsqrt %shifted_mean : !t
      %n = gyre.contract %x[e, f, c], %scale[f, c], %rho[e, f] -> [e, f, c] : !p_acc, !sc_acc, !t
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
      gyre.return %alpha : !alpha
    }
    gyre.derive @focus_competition_bwd = vjp @focus_competition wrt (p as gp) given (alpha as galpha)
    gyre.derive @focus_competition_train_bwd = vjp @focus_competition
      wrt (p as gp, wc as gwc, b as gb, sc as gsc) given (alpha as galpha)
    gyre.derive @focus_competition_force_bwd2 = vjp @focus_competition_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc, b as db, sc as dsc) given (gp as hp)
    gyre.derive @focus_competition_train_bwd2 = vjp @focus_competition_train_bwd
      wrt (galpha as dgalpha, p as dp, wc as dwc, b as db, sc as dsc) given (gp as hp, gwc as hwc, gb as hb, gsc as hsc)
  }
}
