//! Models of units against references of their algorithms, and the kernels that run the units.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

#[path = "../common/mod.rs"]
mod common;

mod adapters;
mod algorithms;
mod arrays;
mod batch;
mod checked_inputs;
mod compositions;
mod conversions;
mod described_rows;
mod descriptions;
mod elements;
mod exact_alignment;
mod exact_sums;
mod exhaustive;
mod gemm_workers;
mod golden;
mod headers;
mod instances;
mod kernels;
mod keys;
mod links;
mod machines;
mod matrices;
mod messages;
mod multipliers;
mod names;
mod operand_rows;
mod ozaki;
mod packed;
mod plans;
mod programs;
mod quantisers;
mod recipes;
mod reference;
mod roundings;
mod sparsity;
mod step_values;
