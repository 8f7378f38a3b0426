//! The arguments of `gen`.

use super::destination::FileFormat;
use crate::cli::frame::{DomainArgs, SearchArgs};
use crate::cli::shards::ShardArgs;
use clap::ValueEnum;
use mmasmt_questions::inputs::Kind;
use std::path::PathBuf;

/// Generate vectors: inputs of a kind, with the results of models
///
/// The same seed draws the same inputs, whatever the model. Operands that --where does not fix are
/// drawn until they are in the domain. Any number of vectors takes constant memory. Ctrl-C ends the
/// command early, and the vectors written by then are valid. If a file cannot be written to its
/// end, the command removes it.
///
/// A file of lines (`c a0,a1,… b0,b1,… d`, hexadecimal bits) has the results of the first model. If
/// FILE contains `{}`, each model gets a file of its own, in whose name `{}` becomes 1, 2, …. JSON
/// Lines and .npz have the results of all models; d is a row.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt gen fda:F=25,K=16 --kind close --count 1000 --out close.txt\n  mmasmt gen fda:F=24 fda:F=25 --kind discriminating --count 20 --format jsonl\n  mmasmt gen hopper/HMMA.16816.F32 --kind finite --where 'c = 0, a exp -2..2' --count 1000000 --out vectors.npz\n  mmasmt gen fda:F=24 fda:F=25 --kind edge --out 'edge-{}.txt.gz'\n\nKinds:\n  random          any bits, infinities and NaNs included\n  finite          any finite numbers\n  close           terms of about the same magnitude: alignment and rounding matter\n  cancel          terms that cancel each other but for their last places\n  edge            zeros, least and greatest subnormal and normal numbers, infinities, NaNs, ties\n  discriminating  inputs on which the models differ: samples first, then the solver\n  feature         samples of one feature each: few products and simple numbers\n  tosa            TOSA's test of dot products, sets 0 to 5 in turn; its bound is `prove error=tosa`\n  codes           every code of elements and scales of at most 8 bits, in turn\n\nExit status: 0 all vectors were written, 1 there are no more on which the models differ (proved), 2 the request was wrong, 3 ended early."
)]
pub struct Args {
    /// The models; `--kind discriminating` takes two or more
    #[arg(required = true, value_name = "MODEL")]
    pub(super) models: Vec<String>,
    /// The kind of inputs, one of those below
    #[arg(
        long,
        value_enum,
        default_value = "random",
        hide_possible_values = true
    )]
    pub(super) kind: KindName,
    /// How many vectors to write
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) count: u64,
    #[command(flatten)]
    pub(super) domain: DomainArgs,
    /// The file to write, instead of standard output; lines and jsonl are compressed if its name
    /// ends in .gz
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// The file format; without this the one that FILE ends in (.jsonl, .npz), or else lines
    #[arg(long, value_enum)]
    pub(super) format: Option<FileFormat>,
    /// Write lines without results, as a machine reads them
    #[arg(long)]
    pub(super) inputs_only: bool,
    /// For a sparse instruction: write all of b, and for each group the code of its metadata that
    /// selects from it
    #[arg(long)]
    pub(super) metadata: bool,
    #[command(flatten)]
    pub(super) search: SearchArgs,
    #[command(flatten)]
    pub(super) shards: ShardArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KindName {
    Random,
    Finite,
    Close,
    Cancel,
    Edge,
    Discriminating,
    Feature,
    Tosa,
    Codes,
}

impl KindName {
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The kind of inputs to draw; `None` for discriminating inputs, which have to be searched for.
    pub fn drawn(self) -> Option<Kind> {
        match self {
            KindName::Random => Some(Kind::Random),
            KindName::Finite => Some(Kind::Finite),
            KindName::Close => Some(Kind::Close),
            KindName::Cancel => Some(Kind::Cancel),
            KindName::Edge => Some(Kind::Edge),
            KindName::Feature => Some(Kind::Feature),
            KindName::Tosa => Some(Kind::Tosa),
            KindName::Codes => Some(Kind::Codes),
            KindName::Discriminating => None,
        }
    }
}
