//! Shapes of PTX instructions, parsed from their names.

use mmasmt_core::machines::algorithms::{Signature, Sparsity};
use mmasmt_numbers::float::Format;

/// The families of matrix instructions of PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PtxUnit {
    /// `mma.sync`: a warp, operands in registers.
    Mma,
    /// `wmma.mma`: a warp, operands in registers of unknown layout that are loaded from matrices.
    Wmma,
    /// `wgmma.mma_async`: a warpgroup, operands in shared memory.
    Wgmma,
    /// `tcgen05.mma`: operands in shared memory, accumulator in tensor memory.
    Tcgen05,
}

/// An instruction: family, shape, types, and modifiers.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileShape {
    pub unit: PtxUnit,
    pub rows: u32,
    pub columns: u32,
    /// The number of elements of a row of A; if A is compressed, only the elements that it keeps.
    pub depth: u32,
    pub signature: Signature,
    /// The compression of A, if any.
    pub sparsity: Option<Sparsity>,
    /// Whether integer sums are clamped.
    pub saturates: bool,
    /// The bit operation, `xor` or `and`; `None` for products.
    pub bits: Option<&'static str>,
}

/// The codes of eight groups, each of which is [`FIRST`](mmasmt_core::machines::algorithms::FIRST).
pub(super) const METADATA: u32 = 0x4444_4444;

/// The number of rows of an instruction whose name leaves this number open.
const ROWS: u32 = 128;
/// The number of columns of an instruction whose name leaves this number open.
const COLUMNS: u32 = 8;

impl TileShape {
    /// Parses a name as the tables spell it: `mma.m16n8k16.f32.f16.f16.f32`, `wgmma.m64nNk16.…`.
    /// If the name leaves the number of rows open, it becomes 128; an open number of columns
    /// becomes 8.
    pub fn read(name: &str, signature: Signature, sparsity: Option<Sparsity>) -> Option<TileShape> {
        let unit = match name.split('.').next()? {
            "mma" => PtxUnit::Mma,
            "wmma" => PtxUnit::Wmma,
            "wgmma" => PtxUnit::Wgmma,
            "tcgen05" => PtxUnit::Tcgen05,
            _ => return None,
        };
        let (rows, columns) = name.split('.').find_map(sides)?;
        Some(TileShape {
            unit,
            rows,
            columns,
            depth: signature.products,
            signature,
            sparsity,
            saturates: name.split('.').any(|part| part == "satfinite"),
            bits: ["xor", "and"]
                .into_iter()
                .find(|bits| name.split('.').any(|part| part == *bits)),
        })
    }

    /// The shape in PTX, such as `m16n8k16`.
    pub fn text(&self) -> String {
        format!("m{}n{}k{}", self.rows, self.columns, self.depth_of_b())
    }

    /// The number of elements of a column of B; with a compressed A, twice the number that a row of
    /// A keeps.
    pub fn depth_of_b(&self) -> u32 {
        self.sparsity.map_or(1, |_| 2) * self.depth
    }

    /// The index, in a row of A, of the element that element `k` of a column of B is multiplied by;
    /// `None` if A has no such element. A compressed A keeps the first half of every group, as
    /// [`METADATA`] says, so `k` must be in the first half of its group.
    pub fn met_by(&self, k: u32) -> Option<u32> {
        let Some(sparsity) = self.sparsity else {
            return Some(k);
        };
        let kept = sparsity.kept() as u32;
        let (group, within) = (k / (2 * kept), k % (2 * kept));
        (within < kept).then_some(group * kept + within)
    }

    /// The types of D, A, B and C in PTX, such as `f32.f16.f16.f32`.
    pub fn types(&self) -> String {
        let Signature { d, a, b, c, .. } = self.signature;
        format!("{d}.{a}.{b}.{c}")
    }

    /// `.satfinite`, if integer sums are clamped.
    pub fn clamp(&self) -> &'static str {
        if self.saturates { ".satfinite" } else { "" }
    }

    /// The modifier for a bit operation, such as `.xor.popc`; empty for factors that are
    /// multiplied.
    pub fn bit_operation(&self) -> String {
        self.bits
            .map_or_else(String::new, |bits| format!(".{bits}.popc"))
    }

    /// The modifiers for block scales, such as `.kind::mxf4.block_scale.scale_vec::2X`; `None`
    /// without block scales.
    pub fn block_scale(&self) -> Option<String> {
        let scales = self.signature.scales?;
        let blocks = self.signature.scale_count();
        let kind = match (self.depth, blocks) {
            (32, _) => "mxf8f6f4",
            (_, 2) if scales.format == Format::UE8M0 => "mxf4",
            _ => "mxf4nvf4",
        };
        Some(format!(".kind::{kind}.block_scale.scale_vec::{blocks}X"))
    }

    /// Whether A or B has a format of fewer than 8 bits.
    pub fn is_narrow(&self) -> bool {
        self.signature.a.width() < 8 || self.signature.b.width() < 8
    }
}

/// Parses the numbers of rows and columns in `m16n8k16`, `m64nNk16`, `mMnNk8`.
fn sides(part: &str) -> Option<(u32, u32)> {
    let (rows, rest) = part.strip_prefix('m')?.split_once('n')?;
    let (columns, depth) = rest.split_once('k')?;
    depth.parse::<u32>().ok()?;
    let side = |text: &str, open: &str, value| {
        if text == open {
            Some(value)
        } else {
            text.parse().ok()
        }
    };
    Some((side(rows, "M", ROWS)?, side(columns, "N", COLUMNS)?))
}
