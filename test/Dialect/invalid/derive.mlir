// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// What a declaration says of itself; its primal is looked at by gyre-differentiate.

// expected-error @+1 {{[derive-nothing] expected at least one name in `wrt`, got none}}
gyre.derive @nothing_wrt = vjp @f wrt ()

// -----

// expected-error @+1 {{[derive-nothing] expected at least one name in `given`, got none}}
gyre.derive @nothing_given = vjp @f wrt (x) given ()

// -----

// expected-error @+1 {{[derive-precision] expected a precision such as ieee or tf32x3, got `fast`}}
gyre.derive @precision = vjp @f wrt (x) precision fast

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `x` twice}}
gyre.derive @repeated_wrt = vjp @f wrt (x as a, x as b)

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `a` twice}}
gyre.derive @repeated_names = vjp @f wrt (x as a, y as a)

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `u` twice}}
gyre.derive @repeated_given = vjp @f wrt (x) given (u as a, u as b)

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `gu` twice}}
gyre.derive @repeated_given_names = vjp @f wrt (x) given (u, v as gu)

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `z` twice}}
gyre.derive @repeated_saves = vjp @f wrt (x) saves (z, z)

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `z` twice}}
gyre.derive @repeated_exact = vjp @f wrt (x) exact (z, y, z)

// -----

// expected-error @+1 {{[derive-repeated] expected each name once in a list, got `z` twice}}
gyre.derive @repeated_without = vjp @f wrt (x) without (z, z)

// -----

// expected-error @+1 {{[derive-renamed] expected one new name for each name of `wrt` and of `given`, got more or fewer}}
"gyre.derive"() <{sym_name = "wrt_renamed", primal = @f, wrt = ["x"], wrt_names = []}> : () -> ()

// -----

// expected-error @+1 {{[derive-renamed] expected one new name for each name of `wrt` and of `given`, got more or fewer}}
"gyre.derive"() <{sym_name = "given_renamed", primal = @f, wrt = ["x"], wrt_names = ["gx"], given = ["u"]}> : () -> ()

// -----

// expected-error @+1 {{[derive-renamed] expected one new name for each name of `wrt` and of `given`, got more or fewer}}
"gyre.derive"() <{sym_name = "only_names", primal = @f, wrt = ["x"], wrt_names = ["gx"], given_names = ["u"]}> : () -> ()

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `x.y`}}
gyre.derive @name = vjp @f wrt (x.y)

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `g$`}}
gyre.derive @new_name = vjp @f wrt (x as g$)

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `f-bwd`}}
gyre.derive @"f-bwd" = vjp @f wrt (x)

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a b`}}
"gyre.derive"() <{sym_name = "generic_name", primal = @f, wrt = ["x"], wrt_names = ["gx"], saves = ["a b"]}> : () -> ()

// -----

// expected-error @+1 {{'gyre.derive' op attribute 'wrt' failed to satisfy constraint: string array attribute}}
"gyre.derive"() <{sym_name = "kind", primal = @f, wrt = [@x], wrt_names = ["gx"]}> : () -> ()

// -----

// expected-error @+1 {{Invalid attribute `primal` in property conversion: @f::@g}}
"gyre.derive"() <{sym_name = "nested_primal", primal = @f::@g, wrt = ["x"], wrt_names = ["gx"]}> : () -> ()

// -----

// expected-error @+1 {{'gyre.derive' op requires attribute 'primal'}}
"gyre.derive"() <{sym_name = "no_primal", wrt = ["x"], wrt_names = ["gx"]}> : () -> ()

// -----

// expected-error @+1 {{expected 'vjp'}}
gyre.derive @other = jvp @f wrt (x)

// -----

// expected-error @+1 {{[syntax-attribute] expected attributes that the op has no syntax for, got `saves`}}
gyre.derive @syntax_attribute = vjp @f wrt (x) attributes {saves = 1}
