"""A language model of antibodies as five machines compute it: AntiBERTy, 26 million parameters, in f16.

    pip install './python[torch]' && pip install --no-deps antiberty==0.1.3
    python python/examples/antiberty.py V100 A100 H100 'RTX 5090' MI300X

The package has the weights (Ruffolo, Gray and Sulam, arXiv:2112.07782; MIT); its own code, which needs more, is not run. A forward pass
is 3.2 thousand million products; the table says how many of the results any two machines do not agree on.
"""

from __future__ import annotations

import re
import sys

import torch
from machines import compared, package
from torch import nn
from torch.nn import functional

# The heavy chain of an antibody; every eighth residue from the 31st on is masked.
CHAIN = "EVQLVESGGGLVQPGGSLRLSCAASGFTFSSYAMSWVRQAPGKGLEWVSAISGSGGSTYYADSVKGRFTISRDNSKNTLYLQMNSLRAEDTAVYYCAKDGYSSGWYFDYWGQGTLVTVSS"
MASKED = range(30, 110, 8)
# From names of the weights to names here.
NAMES = {
    r"bert\.embeddings\.word_embeddings": "word",
    r"bert\.embeddings\.position_embeddings": "place",
    r"bert\.embeddings\.token_type_embeddings": "kind",
    r"bert\.embeddings\.LayerNorm": "norm",
    r"bert\.encoder\.layer": "blocks",
    r"attention\.self\.": "",
    r"attention\.output\.dense": "mix",
    r"attention\.output\.LayerNorm": "norm_mix",
    r"intermediate\.dense": "up",
    r"output\.dense": "down",
    r"output\.LayerNorm": "norm_out",
    r"cls\.predictions\.transform\.dense": "transform",
    r"cls\.predictions\.transform\.LayerNorm": "norm_transform",
    r"cls\.predictions\.decoder": "decoder",
    r"cls\.predictions\.bias": "decoder.bias",
}


def norm(width: int) -> nn.LayerNorm:
    return nn.LayerNorm(width, eps=1e-12)


class Block(nn.Module):
    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.mix = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm_mix, self.norm_out = norm(width), norm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        heads = [layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.query, self.key, self.value)]
        mixed = functional.scaled_dot_product_attention(*heads).transpose(1, 2).flatten(2)
        x = self.norm_mix(x + self.mix(mixed))
        return self.norm_out(x + self.down(functional.gelu(self.up(x))))


class AntiBerty(nn.Module):
    def __init__(self, width: int = 512, blocks: int = 8, words: int = 25) -> None:
        super().__init__()
        self.word, self.place, self.kind = (nn.Embedding(size, width) for size in (words, 512, 2))
        self.norm, self.norm_transform = norm(width), norm(width)
        self.blocks = nn.ModuleList(Block(width, 8, 4 * width) for _ in range(blocks))
        self.transform, self.decoder = nn.Linear(width, width), nn.Linear(width, words)

    def forward(self, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Hidden values, and logits of each residue."""
        x = self.norm(self.word(words) + self.place(torch.arange(words.shape[1])) + self.kind(torch.zeros_like(words)))
        for block in self.blocks:
            x = block(x)
        return x, self.decoder(self.norm_transform(functional.gelu(self.transform(x))))


def loaded() -> tuple[AntiBerty, list[str]]:
    """The model, and its words."""
    folder = package("antiberty", "0.1.3") / "trained_models"
    weights = torch.load(folder / "AntiBERTy_md_smooth" / "pytorch_model.bin", map_location="cpu", weights_only=True)
    own = {}
    for name, values in weights.items():
        for theirs, ours in NAMES.items():
            name = re.sub(f"{theirs}(?=\\.|$)" if ours else theirs, ours, name)
        own[name] = values
    model = AntiBerty()
    missing = model.load_state_dict(own, strict=False).missing_keys
    assert not missing, missing
    return model.eval(), (folder / "vocab.txt").read_text().split()


def masked(words: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """The chain with masked residues, and those residues."""
    places = torch.tensor(MASKED) + 1
    ids = torch.tensor([[words.index(word) for word in ("[CLS]", *CHAIN, "[SEP]")]])
    wanted = ids[0, places]
    ids[0, places] = words.index("[MASK]")
    return ids, wanted


def main() -> None:
    model, words = loaded()
    ids, wanted = masked(words)
    _, logits = compared(model, ids, sys.argv[1:] or ["V100", "A100", "H100"])
    right = int((logits[0, torch.tensor(MASKED) + 1].argmax(-1) == wanted).sum())
    print(f"\nof {len(wanted)} masked residues f64 finds {right}")


if __name__ == "__main__":
    main()
