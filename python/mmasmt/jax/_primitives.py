"""What the primitives of JAX have inside: products that are emulated, functions that are walked, or nothing that multiplies matrices.

A primitive that stands nowhere here is refused.
"""

from __future__ import annotations

_OUTSIDE = "compute it outside of the function, or leave it native with only="
_FACTORISATION = f"a factorisation or a solver, whose order of operations on a GPU nobody recorded; {_OUTSIDE}"
_LIBRARY = f"a kernel of cuDNN or of another library, whose order of operations is not known; {_OUTSIDE}"
_GROUPED = f"a product whose groups or scales a kernel of its own multiplies, whose order of k is not known; {_OUTSIDE}"
_OPAQUE = f"a function whose insides nothing here sees; {_OUTSIDE}"
_PALLAS = f"a kernel of Pallas, whose products go to other instructions than XLA's; {_OUTSIDE}"
_MOSAIC = f"part of a kernel for a GPU, which multiplies by the matrix unit of one architecture as its text says; {_OUTSIDE}"
DEVICES = "several devices, whose order of sums nobody recorded; emulate what one device computes, or put vmap inside of emulate"
_STATE = f"an array that changes in place; write the function without it, or {_OUTSIDE}"
_INTERNAL = f"part of JAX's own machinery, which functions do not show; {_OUTSIDE}"

_REFUSED = {
    _FACTORISATION: """
        cholesky cholesky_update eig eigh geqp3 geqrf hessenberg householder_product lu ormqr qr schur svd symmetric_product
        triangular_solve tridiagonal tridiagonal_solve
    """,
    _LIBRARY: """
        cudnn_fusion dot_product_attention_bwd dot_product_attention_bwd_wrapper dot_product_attention_fp8_bwd
        dot_product_attention_fp8_bwd_wrapper dot_product_attention_fp8_fwd dot_product_attention_fp8_fwd_wrapper
        dot_product_attention_fwd dot_product_attention_fwd_wrapper scaled_matmul scaled_matmul_wrapper
    """,
    _GROUPED: "ragged_dot_general scaled_dot",
    _OPAQUE: "buffer_callback call_exported custom_fusion ffi_call io_callback pure_callback tpu_custom_call",
    _PALLAS: """
        atomic_cas atomic_rmw barrier bitcast broadcast_to check core_map debug_barrier_p delay dma_start dma_wait
        elementwise_inline_asm_p einshape_lo emit_pipeline fusible get_barrier_semaphore get_global jaxpr_call load masked_cummax
        masked_cummin masked_cumsum masked_load masked_sort masked_swap matmul_acc_lhs matmul_pop matmul_push_rhs max_contiguous
        mpmd_map multiple_of num_programs pack pack_dtype pack_elementwise pallas_call parallel_loop pipeline_body prng_join prng_seed
        prng_split program_id roll run_scoped sc_fetch_and_add semaphore_read semaphore_signal semaphore_wait stage stochastic_round
        trace_value unpack unpack_dtype unpack_elementwise
    """,
    # Mosaic's kernels for GPUs: matrix units of Hopper and Blackwell, copies to and from them, barriers, and text of other languages.
    _MOSAIC: """
        _copysign async_copy_scales_to_tmem async_copy_smem_to_tmem async_copy_sparse_metadata_to_tmem async_load async_prefetch
        async_store_smem async_store_tmem barrier_arrive barrier_test barrier_wait commit_group commit_smem commit_tmem
        copy_gmem_to_smem copy_smem_to_gmem griddepcontrol_launch_dependents griddepcontrol_wait inline_mgpu_p layout_cast
        mgpu_atomic_store mosaic_gpu_p multimem_load_reduce multimem_store print_layout query_cluster_cancel
        semaphore_signal_multicast semaphore_signal_parallel set_max_registers_p tcgen05_commit_arrive tcgen05_mma
        try_cluster_cancel wait_load_tmem wait_smem_to_gmem wgmma wgmma_accumulator_deref_p wgmma_accumulator_store_p wgmma_ref
        wgmma_wait
    """,
    DEVICES: """
        all_gather all_gather_done all_gather_invariant all_gather_reduced all_gather_reduced_start all_gather_start
        all_reduce_ffs all_reduce_population_count all_to_all all_to_all_done all_to_all_start axis_index
        global_array_to_host_local_array host_local_array_to_global_array pbroadcast
        pbroadcast_done pbroadcast_start pmax pmin ppermute ppermute_done ppermute_start precv preduced psend psum psum_done
        psum_invariant psum_invariant_start psum_start pvary ragged_all_to_all reduce_scatter reduce_scatter_done
        reduce_scatter_start reduced_vary_cast_p shard_map unreduced_psum unreduced_psum_start unreduced_reduce_scatter
        unreduced_reduce_scatter_start vary_unreduced_cast_p
    """,
    _STATE: """
        accum_grad_in_ref addupdate box_get box_set empty2 empty_ref free_ref freeze get log_extend log_read new_box new_log new_ref
        pin run_state swap unpin
    """,
    _INTERNAL: """
        call_hi_primitive call_hi_primitive_linearized compute_on create_linear custom_jvp_call_jaxpr custom_lin dce_sink remat_opt
        remove_memory_space
    """,
}
REFUSED = {name: text for text, names in _REFUSED.items() for name in names.split()}

