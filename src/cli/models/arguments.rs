//! The arguments of `models`, and the rows that its options leave.

use super::spelled::{is_spelled, unknown_is_spelled};
use crate::cli::complete::models;
use crate::cli::error::Error;
use crate::cli::frame::TimeArgs;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::model::{
    AlgorithmDoc, Row, UnknownArithmetic, algorithms, compositions,
};

/// List instructions, their models and the evidence for them
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  mmasmt models\n  mmasmt models hopper --instruction wgmma\n  mmasmt models list UTCOMMA\n  mmasmt models show hopper/HMMA.16816.F32\n  mmasmt models show cdna3/v_mfma_f32_32x32x8_f16 --unit\n  mmasmt models --algorithms"
)]
pub(in crate::cli) struct Args {
    /// Only this architecture or product (hopper, H100, "RTX 4090"), or only rows with this text in
    /// one of their names: an instruction in PTX or machine code (UTCHMMA too), or a format (fp16,
    /// nvfp4)
    pub what: Vec<String>,
    /// Only rows whose instruction, in PTX or machine code, has this text in its name
    #[arg(long, value_name = "TEXT")]
    pub instruction: Option<String>,
    /// Only rows of this algorithm or composition
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,
    /// Only rows with evidence of this kind: recorded, reported, machine code, mma-sim, paper
    #[arg(long, value_name = "KIND")]
    pub evidence: Option<String>,
    /// Also list instructions of integers, sparse ones and emulated ones
    #[arg(long)]
    pub all: bool,
    /// List the algorithms and compositions with their keys, in place of instructions
    #[arg(long)]
    pub algorithms: bool,
    #[command(subcommand)]
    pub command: Option<ModelsCommand>,
}

#[derive(Debug, clap::Subcommand)]
pub(in crate::cli) enum ModelsCommand {
    /// List the rows of an architecture or product, or those with a text in any of their names
    List {
        /// hopper, H100, "RTX 4090"; or HMMA, UTCQMMA, fp16, nvfp4, m16n8k16
        what: Vec<String>,
        /// Also list instructions of integers, sparse ones and emulated ones
        #[arg(long)]
        all: bool,
    },
    /// Show all that is known of one row or specification
    Show {
        /// ARCH/INSTRUCTION or ALGORITHM:KEY=VALUE,...
        #[arg(add = ArgValueCompleter::new(models))]
        name: String,
        /// Print its description alone, as `unit:FILE` takes it
        #[arg(long)]
        unit: bool,
    },
    /// Show key by key where rows differ from one of their variants, and what silicon answered
    Variant(VariantArgs),
}

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.default_value("2m")),
    after_help = "Examples:\n  mmasmt models variant paper\n  mmasmt models variant mma-sim hopper"
)]
pub(in crate::cli) struct VariantArgs {
    /// The variant: paper, mma-sim, mma-sim-1
    pub variant: String,
    /// Only this architecture or product; all if it is not given
    pub machine: Option<String>,
    #[command(flatten)]
    pub time: TimeArgs,
}

/// The kinds of evidence, best first.
const KINDS: [&str; 9] = [
    "recorded",
    "reported",
    "machine code",
    "vendor",
    "documentation",
    "emulator",
    "mma-sim",
    "program",
    "paper",
];

impl Args {
    /// Whether options narrow the rows down.
    pub fn is_filtered(&self) -> bool {
        let Args {
            instruction,
            algorithm,
            evidence,
            ..
        } = self;
        instruction.is_some() || algorithm.is_some() || evidence.is_some()
    }

    /// Checks that the algorithm and the kind of evidence that are asked for exist.
    pub fn check(&self) -> Result<(), Error> {
        let known = |option: &str, found: &Option<String>, names: &[&str]| match found {
            Some(found) if !names.contains(&found.as_str()) => Err(Error::Usage(format!(
                "{option}: expected one of {}, found `{}`",
                names.join(", "),
                mmasmt_numbers::base::excerpt::excerpt(found)
            ))),
            _ => Ok(()),
        };
        let names: Vec<_> = documented().map(|doc| doc.name).collect();
        known("--algorithm", &self.algorithm, &names)?;
        known("--evidence", &self.evidence, &KINDS)
    }

    pub fn wants(&self, row: &Row) -> bool {
        let in_name = |text: &String| is_spelled(row, text);
        let algorithm = row.model.split([':', '(']).next();
        let is_kind = |kind: &String| row.evidence_kinds().any(|found| found == kind);
        self.instruction.as_ref().is_none_or(in_name)
            && (self.algorithm.is_none() || self.algorithm.as_deref() == algorithm)
            && self.evidence.as_ref().is_none_or(is_kind)
    }

    pub fn wants_unknown(&self, unknown: &UnknownArithmetic) -> bool {
        let in_name = |text: &String| unknown_is_spelled(unknown, text);
        let is_kind = |kind: &String| unknown.evidence.iter().any(|line| line.starts_with(kind));
        self.instruction.as_ref().is_none_or(in_name)
            && self.algorithm.is_none()
            && self.evidence.as_ref().is_none_or(is_kind)
    }
}

/// Every algorithm, then every composition.
pub(super) fn documented() -> impl Iterator<Item = &'static AlgorithmDoc> {
    algorithms().iter().chain(compositions())
}
