"""Asks XLA by way of JAX: `dot_general` by each algorithm for f32. XLA chooses a kernel by timing it, so that a run may differ
from another.

    XLA_PYTHON_CLIENT_PREALLOCATE=false python3 kernels/libraries/ask_xla.py FOLDER
"""

import jax
import jax.numpy as jnp
import numpy as np
import torch
from products import folder, record


def main(folder):
    for name in ("BF16_BF16_F32_X3", "BF16_BF16_F32_X6", "BF16_BF16_F32_X9", "TF32_TF32_F32_X3", "TF32_TF32_F32"):
        algorithm = getattr(jax.lax.DotAlgorithmPreset, name)
        dot = jax.jit(
            lambda a, b, algorithm=algorithm: jax.lax.dot_general(
                a, b, (((1,), (1,)), ((), ())), precision=algorithm, preferred_element_type=jnp.float32
            )
        )

        def product(a, b, dot=dot):
            return torch.from_numpy(np.array(dot(jnp.asarray(a.cpu().numpy()), jnp.asarray(b.cpu().numpy()))))

        for shape in ((64, 64, 32), (64, 64, 256), (512, 512, 128)):
            record(folder, name, product, ("f32", "f32"), shape, 4096)


main(folder())
