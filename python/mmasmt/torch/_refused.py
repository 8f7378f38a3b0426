"""Operators with products of matrices inside that are not emulated, and what can be done instead of each."""

from __future__ import annotations

import re
from typing import Any

import torch

from ._product import NAMES

_ELSEWHERE = "compute it outside of the context, or leave it native with only="

_FACTORISATION = f"a factorisation or a solver, whose order of operations on a GPU nobody recorded; {_ELSEWHERE}"
_WHOLE = "a whole layer in one kernel, whose products nothing sees; call the layer of torch.nn"
_SPARSE = f"a product with sparse operands, whose plan is not known; make them dense, or {_ELSEWHERE}"
_PACKED = f"a product with packed or quantised weights, whose order of k is not known; unpack them, or {_ELSEWHERE}"
_KERNEL = "the kernel of one backend; call torch.nn.functional, whose products are emulated"

UNKNOWN = f"its name says that it multiplies matrices, and nothing here knows how; {_ELSEWHERE}"
NESTED = "expected dense tensors, found a nested one; take layout=torch.jagged, or one product for each part"
COMPILED = f"a compiled operator of a library, whose name says that it multiplies matrices; {_ELSEWHERE}"

_GROUPS = {
    _FACTORISATION: """
        _cholesky_solve_helper _linalg_det _linalg_eigh _linalg_eigvals _linalg_slogdet _linalg_solve_ex _linalg_svd _spsolve
        cholesky cholesky_inverse cholesky_solve geqrf linalg_cholesky_ex linalg_eig linalg_eigvals linalg_householder_product
        linalg_inv_ex linalg_ldl_factor_ex linalg_ldl_solve linalg_lstsq linalg_lu linalg_lu_factor_ex linalg_lu_solve linalg_qr
        linalg_solve_triangular lu_solve ormqr orgqr qr svd triangular_solve
    """,
    _WHOLE: """
        _cudnn_rnn _cudnn_rnn_backward _lstm_mps lstm_mps_backward miopen_rnn miopen_rnn_backward mkldnn_rnn_layer
        mkldnn_rnn_layer_backward _native_multi_head_attention _transformer_encoder_layer_fwd _triton_multi_head_attention
        _triton_scaled_dot_attention
    """,
    _SPARSE: """
        _cslt_sparse_mm _cslt_sparse_mm_search _sparse_addmm _sparse_mm_reduce_impl _sparse_mm_reduce_impl_backward
        _sparse_semi_structured_addmm _sparse_semi_structured_linear _sparse_semi_structured_mm _sparse_sparse_matmul hspmm
        sparse_sampled_addmm sspaddmm _sparse_mm smm
    """,
    _PACKED: """
        _dyn_quant_matmul_4bit _mixed_dtypes_linear _weight_int4pack_mm _weight_int4pack_mm_for_cpu
        _weight_int4pack_mm_with_scales_and_zeros _weight_int8pack_mm quantized_gru quantized_lstm quantized_gru_cell
        quantized_lstm_cell quantized_rnn_relu_cell quantized_rnn_tanh_cell fbgemm_linear_fp16_weight
        fbgemm_linear_fp16_weight_fp32_activation fbgemm_linear_int8_weight fbgemm_linear_int8_weight_fp32_activation
        _wrapped_quantized_linear_prepacked
    """,
    _KERNEL: """
        _conv_depthwise2d _cudnn_attention_backward _cudnn_attention_forward _cudnn_attention_forward_no_dropout_inplace
        _efficient_attention_backward _efficient_attention_forward _flash_attention_backward _flash_attention_forward
        _flash_attention_forward_no_dropout_inplace _mps_convolution _mps_convolution_transpose _nnpack_spatial_convolution
        _scaled_dot_product_attention_math_for_mps _scaled_dot_product_cudnn_attention _scaled_dot_product_cudnn_attention_backward
        _scaled_dot_product_efficient_attention _scaled_dot_product_efficient_attention_backward
        _scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_backward
        _scaled_dot_product_fused_attention_overrideable _scaled_dot_product_fused_attention_overrideable_backward
        _slow_conv2d_backward _slow_conv2d_forward conv_depthwise3d cudnn_convolution cudnn_convolution_add_relu
        cudnn_convolution_relu cudnn_convolution_transpose miopen_convolution miopen_convolution_add_relu miopen_convolution_relu
        miopen_convolution_transpose miopen_depthwise_convolution mkldnn_convolution mkldnn_linear mkldnn_linear_backward
        mkldnn_linear_backward_input mkldnn_linear_backward_weights mps_convolution_backward mps_convolution_transpose_backward
        slow_conv3d_forward slow_conv_dilated2d slow_conv_dilated3d slow_conv_transpose2d slow_conv_transpose3d _scaled_addmm
    """,
}
REFUSED = {f"aten::{name}": text for text, names in _GROUPS.items() for name in names.split()}

