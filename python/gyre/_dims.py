"""The sizes of a manifest: polynomials with integer coefficients over names, such as `3*E + 1`."""

import re

from ._errors import Error

_TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_][A-Za-z0-9_$.]*)|([-+*()]))")


class Poly:
    """A parsed size."""

    def __init__(self, text):
        self.text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._terms = self._sum()
        if self._peek() is not None:
            raise self._error(f"the end, got `{self._peek()}`")

    def _error(self, expected):
        return Error(f"[manifest-size] size `{self.text}`: expected {expected}")

    def _peek(self):
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, *wanted):
        token = self._peek()
        if token is None or token not in wanted:
            return None
        self._at += 1
        return token

    # A polynomial is {sorted tuple of names: coefficient}.

    def _sum(self):
        total = self._product()
        while sign := self._take("+", "-"):
            for names, value in self._product().items():
                total[names] = total.get(names, 0) + (value if sign == "+" else -value)
        return {names: value for names, value in total.items() if value}

    def _product(self):
        result = self._factor()
        while self._take("*"):
            right, product = self._factor(), {}
            for a, x in result.items():
                for b, y in right.items():
                    names = tuple(sorted(a + b))
                    product[names] = product.get(names, 0) + x * y
            result = product
        return result

    def _factor(self):
        if self._take("("):
            inner = self._sum()
            if not self._take(")"):
                raise self._error("a `)`")
            return inner
        if self._take("-"):
            return {names: -value for names, value in self._factor().items()}
        token = self._peek()
        if token is None or token in "+*)":
            raise self._error(
                f"an integer, a name or a parenthesis, got {'the end' if token is None else f'`{token}`'}"
            )
        self._at += 1
        return {(): int(token)} if token.isdigit() else {(token,): 1}

    @property
    def name(self):
        """The name, if the size is exactly a name; else None."""
        if len(self._terms) != 1:
            return None
        ((names, value),) = self._terms.items()
        return names[0] if len(names) == 1 and value == 1 else None

    @property
    def names(self):
        return {name for names in self._terms for name in names}

    def __call__(self, sizes):
        """The value, given the runtime sizes by name."""
        total = 0
        for names, value in self._terms.items():
            for name in names:
                value *= sizes[name]
            total += value
        return total

    def __repr__(self):
        return f"Poly({self.text!r})"


def _tokens(text):
    if not isinstance(text, str):
        raise Error(f"[manifest-size] expected the text of a size, got {text!r}")
    tokens, at, text = [], 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise Error(
                f"[manifest-size] size `{text}`: expected a name, an integer, `+`, `-`, `*` or a parenthesis, got `{text[at]}`"
            )
        tokens.append(match.group(match.lastindex))
        at = match.end()
    return tokens
