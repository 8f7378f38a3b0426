"""Every operator of aten has a class: emulated, refused, taken apart, or without products, as PyTorch's database shows or somebody looked.

A new version of PyTorch has new operators; those that neither the database reaches nor a line here names fail this test until they are
looked at.
"""

from __future__ import annotations

import itertools
import re
import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install './python[torch]'")
database = pytest.importorskip(
    "torch.testing._internal.common_methods_invocations", reason="PyTorch's database needs setuptools and expecttest"
)

import mmasmt.torch as mt
from mmasmt.torch._net import kernels
from mmasmt.torch._operators import Kind, operator_of
from mmasmt.torch._refused import REFUSED, says_product
from torch.utils._python_dispatch import TorchDispatchMode

# Operators that the database does not reach and that multiply no matrices, by what they do. Underscores at the end are cut off.
LOOKED_AT = {
    "element by element": """
        _add_relu|_?foreach_\\w+|_fused_(adagrad|adam|adamw|sgd)|_masked_scale|_amp_\\w+|__[il]?i?(and|or|xor|lshift|rshift)_?|glu_\\w+|gelu
        |_(fake_quantize|cast|autocast)\\w*|fake_quantize\\w+|_saturate_weight_to_fp16|(random|cauchy|exponential|geometric|log_normal)
        |_test_\\w+|_foobar|infinitely_differentiable_gelu_backward|rrelu\\w*|fused_moving\\w+|_fused_moving\\w+|_transform_bias_rescale_qkv
        |special_\\w+|arc\\w+|(less|greater|not_equal|negative|multiply|subtract|true_divide|divide|fix|clip|absolute)\\w*|native_norm
        |(uniform|normal|poisson|binomial|native_dropout)\\w*|_fused_dropout|(alpha_|feature_)?\\w*dropout|_philox\\w+|_dirichlet_grad
        |_s(ample|tandard)_\\w+|hard\\w+|selu|relu6|square|float_power|zero|copy|fill_\\w+|_fill_\\w+|_spdiags|_conj\\w*|_neg_view\\w*
    """,
    "sums, norms and extrema along a dimension": """
        _aminmax|_cumm\\w+|cumm\\w+|cumprod_backward|_logcumsumexp|_masked_softmax\\w*|softmax\\w*|trace_backward|frobenius_norm|nuclear_norm
        |norm_except_dim|_weight_norm\\w*|_rowwise_prune|linalg__powsum|value_selecting_reduction_backward|nll_loss\\w*|_?fused_rms_norm\\w*
        |\\w*batch_norm\\w*|\\w*pool[123]d\\w*|_sparse_(csr_)?(sum|prod|log_softmax|softmax)\\w*|_?choose_qparams\\w*|_is_a\\w+_true|_histogramdd\\w*
        |\\w*ctc_loss|_nested_(sum_backward|tensor_softmax\\w*)
    """,
    "places and shapes": """
        \\w*(pad|view|reshape|resize|transpose|permute|stride|size|offset|select|slice|split|stack|concat|unique|scatter|gather|index\\w*)\\w*
        |\\w*_copy|set|set_data|align_\\w+|re(fine_)?names?|lift\\w*|_lazy_clone|pin_memory
        |is_\\w+|_?(version|backward|unpack_dual|fw_primal|make_dual)|_has_\\w+|_is_zerotensor|nonzero_numpy|_?dim\\w*
        |_copy_from\\w*|copy_sparse\\w+|swap\\w+|moveaxis|adjoint|coalesce|_?coalesced?|contiguous|data|dim|numel|row_stack|type_as|masked_select\\w*
        |_add_batch_dim|_remove_batch_dim|(un)?flatten_dense\\w*|_debug\\w+|_propagate\\w+|sym_\\w+|_?(col|row|crow|ccol)?_?indices|_?values|_nnz
        |(dense|sparse)_dim|requires_grad|retains?_grad|output_nr|get_device|get_gradients|random|record_stream|_shape_as_tensor|native_channel\\w+
        |embedding\\w*|_embedding_bag_(dense|sparse)_backward|vander|ger|\\w*broadcast_to|shallow_copy\\w*|_nested\\w+|_jagged\\w+|conj
    """,
    "made from numbers, or from a format": """
        \\w*_window|fft_r?fftfreq|rand_like|range|randperm|from_file|_empty_\\w+|empty_quantized|_make_per_\\w+|_new_zeros\\w+|_?sobol\\w*|zeros?|_?sparse_\\w*tensor\\w*
        |_?to_\\w+|dequantize|int_repr|q_\\w+|qscheme|quantize_per\\w+|_convert_\\w+|promote_types|result_type|can_cast|_validate\\w+|_pin_memory
        |sparse_resize\\w*|_sparse_(mask|semi_structured_(apply|tile))\\w*|_cslt_compress|_dyn_quant_pack\\w+|_use_\\w+|\\w+_is_acceptable|_cufft\\w+
        |_cudnn_init\\w+|_nnpack_available|_fused_sdp_choice|_print|_?functional_\\w+|_assert\\w+|_make_dep_token|cudnn_\\w+|_unsafe\\w+
        |_reinterpret\\w*|_cudnn_rnn_flatten_weight|fbgemm_(pack|linear_quantize)\\w+|_wrapped_linear_prepack|mkldnn_reorder\\w+|_to_cpu
    """,
    "interpolation: weighted sums of neighbours": "_?upsample\\w+|_?grid_sampler\\w+",
    "inside of cells, between their products": "_thnn_\\w+",
    "made of others, whose products come to the mode": """
        _convolution_(double_backward|mode)|_scaled_dot_product_attention_math|chain_matmul|conv_tbc_backward|(gru|lstm|rnn_tanh|rnn_relu)(_cell)?
        |linalg_matmul|slow_conv3d|thnn_conv2d|affine_grid_generator_backward|det|inverse|slogdet|matrix_(exp_backward|power)
    """,
}
TYPES = (torch.float32, torch.int64, torch.bool, torch.complex64, torch.float8_e4m3fn)
KNOWN = re.compile("|".join(re.sub(r"\s", "", text) for text in LOOKED_AT.values()))


