//! `gen`: vectors with the results of models.

mod destination;
mod report;

use super::Status;
use super::output::PROGRAM;
use super::patience::{seconds, until_ctrl_c};
use crate::engine::{Limits, Stopped};
use crate::error::Error;
use crate::identify::{Discriminate, Pairs, Told, discriminate};
use crate::model::Model;
use crate::property::Domain;
use crate::query::common_signature;
use crate::vectors::write::{Origin, VectorWriter};
use crate::vectors::{Draw, Inputs, Kind};
use destination::{Destination, FileFormat};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Generate vectors: inputs of a kind, with the results of models
///
/// The same seed draws the same inputs, whatever the model. Operands that --assume does not fix are
/// drawn until they are in the domain. Any number of vectors takes constant memory; Ctrl-C ends
/// early, and what has been written by then is valid; a file that cannot be written to its end is not
/// left behind.
///
/// As lines (`c a0,a1,… b0,b1,… d`, hexadecimal bits) a file has the results of one model: of the
/// first, or of each its own where FILE contains `{}`, which becomes 1, 2, …. JSON Lines and .npz
/// have the results of all models: d is a row.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt gen fda:F=25,K=16 --kind close --count 1000 --out close.txt\n  mmasmt gen fda:F=24 fda:F=25 --kind discriminating --count 20 --format jsonl\n  mmasmt gen hopper/HMMA.16816.F32 --kind finite --assume 'c = 0, a exp -2..2' --count 1000000 --out vectors.npz\n  mmasmt gen fda:F=24 fda:F=25 --kind edge --out 'edge-{}.txt.gz'\n\nKinds:\n  random          any bits, infinities and NaNs included\n  finite          any finite numbers\n  close           terms of about the same magnitude: alignment and rounding matter\n  cancel          terms that cancel each other but for their last places\n  edge            zeros, least and greatest subnormal and normal numbers, infinities, NaNs, ties\n  discriminating  inputs on which the models differ: samples first, then the solver\n  feature         telling samples: few products and simple numbers\n\nExit status: 0 all vectors were written, 1 there are no more on which the models differ (proved), 2 the request was wrong, 3 ended early."
)]
pub(super) struct Args {
    /// The models; discriminating takes two or more
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<String>,
    /// Which inputs
    #[arg(
        long,
        value_enum,
        default_value = "random",
        hide_possible_values = true
    )]
    kind: KindName,
    /// How many vectors
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: u64,
    /// What the inputs are drawn from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What is assumed of the operands, as for `prove`; of discriminating inputs `finite` if not given
    #[arg(long, value_name = "DOMAIN")]
    assume: Option<String>,
    /// The file format; if not given the one that FILE ends in (.jsonl, .npz), or else lines
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// Where to, instead of standard output; lines and jsonl are compressed where it ends in .gz
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Seconds to look for discriminating inputs
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum KindName {
    Random,
    Finite,
    Close,
    Cancel,
    Edge,
    Discriminating,
    Feature,
}

impl KindName {
    fn name(self) -> &'static str {
        match self {
            KindName::Random => "random",
            KindName::Finite => "finite",
            KindName::Close => "close",
            KindName::Cancel => "cancel",
            KindName::Edge => "edge",
            KindName::Discriminating => "discriminating",
            KindName::Feature => "feature",
        }
    }

    /// The kind of inputs to draw; none if they have to be found.
    fn drawn(self) -> Option<Kind> {
        match self {
            KindName::Random => Some(Kind::Random),
            KindName::Finite => Some(Kind::Finite),
            KindName::Close => Some(Kind::Close),
            KindName::Cancel => Some(Kind::Cancel),
            KindName::Edge => Some(Kind::Edge),
            KindName::Feature => Some(Kind::Feature),
            KindName::Discriminating => None,
        }
    }
}

