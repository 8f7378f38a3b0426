"""Where two machines part: layer by layer, beside two runs that are compared by hand."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._rounding import bits
from torch import nn

torch.manual_seed(0)
MODEL = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Linear(256, 128), nn.GELU()), nn.Linear(128, 16)).half()
X = torch.randn(32, 256).half()


def test_layers_are_those_of_two_runs() -> None:
    found = mt.compare(MODEL, X, machines=("H100", "MI300X"), unknown="ignore")
    assert [layer.module for layer in found.layers] == ["0", "1.0", "1.1", "1", "2", "Sequential"]
    results = []
    for machine in found.machines:
        with torch.no_grad(), mt.emulate(machine, unknown="ignore"):
            results.append((MODEL[1][0](MODEL[0](X)), MODEL(X)))
    (first, last), (other, theirs) = results
    counts = [int((bits(x) != bits(y)).sum()) for x, y in ((first, other), (last, theirs))]
    assert [found.layers[1].different, found.layers[-1].different] == counts and counts[1] > 0
    assert found.layers[0].different == 0 and found.layers[0].ulps is None
    assert found.first.module == "1.0" and found.layers[1].ulps == 1 and found.layers[4].ulps >= found.layers[4].median
    assert "H100 and MI300X part in 1.0" in found.report() and "ASSUMED: the plans of 4 of 4 products" in found.report()


def test_machines_with_the_same_units_do_not_part() -> None:
    chain = mt.Rule(mt.Plan("", source="a test", verified="recorded"))
    found = mt.compare(MODEL, X, machines=("H100", "RTX 5090"), plans=[chain])
    assert found.first is None and "give the same bits in every layer" in found.report() and "ASSUMED" not in found.report()
    own = mt.compare(lambda x: x @ x.T, X.float(), machines=("native", "H100"), unknown="ignore")
    assert own.layers[0].module == "function" and own.products == 1
    with pytest.raises(ValueError, match="machines: expected two, found 3"):
        mt.compare(MODEL, X, machines=("H100", "A100", "V100"))
