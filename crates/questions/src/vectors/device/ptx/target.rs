//! Targets: the compute capabilities of each table, and their names in PTX.

use super::shape::{PtxUnit, TileShape};
use mmasmt_numbers::float::Format;
use std::fmt;
use std::str::FromStr;

/// A compute capability, such as 9.0 of H100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capability {
    /// The number before the dot.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
}

/// The compute capabilities of each architecture, and the PTX ISA version that each capability
/// needs. The first capability of an architecture is the default for kernels made without a device.
const KNOWN: [(&str, Capability, Isa); 12] = [
    ("volta", of(7, 0), (6, 4)),
    ("volta", of(7, 2), (6, 4)),
    ("turing", of(7, 5), (6, 4)),
    ("ampere", of(8, 0), (7, 0)),
    ("ampere", of(8, 6), (7, 1)),
    ("ampere", of(8, 7), (7, 4)),
    ("ada", of(8, 9), (7, 8)),
    ("hopper", of(9, 0), (8, 0)),
    ("blackwell", of(10, 0), (8, 6)),
    ("blackwell", of(10, 3), (8, 8)),
    ("rtx-blackwell", of(12, 0), (8, 7)),
    ("rtx-blackwell", of(12, 1), (8, 8)),
];

type Isa = (u32, u32);

const fn of(major: u32, minor: u32) -> Capability {
    Capability { major, minor }
}

impl Capability {
    /// The default capability for kernels of an architecture.
    pub fn of_architecture(architecture: &str) -> Option<Capability> {
        let known = KNOWN.iter().find(|(name, ..)| *name == architecture);
        known.map(|(_, capability, _)| *capability)
    }

    /// The architecture whose table is for this capability.
    pub fn architecture(self) -> Option<&'static str> {
        let known = KNOWN.iter().find(|(_, capability, _)| *capability == self);
        known.map(|(name, ..)| *name)
    }

    /// Every capability with a table.
    pub fn known() -> impl Iterator<Item = Capability> {
        KNOWN.iter().map(|(_, capability, _)| *capability)
    }

    /// The name of the target in PTX, such as `sm_80`. From Hopper on, it ends with `a`, as in
    /// `sm_90a`: this target includes the features that only this architecture has.
    pub fn target(self) -> String {
        let own = if self.major >= 9 { "a" } else { "" };
        format!("sm_{}{}{own}", self.major, self.minor)
    }

    /// The oldest version of the PTX ISA that has both target and instruction, so that old drivers
    /// accept the program.
    pub(super) fn isa(self, shape: &TileShape) -> String {
        let target = KNOWN.iter().find(|(_, capability, _)| *capability == self);
        let (major, minor) = target.map_or((8, 8), |(.., isa)| *isa).max(isa_of(shape));
        format!("{major}.{minor}")
    }
}

/// The version of the PTX ISA that introduced an instruction.
fn isa_of(shape: &TileShape) -> Isa {
    let a = shape.signature.a;
    let scales = shape.signature.scales;
    let scales = scales.map(|scales| (scales.format, scales.block));
    match shape.unit {
        // The opcode is `mma.sp::ordered_metadata`.
        PtxUnit::Mma if shape.sparsity.is_some() => (8, 5),
        PtxUnit::Mma if shape.bits == Some("and") => (7, 1),
        PtxUnit::Mma if shape.bits.is_some() => (7, 0),
        PtxUnit::Mma if shape.signature.is_integer() && shape.rows == 16 => (7, 0),
        PtxUnit::Mma if shape.signature.is_integer() => (6, 5),
        // Instructions with four scales of ue8m0 came later.
        PtxUnit::Mma if scales == Some((Format::UE8M0, 16)) => (9, 1),
        PtxUnit::Mma if a == Format::F64 && shape.rows == 16 => (7, 8),
        PtxUnit::Mma if a.width() > 8 && shape.rows == 8 => (6, 4),
        PtxUnit::Mma if a.width() > 8 => (6, 5),
        PtxUnit::Mma if shape.depth == 16 || shape.signature.d == Format::F16 => (8, 7),
        PtxUnit::Mma if shape.is_narrow() => (8, 7),
        PtxUnit::Mma => (8, 4),
        PtxUnit::Wmma => (7, 0),
        PtxUnit::Wgmma if a.is_integer() && a != shape.signature.b => (8, 4),
        PtxUnit::Wgmma => (8, 0),
        // The instruction has four scales and is of `kind::mxf4nvf4`.
        PtxUnit::Tcgen05 if scales.is_some_and(|(_, block)| block == 16) => (8, 7),
        PtxUnit::Tcgen05 => (8, 6),
    }
}

/// Written as `9.0`.
impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('.')
            .and_then(|(major, minor)| Some(of(major.parse().ok()?, minor.parse().ok()?)));
        let known = numbers.filter(|capability| Capability::known().any(|one| one == *capability));
        known.ok_or_else(|| {
            let all: Vec<_> = Capability::known().map(|one| one.to_string()).collect();
            format!("expected a compute capability: one of {}", all.join(", "))
        })
    }
}
