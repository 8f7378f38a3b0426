//! `gen`: writes vectors with the results of models.

mod args;
mod destination;
mod report;
mod share;

pub(super) use report::GenAnswer;

pub(super) use args::Args;

use super::Status;
use super::notes::note_domain;
use super::operands::SPARSE;
use super::output::{PROGRAM, named};
use crate::cli::error::Error;
use crate::cli::specification::model;
use destination::Destination;
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::algorithms::{Inputs, Metadata};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::common_signature;
use mmasmt_questions::identify::{PairRelation, PairRelations, SeparationRequest, discriminate};
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::write::{Origin, VectorWriter};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use report::WrittenVectors;
use std::io::Write;

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let destination = Destination::of(
        named(args.out.as_deref()),
        args.format,
        args.inputs_only,
        json,
    )?;
    let models = args.models.iter().map(|text| model(text));
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
    if args.kind.drawn() == Some(Kind::Tosa) && signature.is_integer() {
        return Err(Error::Usage(format!(
            "--kind tosa: expected floating-point numbers, found {signature}"
        )));
    }
    let default = match args.kind.drawn() {
        Some(_) => "",
        None => "finite",
    };
    let assume = args.domain.assume.as_deref().unwrap_or(default);
    // If one of the models does not read c, c is 0 in all vectors: readers of that model's file
    // would refuse another c.
    let with_zero = match (models.iter().all(Model::reads_c), assume) {
        (true, _) => None,
        (false, "") => Some("c = 0".to_owned()),
        (false, assume) => Some(format!("{assume}, c = 0")),
    };
    let parsed = |assume: String| Some((Domain::parse(&assume, &signature).ok()?, assume));
    let (domain, assume) = match with_zero.and_then(parsed) {
        Some(found) => found,
        None => (Domain::parse(assume, &signature)?, assume.to_owned()),
    };
    note_domain(&domain)?;
    // If no inputs can be drawn from the domain, this call fails, before a file is made.
    let mut rng = ChaCha8Rng::seed_from_u64(args.search.seed);
    domain.place(Inputs::zero(&signature), &mut rng)?;

    let origin = Origin {
        program: PROGRAM.into(),
        models: models.iter().map(Model::canonical).collect(),
        kind: args.kind.name(),
        seed: args.search.seed,
        assume,
        signature: signature.to_string(),
        metadata: metadata(args, &models)?,
    };
    let limits = args.search.time.limits()?;
    if let Some(shard) = args.shards.shard {
        return share::run(args, shard, (&models, &domain), &origin, &limits, out);
    }
    let mut writer = destination.writer(&signature, &origin)?;
    let question = format!("{} of {}", args.count, args.models.join(" and "));
    limits.report(|report| report.question = question);
    let written = match args.kind.drawn() {
        Some(kind) => {
            let draw = Draw::new(signature, kind, args.search.seed);
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

/// The kind of codes of a sparse instruction, which all models must share; `None` if `--metadata`
/// is not given.
fn metadata(args: &Args, models: &[Model]) -> Result<Option<Metadata>, Error> {
    if !args.metadata {
        return Ok(None);
    }
    let Some(metadata) = models[0].metadata() else {
        return Err(Error::Usage(format!(
            "--metadata: expected a sparse instruction, such as {SPARSE}, found {}",
            models[0]
        )));
    };
    match models
        .iter()
        .find(|model| model.metadata() != Some(metadata))
    {
        None => Ok(Some(metadata)),
        Some(other) => Err(Error::Usage(format!(
            "--metadata: expected instructions of one metadata, found {} and {other}",
            models[0]
        ))),
    }
}

/// The most products that are evaluated between two looks at the clock and the flag of Ctrl-C. For
/// each model, a vector counts as its products and [`PER_VECTOR`] more, as every vector takes some
/// time however few its products.
const STRIDE: u64 = 1 << 15;
const PER_VECTOR: u64 = 12;

fn drawn(
    args: &Args,
    models: &[Model],
    domain: &Domain,
    mut draw: Draw,
    limits: &Limits,
    writer: &mut dyn VectorWriter,
) -> Result<WrittenVectors, Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.search.seed ^ u64::MAX);
    let signature = models[0].signature();
    let mut batches: Vec<_> = models.iter().map(Model::batch).collect();
    let mut columns = Columns::new(&signature);
    let mut results = vec![Vec::new(); models.len()];
    let cost = PER_VECTOR + u64::from(signature.products);
    let stride = (STRIDE / cost / models.len() as u64).max(1);
    let (mut count, mut stopped) = (0, None);
    while count < args.count {
        limits.report(|report| report.vectors = Some(count));
        stopped = limits.stopped();
        if stopped.is_some() {
            break;
        }
        columns.clear();
        let drawn = (0..stride.min(args.count - count)).try_for_each(|_| {
            let inputs = domain.place(draw.draw(), &mut rng)?;
            columns.push_row(&inputs);
            Ok::<(), Error>(())
        });
        for (results, batch) in results.iter_mut().zip(&mut batches) {
            results.clear();
            batch.run(&columns, results);
        }
        for row in 0..columns.len() {
            let results: Vec<u64> = results.iter().map(|results| results[row]).collect();
            writer.write(&columns.row(row), &results)?;
        }
        count += columns.len() as u64;
        drawn?;
    }
    Ok(WrittenVectors {
        count,
        stopped,
        pairs: PairRelations::new(),
    })
}

fn found(
    args: &Args,
    models: &[Model],
    domain: &Domain,
    limits: &Limits,
    writer: &mut dyn VectorWriter,
) -> Result<WrittenVectors, Error> {
    let wanted = SeparationRequest {
        models,
        domain,
        count: args.count,
        seed: args.search.seed,
    };
    let mut count = 0;
    let pairs = discriminate(&wanted, limits, |inputs, results| {
        count += 1;
        limits.report(|report| report.vectors = Some(count));
        writer.write(inputs, results).map_err(Error::from)
    })?;
    let unknown = pairs.iter().find_map(|(_, told)| match told {
        PairRelation::Unknown(stopped) => Some(*stopped),
        _ => None,
    });
    let open = |(_, told): &([usize; 2], PairRelation)| {
        matches!(
            told,
            PairRelation::Apart { all: false } | PairRelation::NotAsked
        )
    };
    // If it is not proved that no other inputs exist, the search for them was given up.
    let given_up = pairs.iter().any(open).then_some(Stopped::GaveUp);
    Ok(WrittenVectors {
        count,
        stopped: limits.stopped().or(unknown).or(given_up),
        pairs,
    })
}
