//! Kernels that are wrong in one respect: sums that are stored in 16 bits, products that are lost, no
//! promotion, fewer bits in the unit.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::compositions::Kind;
use mmasmt_core::machines::model::{Algorithm, Model, ModelError, Simulator};
use mmasmt_core::numbers::bits::{Bv, Concrete, W64};
use mmasmt_core::numbers::float::{Format, NanCode, Rounding, convert};

/// By how many bits F is less than it should be.
const FEWER: [i64; 4] = [1, 2, 4, 8];
/// The F of FP8 on Hopper.
const SHORT: i64 = 13;

/// A kernel that should be `whole`, and is wrong.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// What is wrong.
    pub name: String,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    /// Another model.
    Model(Model),
    /// The last products are left out.
    Lost(usize),
    /// `c` is left out.
    NoC,
    /// The sum of every instruction is stored in this format.
    Stored(Model, Format),
}

impl Wrong {
    /// Another model as a wrong kernel.
    pub fn of_model(name: &str, model: Model) -> Wrong {
        Wrong {
            name: name.into(),
            change: Change::Model(model),
        }
    }

    /// A simulator of this kernel in the place of `whole`.
    pub(super) fn runner<'x>(&'x self, whole: &'x Model) -> Runner<'x> {
        let model = match &self.change {
            Change::Model(model) | Change::Stored(model, _) => model,
            Change::Lost(_) | Change::NoC => whole,
        };
        Runner {
            change: &self.change,
            signature: model.signature(),
            simulator: model.simulator(),
        }
    }
}

/// Runs a wrong kernel.
pub(super) struct Runner<'x> {
    change: &'x Change,
    signature: Signature,
    simulator: Simulator<'x>,
}

impl Runner<'_> {
    /// The register that the kernel gives for these operands.
    pub(super) fn run(&mut self, inputs: &Inputs) -> u64 {
        match self.change {
            Change::Model(_) => self.simulator.run(inputs),
            Change::Lost(count) => {
                let mut fewer = inputs.clone();
                let first = fewer.a.len().saturating_sub(*count);
                fewer.a[first..].fill(0);
                fewer.b[first..].fill(0);
                self.simulator.run(&fewer)
            }
            Change::NoC => {
                let mut without = inputs.clone();
                without.c = 0;
                self.simulator.run(&without)
            }
            Change::Stored(_, format) => {
                let mut one = Inputs::zero(&self.signature);
                let step = one.a.len();
                let mut sum = inputs.c;
                for (a, b) in inputs.a.chunks(step).zip(inputs.b.chunks(step)) {
                    one.a.fill(0);
                    one.b.fill(0);
                    one.a[..a.len()].copy_from_slice(a);
                    one.b[..b.len()].copy_from_slice(b);
                    one.c = sum;
                    sum = stored(&self.signature.d, format, self.simulator.run(&one));
                }
                sum
            }
        }
    }
}

/// The register of `format` after it was stored as a number of `narrow`.
fn stored(format: &Format, narrow: &Format, register: u64) -> u64 {
    let to = |from: &Format, to: &Format, bits: &W64| {
        convert(from, to, Rounding::Rne, NanCode::Quiet, bits)
    };
    let bits = W64::lit(format.width(), register);
    to(narrow, format, &to(format, narrow, &bits)).to_u64()
}

/// The wrong kernels of `whole`, which sums by the instruction inside of it. `has_c` says whether `c` may
/// be other than 0.
///
/// # Errors
/// If a model of them cannot be made.
pub fn wrong_kernels(whole: &Model, has_c: bool) -> Result<Vec<Wrong>, ModelError> {
    let unit = whole.inside()?;
    let (of_unit, of_whole) = (unit.signature(), whole.signature());
    let products = of_whole.products;
    let step = of_unit.products.min(products);
    let mut all = Vec::new();
    let mut add = |name: String, change| all.push(Wrong { name, change });
    let continues = of_unit.c == of_unit.d && of_unit.d == of_whole.d && of_unit.c == of_whole.c;
    if continues && of_unit.d.width() > 16 && unit.reads_c() {
        for format in [Format::F16, Format::BF16] {
            let name = format!("sum stored in {format} after each {step} products");
            add(name, Change::Stored(unit.clone(), format));
        }
    }
    if step < products {
        add(
            format!("last {step} products lost"),
            Change::Lost(step as usize),
        );
    }
    if step > 1 {
        add("last product lost".into(), Change::Lost(1));
    }
    if has_c {
        add("c left out".into(), Change::NoC);
    }
    if is_promoted(whole) {
        let plain = unit.of_length(products)?;
        add("no promotion".into(), Change::Model(plain));
    }
    for fewer in fractions(&unit) {
        // Of a model with several such keys none is changed.
        let changed = whole.with(&format!("F={fewer}"));
        if let Some(model) = changed.ok().filter(|model| model.signature() == of_whole) {
            add(format!("F = {fewer}"), Change::Model(model));
        }
    }
    Ok(all)
}

fn is_promoted(model: &Model) -> bool {
    let layers = model.algorithm().layers();
    layers.iter().any(|(_, layer)| match layer {
        Algorithm::Composition(composition) => {
            matches!(composition.kind(), Kind::Promote(promote) if promote.every.is_some())
        }
        _ => false,
    })
}

/// Values of F below that of the unit; none if the unit has no F.
fn fractions(unit: &Model) -> Vec<i64> {
    let (_, parameters) = unit.algorithm().parameters();
    let own = parameters.into_iter().find(|(key, _)| *key == "F");
    let Some(own) = own.and_then(|(_, value)| value.parse::<i64>().ok()) else {
        return Vec::new();
    };
    let mut all: Vec<i64> = FEWER
        .iter()
        .map(|fewer| own - fewer)
        .chain([SHORT])
        .collect();
    all.retain(|value| (1..own).contains(value));
    all.sort_unstable_by_key(|value| -value);
    all.dedup();
    all
}
