//! Kernels that are wrong in one respect: sums that are stored in 16 bits, products that are lost, the scale
//! of another block, no promotion, fewer bits in the unit.

use mmasmt_core::batch::Batch;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::compositions::CompositionKind;
use mmasmt_core::machines::model::{Algorithm, Model, ModelError};
use mmasmt_numbers::bits::{Bv, Concrete, W64};
use mmasmt_numbers::float::{Format, NanCode, Rounding, convert};

/// By how many bits F is less than it should be.
const FEWER: [i64; 4] = [1, 2, 4, 8];
/// The F of FP8 on Hopper.
const SHORT: i64 = 13;

/// A kernel that should be `whole`, and is wrong.
#[derive(Clone, Debug)]
pub struct WrongKernel {
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
    /// The last block of `a` has the scale of the block before.
    Scale,
    /// The sum of every instruction is stored in this format.
    Stored(Model, Format),
}

impl WrongKernel {
    /// Another model as a wrong kernel.
    pub fn of_model(name: &str, model: Model) -> WrongKernel {
        WrongKernel {
            name: name.into(),
            change: Change::Model(model),
        }
    }

    /// This kernel in the place of `whole`, ready for `rows` operands.
    pub(super) fn runner<'x>(&'x self, whole: &'x Model, rows: u64) -> Runner<'x> {
        let model = match &self.change {
            Change::Model(model) | Change::Stored(model, _) => model,
            Change::Lost(_) | Change::NoC | Change::Scale => whole,
        };
        let mut batch = model.batch();
        batch.prepare_for_rows(rows);
        Runner {
            change: &self.change,
            batch,
        }
    }
}

/// Runs a wrong kernel.
#[derive(Clone)]
pub(super) struct Runner<'x> {
    change: &'x Change,
    batch: Batch<'x>,
}

impl Runner<'_> {
    /// The registers that the kernel gives for these operands.
    pub(super) fn run(&mut self, drawn: &[Inputs]) -> Vec<u64> {
        let changed = |change: &dyn Fn(&mut Inputs)| {
            let mut drawn = drawn.to_vec();
            drawn.iter_mut().for_each(change);
            drawn
        };
        match self.change {
            Change::Model(_) => self.batch.results(drawn),
            Change::Lost(count) => self.batch.results(&changed(&|fewer| {
                let first = fewer.a.len().saturating_sub(*count);
                fewer.a[first..].fill(0);
                fewer.b[first..].fill(0);
            })),
            Change::NoC => self.batch.results(&changed(&|without| without.c = 0)),
            Change::Scale => self.batch.results(&changed(&|other| {
                if let [.., before, last] = &mut other.a_scales[..] {
                    *last = *before;
                }
            })),
            Change::Stored(_, format) => self.stored_sums(drawn, format),
        }
    }

    /// The sums of which each instruction's is stored in `format`.
    fn stored_sums(&mut self, drawn: &[Inputs], format: &Format) -> Vec<u64> {
        let signature = *self.batch.signature();
        let zero = Inputs::zero(&signature);
        let step = zero.a.len();
        let products = drawn.first().map_or(0, |inputs| inputs.a.len());
        let mut sums: Vec<u64> = drawn.iter().map(|inputs| inputs.c).collect();
        for start in (0..products).step_by(step) {
            let end = products.min(start + step);
            let part = |(inputs, sum): (&Inputs, &u64)| {
                let mut one = zero.clone();
                one.a[..end - start].copy_from_slice(&inputs.a[start..end]);
                one.b[..end - start].copy_from_slice(&inputs.b[start..end]);
                if let Some(scales) = signature.scales {
                    let block = scales.block as usize;
                    let own = start / block..end.div_ceil(block);
                    one.a_scales[..own.len()].copy_from_slice(&inputs.a_scales[own.clone()]);
                    one.b_scales[..own.len()].copy_from_slice(&inputs.b_scales[own]);
                }
                one.c = *sum;
                one
            };
            let parts: Vec<Inputs> = drawn.iter().zip(&sums).map(part).collect();
            let results = self.batch.results(&parts).into_iter();
            sums = results
                .map(|sum| stored(&signature.d, format, sum))
                .collect();
        }
        sums
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
pub fn wrong_kernels(whole: &Model, has_c: bool) -> Result<Vec<WrongKernel>, ModelError> {
    let unit = whole.inside()?;
    let (of_unit, of_whole) = (unit.signature(), whole.signature());
    let products = of_whole.products;
    let step = of_unit.products.min(products);
    let mut all = Vec::new();
    let mut add = |name: String, change| all.push(WrongKernel { name, change });
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
    if of_whole.scale_count() > 1 {
        let name = "last block of a with the scale of the one before";
        add(name.into(), Change::Scale);
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
            matches!(composition.kind(), CompositionKind::Promote(promote) if promote.every.is_some())
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
