// RUN: gyre-opt %s --gyre-specialise="set=L=9,act=f16" --split-input-file -verify-diagnostics

// expected-error @below {{[specialise-unknown-param] expected a parameter of @f (C, act, F), got `L`}}
gyre.spec @f {
  gyre.param "C" in [0, 8] default 1
  gyre.type_param "act" in [f32, f64, f16]
  gyre.param "F" in [0, 8] default 1
}

// -----

gyre.spec @f {
  gyre.param "L" in [0, 16]
  // expected-error @below {{[specialise-missing-param] expected a value for `C`, which has no default, got none}}
  gyre.param "C" in [0, 8]
  gyre.type_param "act" in [f32, f16]
}

// -----

gyre.spec @f {
  gyre.param "L" in [0, 16]
  gyre.type_param "act" in [f32, f16]
  // expected-error @below {{[specialise-missing-param] expected a value for `par`, which has no default, got none}}
  gyre.type_param "par" in [f32, f16]
}

// -----

gyre.spec @f {
  // expected-error @below {{[specialise-param-range] expected `L` in [-1, 8], got 9}}
  gyre.param "L" in [-1, 8]
  gyre.type_param "act" in [f32, f16]
}

// -----

gyre.spec @f {
  gyre.param "L" in [9, 9]
  // expected-error @below {{[specialise-param-value] expected an integer for `act`, got `f16`}}
  gyre.param "act" in [0, 8]
}

// -----

gyre.spec @f {
  gyre.param "L" in [9, 9]
  // expected-error @below {{[specialise-param-value] expected one of f32, f64 for `act`, got `f16`}}
  gyre.type_param "act" in [f32, f64]
}

// -----

gyre.spec @f {
  // expected-error @below {{[specialise-param-value] expected one of f32, f16 for `L`, got `9`}}
  gyre.type_param "L" in [f32, f16]
  gyre.type_param "act" in [f32, f16]
}

// -----

gyre.spec @f {
  gyre.param "L" in [0, 16]
  gyre.type_param "act" in [f32, f16]
  // expected-error @below {{[specialise-param-value] expected one of the choices for `par`, got 'f16' by default, that of `act`}}
  gyre.type_param "par" in [f32, f64] default !gyre.elem<act>
}