@pytest.fixture(scope="module")
def reached() -> set[str]:
    """Operators that a call of PyTorch's database comes to, forward and backward, whole and in parts."""
    names: set[str] = set()

    class Noted(TorchDispatchMode):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            names.add(operator_of(func).base.rstrip("_"))
            return func(*args, **(kwargs or {}))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for operator in database.op_db:
            kind = next((kind for kind in TYPES if operator.supports_dtype(kind, "cpu")), None)
            if kind is None:
                continue
            gradients = operator.supports_autograd and kind in operator.supported_backward_dtypes("cpu")
            for whole in (False, True):
                try:
                    for sample in itertools.islice(operator.sample_inputs("cpu", kind, requires_grad=gradients), 1):
                        with Noted(), torch.inference_mode(whole):
                            value = operator(sample.input, *sample.args, **sample.kwargs)
                            if gradients and not whole:
                                sample.output_process_fn_grad(value).sum().backward()
                except Exception:
                    continue
    return names


def test_every_operator_has_a_class(reached: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    unknown, kinds = set(), dict.fromkeys(Kind, 0)
    for func, _ in kernels("CPU", ("aten",)):
        operator = operator_of(func)
        kinds[operator.kind] += 1
        # In place or not.
        name = operator.name.rstrip("_")
        if operator.kind in (Kind.HARMLESS, Kind.COMPOSITE) and name not in reached and not KNOWN.fullmatch(name):
            unknown.add(operator.name)
    with capsys.disabled():
        print("\n" + ", ".join(f"{count} overloads {kind.name.lower()}" for kind, count in kinds.items()))
    assert not unknown, " ".join(sorted(unknown))


def test_no_name_of_a_product_is_looked_at_by_rule_alone() -> None:
    """A rule is wide: what is called like a product and has a kernel of its own is emulated, refused or taken apart."""
    for func, has_kernel in kernels("CPU", ("aten", "prims")):
        operator = operator_of(func)
        if has_kernel and operator.says_product:
            assert operator.kind is not Kind.HARMLESS, operator.name


def arguments(func: Any) -> tuple[list[Any], dict[str, Any]]:
    """Something of each type of an argument: no kernel is reached with it."""
    made: dict[str, Any] = {"Tensor": torch.zeros(2, 2), "int": 1, "float": 1.0, "bool": False, "str": "none", "number": 1, "ScalarType": 6}
    made |= {"SymInt": 1, "Scalar": 1, "Layout": torch.strided, "Device": torch.device("cpu")}

    def one(kind: Any) -> Any:
        text = str(kind)
        if text.startswith("Optional"):
            return None
        if text.startswith("List"):
            return [] if "Optional" in text else [one(kind.getElementType())] * 2
        return made[text]

    needed = [argument for argument in func._schema.arguments if not argument.kwarg_only or not argument.has_default_value()]
    return (
        [one(argument.type) for argument in needed if not argument.kwarg_only],
        {argument.name: one(argument.type) for argument in needed if argument.kwarg_only},
    )


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_every_refusal_fires(name: str) -> None:
    """A composite one is called under `inference_mode`, where it comes to the mode whole; those with products of their own always do."""
    packet = getattr(torch.ops.aten, name.removeprefix("aten::"), None)
    overloads = [] if packet is None else [getattr(packet, overload) for overload in packet.overloads()]
    for func in overloads:
        # An object of TorchScript holds weights, which nothing here makes.
        if any(argument.is_out or "__torch__" in str(argument.type) for argument in func._schema.arguments):
            continue
        args, kwargs = arguments(func)
        with (
            warnings.catch_warnings(), mt.emulate("H100", unknown="ignore") as run,
            torch.inference_mode(), pytest.raises(mt.Refused, match="is not emulated for H100"),
        ):  # fmt: skip
            warnings.simplefilter("ignore")
            func(*args, **kwargs)
        assert sum(run.refused.values()) == 1 and "REFUSED: 1 x" in run.report()


def test_a_name_that_nobody_knows_is_refused() -> None:
    assert says_product("aten::_new_fused_matmul") and says_product("aten::linalg_new") and not says_product("aten::convert")
    assert operator_of(torch.ops.prims.svd.default).kind is Kind.REFUSED
