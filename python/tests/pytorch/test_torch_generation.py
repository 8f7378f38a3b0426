"""Generations as one log: a small model with keys and values of its own, its tokens, and logs that somebody changed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
pytest.importorskip("safetensors", reason="safetensors is not installed: pip install './python[torch]'")

import mmasmt.torch as mt
from mmasmt.torch._loop import Draw, chosen

PROMPT = torch.tensor([[3, 1, 4], [1, 5, 9]])
SIZE, WORDS = 32, 20


class Model(torch.nn.Module):
    """One layer of attention over all tokens so far, whose keys and values are the state."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.words = torch.nn.Embedding(WORDS, SIZE)
        self.parts = torch.nn.ModuleList(torch.nn.Linear(SIZE, SIZE, bias=False) for _ in range(3))
        self.head = torch.nn.Linear(SIZE, WORDS)

    def forward(self, tokens: Any, state: Any) -> Any:
        x = self.words(tokens)
        query, key, value = (part(x) for part in self.parts)
        if state is not None:
            key, value = torch.cat([state[0], key], 1), torch.cat([state[1], value], 1)
        weights = torch.softmax((query @ key.transpose(1, 2)).float() / SIZE**0.5, -1).to(x.dtype)
        return self.head(x + weights @ value), (key, value)


def model(seed: int = 0) -> Any:
    return Model(seed).bfloat16()


def generated(machine: str = "H100", **options: Any) -> mt.Recording:
    options = {"temperature": 1.0, "seeds": 5, "machine": "H100", **options}
    with mt.emulate(machine, unknown="ignore"):
        return mt.record_generation(model(), PROMPT, 6, **options)


def test_log_has_all_of_it(tmp_path: Path) -> None:
    log = generated(path=tmp_path / "log")
    said = log.header["generation"]
    assert said["prompt"] == PROMPT.tolist() and said["seeds"] == [5, 6] and said["temperature"] == 1.0
    # Three layers, two products of attention and the head, in each of six steps.
    assert len(log.entries) == 6 * 6 and [len(row) for row in said["tokens"]] == [6, 6]
    assert mt.Recording.read(tmp_path / "log").header == log.header
    for given in (log, tmp_path / "log"):
        assert mt.audit(given).is_equal
        found = mt.audit(given, model=model())
        assert found.is_equal and all(one.operands == "derived" for one in found.findings) and len(found.findings) == 36


def test_tokens_are_those_of_a_loop_without_a_log() -> None:
    """The loop again by hand, without state: all tokens are given anew, and products of one row are those of several."""
    tokens, step = PROMPT, model()
    draw = Draw([5, 6])
    with torch.no_grad(), mt.emulate("H100", unknown="ignore"):
        for _ in range(6):
            logits, _state = step(tokens, None)
            weights = torch.softmax(logits[:, -1].double(), -1)
            places = draw()
            new = [next(i for i in range(WORDS) if float(row[: i + 1].sum()) > float(place)) for row, place in zip(weights, places)]
            tokens = torch.cat([tokens, torch.tensor(new)[:, None]], 1)
    assert tokens[:, 3:].tolist() == generated().header["generation"]["tokens"]


@pytest.mark.parametrize("keep", ["operands", "results", "hashes"])
def test_replay_by_what_was_kept(keep: str) -> None:
    log = generated(keep=keep)
    assert mt.audit(log, model=model()).is_equal
    if keep == "hashes":
        with pytest.raises(ValueError, match="the model gives other operands on this processor, and the log has hashes of its own alone"):
            mt.audit(log, model=model(1))
        return
    found = mt.audit(log, model=model(1), search=False)
    assert "MISMATCH: the weights are not those of the log" in found.mismatches and not found.is_equal


def test_rows_do_not_change_the_draws_of_others() -> None:
    alone = Draw([6])
    both = Draw([5, 6])
    assert [float(alone()[0]) for _ in range(4)] == [float(both()[1]) for _ in range(4)]
    logits = torch.log(torch.tensor([[0.1, 0.2, 0.7]] * 4000)).float()
    counts = chosen(logits, 1.0, Draw(range(4000))).bincount(minlength=3) / 4000
    assert torch.allclose(counts, torch.tensor([0.1, 0.2, 0.7]), atol=0.03)
    assert chosen(torch.tensor([[1.0, 3.0, 3.0]]), 0.0, Draw([0])).tolist() == [1]


