//! The texts of the tables that are part of the program.

/// The tables of machines, those of one vendor together, oldest first.
pub(super) const TABLES: &[&str] = &[
    include_str!("../../../../models/volta.toml"),
    include_str!("../../../../models/turing.toml"),
    include_str!("../../../../models/ampere.toml"),
    include_str!("../../../../models/ada.toml"),
    include_str!("../../../../models/hopper.toml"),
    include_str!("../../../../models/blackwell.toml"),
    include_str!("../../../../models/rtx-blackwell.toml"),
    include_str!("../../../../models/cdna1.toml"),
    include_str!("../../../../models/cdna2.toml"),
    include_str!("../../../../models/cdna3.toml"),
    include_str!("../../../../models/rdna3.toml"),
    include_str!("../../../../models/rdna4.toml"),
    include_str!("../../../../models/gaudi2.toml"),
    include_str!("../../../../models/gaudi3.toml"),
    include_str!("../../../../models/x86.toml"),
    include_str!("../../../../models/arm.toml"),
    include_str!("../../../../models/power.toml"),
    include_str!("../../../../models/riscv.toml"),
];

/// The tables of libraries.
pub(super) const LIBRARIES: &[&str] = &[include_str!("../../../../models/cublas.toml")];

/// The tables of machines whose rows are descriptions, and of processors whose instructions are single
/// operations of IEEE 754.
pub(super) const DESCRIBED: &[&str] = &[
    include_str!("../../../../models/wormhole.toml"),
    include_str!("../../../../models/blackhole.toml"),
    include_str!("../../../../models/apple-amx.toml"),
    include_str!("../../../../models/amx-fp8.toml"),
    include_str!("../../../../models/riscv-ime.toml"),
    include_str!("../../../../models/cvfpu.toml"),
    include_str!("../../../../models/psp.toml"),
    include_str!("../../../../models/tpu.toml"),
    include_str!("../../../../models/xdna2.toml"),
];

/// Tables of conversions: instructions, and casts of libraries.
pub(super) const CONVERSIONS: &[&str] = &[
    include_str!("../../../../models/conversions/ptx.toml"),
    include_str!("../../../../models/conversions/cuda.toml"),
    include_str!("../../../../models/conversions/gfx942.toml"),
    include_str!("../../../../models/conversions/gfx950.toml"),
    include_str!("../../../../models/conversions/x86.toml"),
    include_str!("../../../../models/conversions/arm.toml"),
    include_str!("../../../../models/conversions/riscv.toml"),
    include_str!("../../../../models/conversions/pytorch.toml"),
    include_str!("../../../../models/conversions/ml-dtypes.toml"),
];

/// Machines for which only the names and formats of instructions are known.
pub(super) const UNMODELLED: &[&str] = &[
    include_str!("../../../../models/blackwell-ultra.toml"),
    include_str!("../../../../models/cdna4.toml"),
    include_str!("../../../../models/gfx1250.toml"),
];
