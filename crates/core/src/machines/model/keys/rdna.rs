//! Keys of DOT2 and WMMA of RDNA.

use super::doc::bad_value;
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::{Generation, Operation, Rdna, StepOrder};
use crate::machines::model::ModelError;
use crate::numbers::float::Format;

const GENERATION: &[(&str, Generation)] =
    &[("rdna3", Generation::Rdna3), ("rdna4", Generation::Rdna4)];
const ORDER: &[(&str, StepOrder)] = &[
    ("straight", StepOrder::Straight),
    ("halves", StepOrder::Halves),
];
const STEP: &[(&str, u32)] = &[("2", 2), ("4", 4)];
const RESULTS: Formats = Formats::Of(&[Format::F32, Format::F16, Format::BF16]);
const FACTORS: Formats = Formats::Of(&[Format::F16, Format::BF16]);

pub(super) fn rdna() -> Table<Rdna, Operation> {
    Table {
        name: "rdna",
        summary: "DOT2 and WMMA of RDNA: products and c on one grid, added with ones' complements (RDNA3) or rounded \
             down in pairs (RDNA4), rounded at every step (rne)",
        source: "ROCm/rocm-systems rocjitsu gfx11_dot2.h, gfx12_dot.h; recorded W7900 and R9700",
        base: Rdna {
            generation: Generation::Rdna4,
            a: Format::F16,
            b: Format::F16,
            out: Format::F32,
            products: 4,
            step: 4,
            order: StepOrder::Straight,
        },
        keys: Keys::products(2, 4096, |p: &mut Rdna| &mut p.products)
            .values_are("2 to 4096, a multiple of step")
            .factors(FACTORS, |p| &mut p.a, |p| &mut p.b)
            .factors_shown()
            .format("out", RESULTS, |p| &mut p.out)
            .means("format of c and result; f16 rounded from the sum of each step, bf16 cut from its f32 result")
            .choice("unit", GENERATION, |p| &mut p.generation)
            .means("the generation")
            .shown()
            .choice("step", STEP, |p| &mut p.step)
            .means("products of one step, after which the sum is rounded; 4 on RDNA4 alone")
            .shown()
            .choice("order", ORDER, |p| &mut p.order)
            .means("steps in the order of k, or one of the first half and one of the second in turns (wave32)"),
        check,
        make: Operation::Rdna,
        params: |operation| match operation {
            Operation::Rdna(rdna) => Some(*rdna),
            _ => None,
        },
    }
}

fn check(p: &Rdna) -> Result<(), ModelError> {
    if p.generation == Generation::Rdna3 && p.step != 2 {
        return Err(bad_value("step", &p.step.to_string(), "2 for unit=rdna3"));
    }
    if !p.products.is_multiple_of(p.step) {
        let expected = format!("a multiple of step={}", p.step);
        return Err(bad_value("K", &p.products.to_string(), &expected));
    }
    if p.order == StepOrder::Halves && !(p.products / p.step).is_multiple_of(2) {
        return Err(bad_value(
            "order",
            "halves",
            "straight for an odd number of steps",
        ));
    }
    Ok(())
}