def test_another_token_or_seed_is_seen() -> None:
    log = generated()
    for change, text in (
        (lambda said: said["tokens"][1].__setitem__(2, (said["tokens"][1][2] + 1) % WORDS), "MISMATCH: token 2 of row 1 is "),
        (lambda said: said.update(seeds=[50, 60]), "and its logits and seed give"),
        (lambda said: said.update(temperature=0.0), "and its logits and seed give"),
    ):
        other = mt.Recording(copy.deepcopy(log.header), log.entries, log.tensors)
        change(other.header["generation"])
        found = mt.audit(other)
        assert not found.is_equal and text in found.mismatches[0] and not found.different
        assert other.header["generation"] != log.header["generation"]


def test_other_logits_are_seen_by_the_model() -> None:
    """Whoever changes logits and tokens together: without the model nothing contradicts it, with the model its operands do."""
    log = generated(temperature=0.0)
    said = log.header["generation"]
    other = log.get(said["logits"][2]).clone()
    other[0, (said["tokens"][0][2] + 1) % WORDS] = 100
    said["logits"][2], said["tokens"][0][2] = log.put(other, "changed"), (said["tokens"][0][2] + 1) % WORDS
    assert mt.audit(log).is_equal
    found = mt.audit(log, model=model())
    assert found.mismatches[-1] == "MISMATCH: the logits of step 2 are not those that the model gives" and not found.is_equal


def test_another_plan_is_seen() -> None:
    split = mt.Rule(mt.Plan("", parts=2, tile=16, partial="out"), k=SIZE)
    with mt.emulate("H100", plans=[split], unknown="ignore"):
        log = mt.record_generation(model(), PROMPT, 6, machine="H100")
    assert mt.audit(log, search=False).different
    assert mt.audit(log, plans=[split], model=model()).is_equal


@pytest.mark.parametrize(
    "given, text",
    [
        ({"prompt": torch.zeros(3)}, r"prompt: expected integers of shape \(rows, length\), found torch.float32 of shape \(3,\)"),
        ({"prompt": [[1]]}, r"prompt: expected integers of shape \(rows, length\), found \[\[1\]\]"),
        ({"count": 0}, "count: expected an integer of 1 or more, found 0"),
        ({"temperature": -1.0}, "temperature: expected 0 or more, found -1.0"),
        ({"seeds": [1, 2, 3]}, "seeds: expected one for each of 2 rows, found 3"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mt.record_generation(model(), **{"prompt": PROMPT, "count": 2, **given})
    log = generated()
    del log.header["generation"]["seeds"]
    with pytest.raises(ValueError, match="generation: expected as many prompts, seeds and rows of tokens"):
        mt.audit(log)


def test_a_model_of_transformers() -> None:
    """Its own `generate` gives the same tokens, with its own cache of keys and values."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install transformers")
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": WORDS}
    torch.manual_seed(0)
    config = transformers.LlamaConfig(**sizes, bos_token_id=None, eos_token_id=None, pad_token_id=0)
    own = transformers.LlamaForCausalLM(config).bfloat16().eval()

    class Step(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = own

        def forward(self, tokens: Any, state: Any) -> Any:
            found = self.model(tokens, past_key_values=state, use_cache=True)
            return found.logits, found.past_key_values

    with mt.emulate("H100", unknown="ignore"), torch.no_grad():
        log = mt.record_generation(Step(), PROMPT, 6, machine="H100")
        wanted = own.generate(PROMPT, max_new_tokens=6, do_sample=False, attention_mask=torch.ones_like(PROMPT))
    assert log.header["generation"]["tokens"] == wanted[:, 3:].tolist()
    found = mt.audit(log, model=Step(), attention="flash2")
    assert found.is_equal and not found.close and not found.unchecked
