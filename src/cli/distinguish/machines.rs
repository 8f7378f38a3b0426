//! Two sides of which one is a machine that answers: both are asked inputs of every kind, until some differ.

use crate::cli::Status;
use crate::cli::answered::distance_text;
use crate::cli::drawn_inputs::drawn_inputs;
use crate::cli::error::Error;
use crate::cli::json::{Cost, VectorObject, write_json};
use crate::cli::notes::note_domain;
use crate::cli::output::{PROGRAM, value_text, widest, write_inputs};
use crate::cli::runner::{RunnerArgs, answers, stated_operands};
use crate::cli::specification::model;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::{Domain, EmptyDomain};
use mmasmt_questions::inputs::{Interface, simplified};
use mmasmt_questions::vectors::device::{Device, DeviceError, SoftwareDevice};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::slice::from_ref;
use std::time::{Duration, Instant};

/// The inputs that are drawn without `--samples`.
const SAMPLES: u64 = 100_000;
/// The most inputs that are asked at once.
const BATCH: usize = 1 << 12;
/// The most time to make inputs simpler, for which a machine is asked one by one.
const SIMPLER: Duration = Duration::from_secs(2);

/// The question to both sides.
pub(super) struct AskedRequest<'x> {
    /// The texts of both sides.
    pub sides: [&'x str; 2],
    /// The operands, as `--signature` states them.
    pub stated: Option<&'x str>,
    /// The text of the domain.
    pub domain: &'x str,
    pub specials: bool,
    /// How many inputs are drawn.
    pub samples: Option<u64>,
    /// The most inputs that are shown.
    pub count: usize,
    pub seed: u64,
    /// The expected verdict.
    pub expected: Option<&'x str>,
}

/// True if one of the sides is a machine that answers.
pub(super) fn are_asked(sides: [&str; 2]) -> bool {
    sides.into_iter().any(answers)
}

/// One side: what answers, and the model if it is one.
struct Side<'x> {
    text: &'x str,
    model: Option<Model>,
    device: Box<dyn Device>,
}

/// Operands to which the sides give other results.
struct ResultDifference {
    inputs: Inputs,
    results: [u64; 2],
}

struct MachineQuestion<'x> {
    sides: [Side<'x>; 2],
    interface: Interface,
    domain: Domain,
    asked: u64,
    differing: u64,
    found: Vec<ResultDifference>,
    seconds: f64,
    seed: u64,
    rng: ChaCha8Rng,
}

/// `mmasmt distinguish run:COMMAND MODEL`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct AskedAnswer<'x> {
    #[schemars(extend("enum" = ["different", "unknown"]))]
    verdict: &'static str,
    machines: [&'x str; 2],
    /// How many inputs were asked, and on how many of them the results differ.
    asked: u64,
    differing: u64,
    witnesses: Vec<VectorObject>,
    assume: String,
    cost: Cost,
}

pub(super) fn run(
    request: &AskedRequest<'_>,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let start = Instant::now();
    let mut asked = MachineQuestion::new(request, limits)?;
    asked.ask(request, limits)?;
    asked.simplify(limits)?;
    for side in &mut asked.sides {
        side.device.finish()?;
    }
    asked.seconds = start.elapsed().as_secs_f64();
    if json {
        write_json(out, &asked.answer())?;
    } else {
        asked.write(out)?;
    }
    Ok(match (asked.found.is_empty(), request.expected) {
        (true, _) => Status::Unknown,
        (false, Some("equal")) => Status::No,
        (false, _) => Status::Yes,
    })
}

