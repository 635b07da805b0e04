"""What forwards leave for derivatives is no more than section 12 of docs/operators.md allows."""

import pytest

import saved_bytes


@pytest.mark.parametrize(
    "spec, p, allowed, words", saved_bytes.OPERATORS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_no_more_is_saved_than_allowed(built_tools, spec, p, allowed, words):
    del words
    found = saved_bytes.saved(saved_bytes.described(built_tools, spec, p))
    assert found
    for name, results in found.items():
        assert saved_bytes.bytes_of(results) <= allowed(p), name


def test_saved_results_are_counted():
    described = {
        "functions": [
            {
                "name": "f",
                "arguments": [{"name": "x"}],
                "results": [
                    {"name": "y", "dtype": "f32", "shape": ["E", "3"]},
                    {"name": "z", "dtype": "f64", "shape": ["2", "E", "5"]},
                ],
            },
            {
                "name": "f_bwd",
                "arguments": [{"name": "x"}, {"name": "z"}, {"name": "gy"}],
                "results": [],
                "derivative": {"of": "f", "wrt": {}, "given": {"y": "gy"}},
            },
        ]
    }
    found = saved_bytes.saved(described)
    assert [result["name"] for result in found["f_bwd"]] == ["z"]
    assert saved_bytes.bytes_of(found["f_bwd"]) == 80