EMULATED = frozenset(("dot_general", "conv_general_dilated"))

# Functions inside, which are evaluated in the same way.
WALKED = frozenset(
    """
    call checkpoint closed_call composite cond custom_jvp_call custom_linear_solve custom_partitioning custom_vjp_call
    custom_vmap_call eval_jaxpr jit linear_call pjit remat2 scan while
    """.split()
)

# No product of matrices: elementwise operations, sums, copies, sorting, random bits. Where one has a function inside, that function is
# looked at.
HARMLESS = frozenset(
    """
    abs acos acosh add add_any add_dependency after_all and approx_top_k argmax argmin asin asinh atan atan2 atanh bessel_i0e
    bessel_i1e bitcast_convert_type broadcast_in_dim cbrt ceil clamp clz complex concatenate conj convert_element_type copy cos cosh
    create_token cumlogsumexp cummax cummin cumprod cumsum debug_callback debug_print device_put digamma dim_as_value dimension_size div
    dynamic_slice dynamic_update_slice empty eq eq_to erf erf_inv erfc exp exp2 expm1 fft floor from_edtype gather ge gt igamma
    igamma_grad_a igammac imag inspect_sharding integer_pow iota iota_2x32_shape is_finite layout_constraint le le_to lgamma log
    log1p logistic lt lt_to lu_pivots_to_permutation max min mul mulhi name ne neg nextafter not optimization_barrier or pad
    philox2x32 philox4x32 platform_index polygamma population_count pow prng_random_bits random_bits random_clone random_fold_in
    random_gamma random_seed random_split random_unwrap random_wrap real reciprocal reduce reduce_and reduce_max reduce_min reduce_or
    reduce_precision reduce_prod reduce_sum reduce_window reduce_window_max reduce_window_min reduce_window_sum reduce_xor
    regularized_incomplete_beta rem reshape reshard rev rng_bit_generator rng_uniform round rsqrt scatter scatter-add scatter-max
    scatter-min scatter-mul scatter-sub scatter_add scatter_max scatter_min scatter_mul scatter_sub select_and_gather_add
    select_and_scatter select_and_scatter_add select_n shape_assertion shard_alike sharding_constraint shift_left
    shift_right_arithmetic shift_right_logical sign sin sinh slice sort split sqrt square squeeze stack stop_gradient sub tan tanh
    threefry2x32 threefry4x32 tie tile to_edtype top_k transpose unique unreachable unstack with_memory_space_constraint
    xla_metadata_value xor zeros_like zeta
    """.split()
)


def refusal(name: str) -> str:
    """Why a primitive is refused, in words that go behind its name."""
    return REFUSED.get(name, f"no primitive that is known here, so that nobody looked for products inside; {_OUTSIDE}")