# Operators whose own kernel calls products by way of PyTorch: it runs with the mode in force, and is thus taken apart as it is.
SPLIT = {
    f"aten::{name}"
    for name in """
        _cdist_forward _euclidean_dist _foreach_mm _thnn_fused_lstm_cell _trilinear affine_grid_generator conv_tbc linalg_matrix_exp linalg_matrix_sqrth
        linalg_pinv linalg_polar linear linear_backward matmul_backward
    """.split()
}

# Sums of weighted rows or matrices, in kernels of their own on every device: they are reductions of this processor, and are counted.
_WEIGHTED = "weighted sums in a kernel of its own, which no library makes by matrix units"
SUMS = {
    f"aten::{name}": _WEIGHTED
    for name in """
        _compute_linear_combination _embedding_bag _embedding_bag_forward_only _embedding_bag_per_sample_weights_backward
    """.split()
}

# What has such a word in its name and no product of matrices inside.
_HARMLESS = {
    f"aten::{name}"
    for name in """
        __upsample_bilinear _cdist_backward
        _cudnn_rnn_flatten_weight _linalg_check_errors _thnn_fused_gru_cell
        _thnn_fused_gru_cell_backward _thnn_fused_lstm_cell_backward_impl _upsample_bilinear2d_aa _upsample_bilinear2d_aa_backward
        linalg__powsum linalg_cross linalg_vector_norm mkldnn_reorder_conv2d_weight mkldnn_reorder_conv3d_weight upsample_bilinear2d
        upsample_bilinear2d_backward upsample_linear1d upsample_linear1d_backward upsample_trilinear3d
        upsample_trilinear3d_backward _thnn_fused_lstm_cell
    """.split()
}

_PRODUCTS = re.compile(
    r"(?:^|_)(?:\w*(?:add|bad|sp|hsp|s|b|int|scaled|pack)?b?mm|\w*mv|v?dot)(?:_|$)|gemm|matmul|conv(?!ert)|rnn|lstm|gru(?:_|$)|attention"
    r"|linear|cholesky|linalg|(?:^|_)(?:orm|org|ge)?qr|svd|lstsq|cdist|encoder_layer|einsum"
)


def is_exact(tensors: list[torch.Tensor]) -> bool:
    """Whether there are operands, all of them integers, whose products are the same on every machine."""
    return bool(tensors) and not any(x.dtype.is_floating_point or x.dtype.is_complex or x.is_quantized for x in tensors)


def says_product(name: str) -> bool:
    """Whether the name of an operator says that it multiplies matrices, and nothing here knows better."""
    return name not in _HARMLESS and _PRODUCTS.search(name.partition("::")[2]) is not None


def is_packed(func: Any) -> bool:
    """Whether an operator multiplies packed weights by itself, which the composite ones do above every mode."""
    return REFUSED.get(func._schema.name) == _PACKED


def refusal(tensors: list[torch.Tensor]) -> str | None:
    """Why operands of an operator that is emulated are refused, in words that go behind its name; None for those that are taken."""
    for x in tensors:
        if x.is_nested:
            return NESTED
        if x.dtype.is_complex:
            return f"expected real operands, found {x.dtype}; split them into real and imaginary parts"
        if x.device.type != "cpu":
            return f"expected tensors on the CPU, found one on {x.device}; move the model with .cpu()"
        if x.layout != torch.strided or x.is_quantized:
            found = "a quantised one" if x.is_quantized else f"one of layout {x.layout}"
            return f"expected dense tensors, found {found}; convert it"
    return None


def types_refusal(op: str, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor | None, out: torch.dtype) -> str | None:
    """Why operands are refused that PyTorch does not multiply on a GPU, or multiplies in another way."""
    fp8 = a.dtype.itemsize == b.dtype.itemsize == 1
    if not {a.dtype, b.dtype} <= set(NAMES) or fp8 != op.startswith("_scaled"):
        return f"expected f16, bf16, f32 or f64, found {a.dtype} and {b.dtype}; FP8 is for torch._scaled_mm"
    if not fp8 and a.dtype != b.dtype:
        return f"expected operands of one type, found {a.dtype} and {b.dtype}; convert one of them"
    if c is not None and c.dtype not in (a.dtype, out):
        return f"expected what is added in {a.dtype}, found {c.dtype}; convert it"
    if a.dtype == torch.float16 and torch.backends.cuda.matmul.allow_fp16_accumulation:
        return "sums in f16 are not known; set torch.backends.cuda.matmul.allow_fp16_accumulation = False"
    return None
