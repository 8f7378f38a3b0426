//! Kernels in PTX, generated for an instruction of the tables. Each block of threads reads one tile
//! of vectors from memory, runs the instruction once, and stores its result. The driver compiles a
//! kernel when it is loaded.

mod bank;
mod core_matrices;
mod kernel;
mod mma;
mod quad_pairs;
mod scale_factors;
mod shape;
mod target;
mod tcgen05;
mod wgmma;
mod wmma;

pub use target::Capability;

use super::DeviceError;
use super::tile::Tile;
use kernel::PtxKernel;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, Row, Translation};
use mmasmt_numbers::float::Format;
use shape::{PtxUnit, TileShape};

/// The kernel's name in every program; its parameters are the addresses of the input and of the
/// output.
pub const ENTRY: &str = "dot_add";

/// A PTX program around one matrix instruction, and the layout of vectors in its memory.
#[derive(Clone, Debug)]
pub struct PtxProgram {
    /// The instruction as the tables name it, such as `hopper/mma.m16n8k16.f32.f16.f16.f32`.
    pub instruction: String,
    /// The instruction's operands and result.
    pub signature: Signature,
    /// The target, such as `sm_90a`.
    pub target: String,
    /// The number of threads of a block, which computes one tile.
    pub threads: u32,
    /// The layout of the vectors of a block.
    pub tile: Tile,
    /// The text of the program.
    pub text: String,
}

impl PtxProgram {
    /// The program for a row of the tables on a device of this capability. `name` is the row's
    /// name; where the row leaves rows and columns open, `name` may give them as numbers.
    ///
    /// # Errors
    /// If there is no such instruction in PTX, or no kernel for it.
    pub fn new(row: &Row, name: &str, capability: Capability) -> Result<PtxProgram, DeviceError> {
        let instruction = row.full_name();
        let missing = |reason: &str| DeviceError::Missing {
            what: instruction.clone(),
            reason: reason.into(),
        };
        if row.compiled == Some(Translation::Absent) {
            return Err(missing(
                "the assembler has no such instruction, so nothing can run it",
            ));
        }
        let signature = Model::parse(&instruction)
            .map_err(|error| missing(&error.to_string()))?
            .signature();
        let shape = TileShape::read(name, signature, row.sparsity)
            .or_else(|| TileShape::read(&row.name, signature, row.sparsity))
            .ok_or_else(|| missing("expected an instruction of PTX; for AMD see kernels/hip"))?;
        let kernel = match shape.unit {
            PtxUnit::Mma if shape.depth == 4 && signature.a == Format::F16 => {
                quad_pairs::kernel(&shape)
            }
            PtxUnit::Mma => mma::kernel(&shape),
            PtxUnit::Wmma => wmma::kernel(&shape),
            PtxUnit::Wgmma => wgmma::kernel(&shape),
            PtxUnit::Tcgen05 => tcgen05::kernel(&shape),
        };
        let text = module(&instruction, &shape, capability, &kernel);
        Ok(PtxProgram {
            instruction,
            signature,
            target: capability.target(),
            threads: kernel.threads,
            tile: kernel.tile,
            text,
        })
    }
}

fn module(
    instruction: &str,
    shape: &TileShape,
    capability: Capability,
    kernel: &PtxKernel,
) -> String {
    let PtxKernel {
        threads,
        word,
        tile,
        shared,
        body,
    } = kernel;
    let (inputs, outputs) = (tile.input_bytes, tile.output_bytes);
    let (isa, target) = (capability.isa(shape), capability.target());
    let vectors = tile.vectors();
    format!(
        "// {instruction}: {vectors} vectors per block of {threads} threads\n\
         .version {isa}\n.target {target}\n.address_size 64\n\
         .visible .entry {ENTRY}(.param .u64 in, .param .u64 out)\n{{\n\
         {shared}.reg .u32 tid, block;\n.reg .u64 from, to;\n\
         ld.param.u64 from, [in];\nld.param.u64 to, [out];\n\
         cvta.to.global.u64 from, from;\ncvta.to.global.u64 to, to;\n\
         mov.u32 tid, %tid.x;\nmov.u32 block, %ctaid.x;\n\
         mad.wide.u32 from, block, {inputs}, from;\nmad.wide.u32 to, block, {outputs}, to;\n\
         mad.wide.u32 from, tid, {word}, from;\nmad.wide.u32 to, tid, {word}, to;\n\
         {body}ret;\n}}\n"
    )
}
