//! `learn` finds the descriptions of units from their answers alone, and gives none to a unit that
//! is not the description.

mod bench;
mod drawn;
mod machines;
mod numbers;
mod orders;
mod parameters;
mod recorded;
mod refused;
mod rivals;
mod rows;
mod words;

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{LearnOptions, LearnResult, LearnVerdict, learn};
use mmasmt_questions::inputs::{Draw, FewTerms, Kind};
use mmasmt_questions::vectors::device::{Device, DeviceError};
use mmasmt_questions::vectors::signature_of;
use std::time::Instant;

/// What a unit gives for its operands.
type Answer = Box<dyn FnMut(&Inputs) -> u64>;

/// A unit that nobody who asks it knows.
struct Unknown {
    signature: Signature,
    answer: Answer,
}

impl Device for Unknown {
    fn signature(&self) -> Signature {
        self.signature
    }

    fn describe(&self) -> Vec<String> {
        Vec::new()
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        Ok(inputs.iter().map(|inputs| (self.answer)(inputs)).collect())
    }
}

fn unit(signature: &str, answer: impl Fn(&[u64], &[u64], u64) -> u64 + 'static) -> Unknown {
    Unknown {
        signature: signature_of(signature).unwrap(),
        answer: Box::new(move |inputs| answer(&inputs.a, &inputs.b, inputs.c)),
    }
}

fn of_model(name: &str) -> Unknown {
    let model = Model::parse(name).unwrap();
    Unknown {
        signature: model.signature(),
        answer: Box::new(move |inputs| model.simulator().run(inputs)),
    }
}

const NEIGHBOURS: &str = "8 products f16 x f16, c f32, result f32";
const COMPLEMENT: &str = "4 products bf16 x bf16, c f32, result f32";
const LEVELS: &str = "32 products e4m3 x e4m3, c f32, result f32";
const LATE: &str = "4 products f16 x f16, c f32, result f32";
const INTERLEAVED: &str = "8 products bf16 x bf16, c f32, result f32";
const HALVES: &str = "16 products f16 x f16, c f16, result f16";

/// The inputs that confirm a description in tests of minutes.
const CONFIRM: usize = 20_000;

fn learnt(unit: &mut Unknown, seed: u64) -> LearnResult {
    let options = LearnOptions {
        seed,
        confirm: CONFIRM,
        ..LearnOptions::default()
    };
    let start = Instant::now();
    let learned = learn(unit, &options, &Limits::default()).unwrap();
    println!(
        "{:?}: {} questions, {} descriptions, {:.1} s, order {}\n{}",
        learned.verdict,
        learned.answered.len(),
        learned.tried,
        start.elapsed().as_secs_f64(),
        learned
            .order
            .as_ref()
            .map_or("none".into(), ToString::to_string),
        learned.text
    );
    if let Some((vector, other)) = &learned.failing {
        let line = vector.inputs.to_line(&unit.signature);
        println!(
            "agrees {}; {line}: {:x}, not {other:x}",
            learned.agrees, vector.d
        );
    }
    assert!(learned.answered.len() <= 20_000);
    learned
}

/// Inputs of all kinds that were not asked.
fn others(signature: &Signature, count: usize) -> impl Iterator<Item = Inputs> {
    let mut draws = Kind::ALL.map(|kind| Draw::new(*signature, kind, 0xfe1d));
    let mut few = FewTerms::new(*signature, 0xfe1d);
    (0..count).map(move |at| match at % (draws.len() + 1) {
        0 => few.draw(1 + at % 5),
        kind => draws[kind - 1].draw(),
    })
}

/// The unit is learnt, and what is learnt is what it does on `count` other inputs.
fn is_learnt(mut unit: Unknown, count: usize) {
    let learned = learnt(&mut unit, 1);
    assert_eq!(learned.verdict, LearnVerdict::Confirmed);
    let model = learned.model.unwrap();
    let mut simulator = model.simulator();
    for inputs in others(&unit.signature, count) {
        let (found, expected) = (simulator.run(&inputs), (unit.answer)(&inputs));
        assert!(
            model.accepts(found, expected),
            "{}: {found:x}, the unit {expected:x}\n{}",
            inputs.to_line(&unit.signature),
            learned.text
        );
    }
}

#[test]
fn a_fused_sum_is_learnt() {
    is_learnt(of_model("fda:K=4,F=25,zero=raw"), 10_000);
}

/// Two sums, one behind the other, give nearly all of its answers.
#[test]
#[ignore = "ten seconds; one sum is learnt by day"]
fn a_fused_sum_of_two_products_is_learnt() {
    is_learnt(of_model("fda:K=2,F=24,in=bf16"), 10_000);
}

#[test]
fn few_questions_confirm_nothing() {
    let options = LearnOptions {
        questions: 1000,
        ..LearnOptions::default()
    };
    let mut unit = of_model("fda:K=4,F=25");
    let learned = learn(&mut unit, &options, &Limits::default()).unwrap();
    assert_eq!(learned.verdict, LearnVerdict::Unconfirmed);
    assert!(learned.answered.len() <= 1000);
}

macro_rules! units {
    ($($name:ident: $make:expr;)*) => {$(
        #[test]
        #[ignore = "minutes"]
        fn $name() {
            is_learnt($make, 100_000);
        }
    )*};
}

units! {
    unit_1_neighbours: unit(NEIGHBOURS, machines::neighbours);
    unit_2_complement: unit(COMPLEMENT, machines::complement);
    unit_3_levels: unit(LEVELS, machines::levels);
    unit_4_late: unit(LATE, machines::late);
    unit_5_interleaved: unit(INTERLEAVED, machines::interleaved);
    unit_6_halves: unit(HALVES, machines::halves);
    unit_7_cut_addend: of_model("unit:{unit u { a, b: bf16[4] c, d: f32 p = a * b even = fuse(p[0.. step 2]) keep 20 by rz \
         odd = fuse(p[1.. step 2]) keep 20 by rz added = cut(c) bits 16 by rz least -126 total = fuse(even, odd, added) keep 24 by rz \
         d = round(total) to f32 by rne }}");
    unit_7_x86: of_model("x86/vdpbf16ps");
    unit_7_arm: of_model("arm/bfmmla.ebf1");
    unit_7_power: of_model("power/xvbf16ger2pp");
}