impl<'x> MachineQuestion<'x> {
    fn new(request: &AskedRequest<'x>, limits: &Limits) -> Result<MachineQuestion<'x>, Error> {
        let texts = request.sides;
        let [left, right] = texts.map(known_model);
        let models = [left?, right?];
        let stated = request.stated.map(stated_operands).transpose()?;
        let known = models.iter().flatten().map(Model::signature).next();
        let signature = known.or(stated).ok_or_else(|| {
            Error::Usage(
                "expected --signature with the operands of two commands, such as `4 products f16 x f16, c f32, result f32`, found none".into(),
            )
        })?;
        let interface = Interface::of(models.iter().flatten()).unwrap_or(signature.into());
        let [left, right] = models;
        let sides = [
            Side::new(texts[0], left, signature, limits)?,
            Side::new(texts[1], right, signature, limits)?,
        ];
        let domain = Domain::parse(request.domain, &signature)?;
        note_domain(&domain)?;
        let seed = request.seed;
        Ok(MachineQuestion {
            sides,
            interface,
            domain,
            asked: 0,
            differing: 0,
            found: Vec::new(),
            seconds: 0.0,
            seed,
            rng: ChaCha8Rng::seed_from_u64(seed),
        })
    }

    /// The inputs as the domain and the models have them.
    fn put(&mut self, inputs: Inputs) -> Result<Inputs, EmptyDomain> {
        let placed = self.domain.place(inputs, &mut self.rng)?;
        Ok(self.interface.taken(placed))
    }

    /// The results of both sides where they differ.
    fn differ(&mut self, inputs: &[Inputs]) -> Result<Vec<ResultDifference>, DeviceError> {
        let [left, right] = &mut self.sides;
        let results = left.device.run(inputs)?.into_iter();
        let results = results.zip(right.device.run(inputs)?);
        let sides = [&*left, &*right];
        let all = inputs.iter().zip(results);
        let apart = all.filter(|(_, (left, right))| !are_same(sides, [*left, *right]));
        let found = apart.map(|(inputs, (left, right))| ResultDifference {
            inputs: inputs.clone(),
            results: [left, right],
        });
        Ok(found.collect())
    }

    fn ask(&mut self, request: &AskedRequest<'_>, limits: &Limits) -> Result<(), Error> {
        let signature = self.interface.signature;
        let samples = request.samples.unwrap_or(SAMPLES);
        let mut drawn = drawn_inputs(signature, self.seed, request.specials);
        while self.asked < samples && limits.stopped().is_none() {
            let left = usize::try_from(samples - self.asked).unwrap_or(BATCH);
            let batch = drawn.by_ref().take(left.min(BATCH));
            let batch: Vec<Inputs> = batch.map(|one| self.put(one)).collect::<Result<_, _>>()?;
            limits.report(|report| report.vectors = Some(self.asked));
            let found = match self.differ(&batch) {
                Err(DeviceError::Stopped { .. }) if limits.stopped().is_some() => break,
                found => found?,
            };
            self.asked += batch.len() as u64;
            self.differing += found.len() as u64;
            let room = request.count - self.found.len();
            self.found.extend(found.into_iter().take(room));
        }
        Ok(())
    }

    /// Makes the operands simpler that were found, as far as both sides still differ.
    fn simplify(&mut self, limits: &Limits) -> Result<(), Error> {
        let signature = self.interface.signature;
        let limits = limits.within(SIMPLER);
        for found in std::mem::take(&mut self.found) {
            let mut last = found.results;
            let mut failed = None;
            let mut is_witness = |inputs: &Inputs| {
                let is_own = |other: Inputs| other == *inputs;
                if failed.is_some() || !self.put(inputs.clone()).is_ok_and(is_own) {
                    return false;
                }
                match self.differ(from_ref(inputs)) {
                    Ok(apart) => apart.first().map(|one| last = one.results).is_some(),
                    Err(error) => {
                        failed = Some(error);
                        false
                    }
                }
            };
            let inputs = simplified(
                &signature,
                found.inputs,
                |one| one,
                &mut is_witness,
                &limits,
            );
            match failed {
                Some(DeviceError::Stopped { .. }) | None => {}
                Some(error) => return Err(error.into()),
            }
            let results = last;
            self.found.push(ResultDifference { inputs, results });
        }
        Ok(())
    }

    fn verdict(&self) -> &'static str {
        match self.found.is_empty() {
            true => "unknown",
            false => "different",
        }
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let names = self.sides.each_ref().map(|side| side.text);
        let [left, right] = names;
        writeln!(out, "{}: {left} and {right}", self.verdict())?;
        let format = self.interface.signature.d;
        let width = widest(names.iter());
        for found in &self.found {
            writeln!(out)?;
            write_inputs(out, &self.interface, &found.inputs)?;
            writeln!(out)?;
            for (name, d) in names.iter().zip(found.results) {
                writeln!(out, "  {name:width$}  d = {}", value_text(&format, d))?;
            }
            writeln!(out, "  {}", distance_text(&format, found.results))?;
            let line = found.inputs.to_line(&self.interface.signature);
            writeln!(out, "  as a line: {line}")?;
        }
        let (asked, differing) = (self.asked, self.differing);
        writeln!(out, "{differing} of {asked} inputs have other results")?;
        if differing == 0 {
            writeln!(
                out,
                "next: more inputs, or other ones: --samples 10000000, --where, --specials, --seed 1"
            )?;
        }
        let (seed, seconds) = (self.seed, self.seconds);
        writeln!(out, "\n# {PROGRAM}, seed {seed}, {seconds:.2} s")?;
        Ok(())
    }

    fn answer(&self) -> AskedAnswer<'_> {
        let signature = self.interface.signature;
        let witnesses = self.found.iter();
        let witnesses =
            witnesses.map(|found| VectorObject::new(&signature, &found.inputs, &found.results));
        AskedAnswer {
            verdict: self.verdict(),
            machines: self.sides.each_ref().map(|side| side.text),
            asked: self.asked,
            differing: self.differing,
            witnesses: witnesses.collect(),
            assume: self.domain.to_string(),
            cost: Cost::new(self.seconds, Some(self.seed)),
        }
    }
}

/// The model that a text names, or that a machine of the tables is said to be; `None` of a command.
fn known_model(text: &str) -> Result<Option<Model>, Error> {
    match answers(text) {
        true => RunnerArgs::of(text).model(),
        false => model(text).map(Some),
    }
}

/// Whether results are the same: a model that gives any NaN takes every NaN.
fn are_same(sides: [&Side<'_>; 2], [left, right]: [u64; 2]) -> bool {
    let accepts = |side: &Side<'_>, own, other| match (&side.model, answers(side.text)) {
        (Some(model), false) => model.accepts(own, other),
        _ => own == other,
    };
    accepts(sides[0], left, right) || accepts(sides[1], right, left)
}

impl<'x> Side<'x> {
    fn new(
        text: &'x str,
        model: Option<Model>,
        signature: Signature,
        limits: &Limits,
    ) -> Result<Side<'x>, Error> {
        let device = match (&model, answers(text)) {
            (Some(model), false) => Some(Box::new(SoftwareDevice::new(model.clone())) as Box<_>),
            _ => RunnerArgs::of(text).device(signature, limits)?,
        };
        let device = device.ok_or_else(|| Error::Usage("expected a machine, found none".into()))?;
        let found = device.signature();
        match found == signature {
            true => Ok(Side {
                text,
                model,
                device,
            }),
            false => Err(Error::Usage(format!(
                "`{text}`: expected operands as those of the other side, {signature}, found {found}"
            ))),
        }
    }
}
