//! Draws a share of the vectors; each block of vectors has a random stream of its own.

use super::Args;
use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::json::VectorLine;
use crate::cli::shards::{Shard, ShareWork};
use mmasmt_core::batch::{Batch, Columns};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::write::Origin;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::Write;

/// The number of vectors in a block.
const BLOCK: u64 = 4096;

pub(super) fn run(
    args: &Args,
    shard: Shard,
    (models, domain): (&[Model], &Domain),
    origin: &Origin,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let Some(kind) = args.kind.drawn() else {
        return Err(Error::Usage(
            "--shard: expected a kind of inputs that is drawn, found discriminating: each of those depends on the ones before".into(),
        ));
    };
    if kind.is_listed() {
        let found = args.kind.name();
        return Err(Error::Usage(format!(
            "--shard: expected a kind of inputs that is drawn at random, found {found}: it is a list"
        )));
    }
    let work = ShareWork {
        command: "gen",
        asked: origin.to_json(),
        items: args.count,
        stride: BLOCK,
    };
    let signature = models[0].signature();
    let mut block = Block {
        models,
        domain,
        kind,
        seed: args.search.seed,
        count: args.count,
        number: None,
        inputs: Columns::new(&signature),
        batches: models.iter().map(Model::batch).collect(),
        results: vec![Vec::new(); models.len()],
    };
    work.share(shard, &args.shards, limits, out, |item| {
        block.draw(item / BLOCK)?;
        let row = (item % BLOCK) as usize;
        let results: Vec<u64> = block.results.iter().map(|of| of[row]).collect();
        let inputs = block.inputs.row(row);
        let line = VectorLine::new(&signature, &inputs, &results);
        Ok(Some((line, Status::Yes)))
    })
}

/// The block that was drawn last.
struct Block<'x> {
    models: &'x [Model],
    domain: &'x Domain,
    kind: Kind,
    seed: u64,
    /// The number of vectors in all blocks together.
    count: u64,
    number: Option<u64>,
    inputs: Columns,
    batches: Vec<Batch<'x>>,
    results: Vec<Vec<u64>>,
}

impl Block<'_> {
    /// Draws the block `number`, unless it is the block that was drawn last.
    fn draw(&mut self, number: u64) -> Result<(), Error> {
        if self.number == Some(number) {
            return Ok(());
        }
        // Each block has a random stream of its own. The stream first gives the seed for the draw
        // of the inputs, then the numbers that move the inputs into the domain.
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let mut draw = Draw::new(self.models[0].signature(), self.kind, rng.random());
        self.inputs.clear();
        for _ in 0..BLOCK.min(self.count - number * BLOCK) {
            self.inputs
                .push_row(&self.domain.place(draw.draw(), &mut rng)?);
        }
        for (results, batch) in self.results.iter_mut().zip(&mut self.batches) {
            results.clear();
            batch.run(&self.inputs, results);
        }
        self.number = Some(number);
        Ok(())
    }
}