/// What was written.
struct Written {
    count: u64,
    /// Why there are fewer than were asked for, unless it is proved that there are no more.
    stopped: Option<Stopped>,
    /// What is known of every two models; nothing of inputs that were only drawn.
    pairs: Pairs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let destination = Destination::of(args.out.as_deref(), args.format, json)?;
    let models = args.models.iter().map(|text| Model::parse(text));
    let models: Vec<Model> = models.collect::<Result<_, _>>()?;
    if args.kind.drawn().is_none() && models.len() < 2 {
        return Err(Error::Usage(
            "--kind discriminating: expected two models or more, found one".into(),
        ));
    }
    let mut signature = models[0].signature();
    for model in &models {
        signature = common_signature(&models[0], model)?;
    }
    let default = match args.kind.drawn() {
        Some(_) => "",
        None => "finite",
    };
    let assume = args.assume.as_deref().unwrap_or(default);
    let domain = Domain::parse(assume, &signature)?;
    // A domain that nothing can be drawn from is no reason to make a file.
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    domain.place(Inputs::zero(&signature), &mut rng)?;

    let origin = Origin {
        program: PROGRAM.into(),
        models: models.iter().map(Model::canonical).collect(),
        kind: args.kind.name().into(),
        seed: args.seed,
        assume: assume.into(),
        signature: signature.to_string(),
    };
    let mut limits = until_ctrl_c()?;
    if let Some(time) = args.timeout {
        limits = limits.within(time);
    }
    let mut writer = destination.writer(&signature, &origin)?;
    let question = format!("{} of {}", args.count, args.models.join(" and "));
    limits.report(|report| report.question = question);
    let written = match args.kind.drawn() {
        Some(kind) => {
            let draw = Draw::new(signature, kind, args.seed);
            drawn(args, &models, &domain, draw, &limits, &mut *writer)?
        }
        None => found(args, &models, &domain, &limits, &mut *writer)?,
    };
    writer.finish()?;
    report::write(out, args, json, &models, &origin, &destination, &written)?;
    Ok(match written.stopped {
        _ if written.count == args.count => Status::Yes,
        Some(_) => Status::Unknown,
        None => Status::No,
    })
}

/// How many products lie between two looks at the clock and the flag of Ctrl-C, at most; a vector of a model
/// takes no less time than that of so many more.
const STRIDE: u64 = 4096;
const PER_VECTOR: u64 = 12;

fn drawn(
    args: &Args,
    models: &[Model],
    domain: &Domain,
    mut draw: Draw,
    limits: &Limits,
    writer: &mut dyn VectorWriter,
) -> Result<Written, Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed ^ u64::MAX);
    let mut simulators: Vec<_> = models.iter().map(Model::simulator).collect();
    let mut results = vec![0; models.len()];
    let cost = PER_VECTOR + u64::from(models[0].signature().products);
    let stride = (STRIDE / cost / models.len() as u64).max(1);
    let (mut count, mut stopped) = (0, None);
    while count < args.count {
        if count.is_multiple_of(stride) {
            limits.report(|report| report.vectors = Some(count));
            stopped = limits.stopped();
            if stopped.is_some() {
                break;
            }
        }
        let inputs = domain.place(draw.draw(), &mut rng)?;
        for (result, simulator) in results.iter_mut().zip(&mut simulators) {
            *result = simulator.run(&inputs);
        }
        writer.write(&inputs, &results)?;
        count += 1;
    }
    Ok(Written {
        count,
        stopped,
        pairs: Pairs::new(),
    })
}

fn found(
    args: &Args,
    models: &[Model],
    domain: &Domain,
    limits: &Limits,
    writer: &mut dyn VectorWriter,
) -> Result<Written, Error> {
    let wanted = Discriminate {
        models,
        domain,
        count: args.count,
        seed: args.seed,
    };
    let mut count = 0;
    let pairs = discriminate(&wanted, limits, |inputs, results| {
        count += 1;
        limits.report(|report| report.vectors = Some(count));
        writer.write(inputs, results).map_err(Error::from)
    })?;
    let unknown = pairs.iter().find_map(|(_, told)| match told {
        Told::Unknown(stopped) => Some(*stopped),
        _ => None,
    });
    let open = |(_, told): &([usize; 2], Told)| {
        matches!(told, Told::Apart { all: false } | Told::NotAsked)
    };
    // Where it is not proved that there are no others, something ended the search for them.
    let given_up = pairs.iter().any(open).then_some(Stopped::GaveUp);
    Ok(Written {
        count,
        stopped: limits.stopped().or(unknown).or(given_up),
        pairs,
    })
}
