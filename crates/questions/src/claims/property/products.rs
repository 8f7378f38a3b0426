//! The violation of `exact-products`: a product is not exact. Also tells which models show their
//! products among their stages.

use super::values::same_value;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Description, Node, Program, Round, Slot, Source,
};
use mmasmt_core::machines::algorithms::{
    DotAdd, Fused, Inputs, Operand, Operation, Registers, Step,
};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::{Prop, Shape, mux};
use mmasmt_core::numbers::float::{Arithmetic, Format, NanCode, Rounding, ieee_multiply, unpack};

/// Unsatisfiable iff, wherever factors and scales are finite, every product in the stages is the
/// exact product of its factors and their scales.
///
/// Call this only for models that [show their products](shows_products).
pub fn has_inexact_products<B: Instance>(model: &Model, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let factors = [&signature.a, &signature.b];
    let (_, stages) = model.evaluate(inputs);
    let Some(products_of_link) = products_of_link(model) else {
        return B::Bool::constant(true);
    };
    let mut inexact: Vec<B::Bool> = Vec::new();
    for (step, shown) in shown(model, stages.steps()) {
        // Every link of a chain numbers its products from 0.
        let link = inexact.len() / products_of_link;
        let start = link * products_of_link;
        match step {
            Step::Fused(fused) => {
                for (index, number) in shown {
                    let k = start + number;
                    let (a, b) = (&inputs.a[k], &inputs.b[k]);
                    let scales = signature.scales.map(|scales| {
                        let block = k / scales.block as usize;
                        let scales_of = [&inputs.a_scales[block], &inputs.b_scales[block]];
                        (scales.format, scales_of)
                    });
                    inexact.push(is_inexact_term(fused, index, factors, [a, b], scales));
                }
            }
            Step::Rounded { format, value, .. } => {
                for (_, number) in shown {
                    let (a, b) = (&inputs.a[start + number], &inputs.b[start + number]);
                    inexact.push(is_rounded(factors, format, a, b, value));
                }
            }
        }
    }
    B::Bool::any(inexact)
}

/// The number of products of one link of a chain. `None` for a composition, which shows the
/// products of its parts, not its own.
fn products_of_link(model: &Model) -> Option<usize> {
    let (operation, _) = model.algorithm().operation()?;
    Some(operation.signature().products as usize)
}

/// Whether the stages of the model show each of its products once, with its own number.
pub fn shows_products(model: &Model) -> bool {
    shows_each_once(model, |_| true)
}

/// Whether the stages of the model show each of its products once, as a term of a fused sum.
pub fn aligns_products(model: &Model) -> bool {
    shows_each_once(model, |step| matches!(step, Step::Fused(_)))
}

/// Whether the steps that are wanted show each product of the model once. Stages have the same
/// structure for all values, so that one run on shapes, which have no values, is enough.
fn shows_each_once(model: &Model, is_wanted: impl Fn(&Step<Shape>) -> bool) -> bool {
    let signature = model.signature();
    let shapes = Inputs::zero(&signature).lifted::<Shape>(&signature);
    let (_, stages) = model.evaluate(&shapes);
    let steps = shown(model, stages.steps()).into_iter();
    let steps = steps.filter(|(step, _)| is_wanted(step));
    let shown: Vec<usize> = steps.flat_map(|(_, shown)| shown).map(|(_, k)| k).collect();
    // Every link of a chain numbers its products from 0.
    let Some(of_link) = products_of_link(model) else {
        return false;
    };
    let is_whole = |link: &[usize]| (0..of_link).all(|k| link.contains(&k));
    shown.len() == signature.products as usize && shown.chunks(of_link).all(is_whole)
}

/// The places of products among the terms of a step, and their numbers.
pub(super) type Shown = Vec<(usize, usize)>;

/// The steps, each with the products that it shows: a description tells them by its steps, other units by
/// the names of their steps.
pub(super) fn shown<'s, B: Instance>(
    model: &Model,
    steps: &'s [Step<B>],
) -> Vec<(&'s Step<B>, Shown)> {
    let unit = model.algorithm().operation().map(|(unit, _)| unit);
    let products = unit.and_then(Operation::description).map(products_of);
    let mut of_text = products.iter().flatten().cycle();
    let mut of = |step: &Step<B>| match products {
        Some(_) => of_text.next().cloned().unwrap_or_default(),
        None => named_product(step).map(|k| (0, k)).into_iter().collect(),
    };
    steps.iter().map(|step| (step, of(step))).collect()
}

/// For each recorded step of a description, the products among its terms, or the product that it rounds.
fn products_of(unit: &Description) -> Vec<Shown> {
    let program = unit.program();
    let of_step = |node: &Node| match &node.action {
        Action::Fuse(fuse) => {
            let terms = fuse.terms.iter().enumerate();
            let numbered =
                terms.filter_map(|(place, term)| Some((place, product(program, &[term.of])?)));
            numbered.collect()
        }
        Action::Round(round) => rounded_product(program, &round.of)
            .map(|k| (0, k))
            .into_iter()
            .collect(),
        _ => Vec::new(),
    };
    program.recorded().map(of_step).collect()
}

/// The number of the product of two registers that is rounded, alone or with a zero added.
fn rounded_product(program: &Program, of: &Source) -> Option<usize> {
    let is_zero = |slot: Slot| program.nodes[slot as usize].action == Action::Constant(0);
    match *of {
        Source::Multiply(factors) => product(program, &factors),
        Source::Fma([x, y, z]) if is_zero(z) => product(program, &[x, y]),
        _ => None,
    }
}

/// The number of the product of these values, with its scales where the unit has them; `None` if it is no
/// product of operands.
fn product(program: &Program, of: &[Slot]) -> Option<usize> {
    let mut factors = Vec::new();
    of.iter()
        .all(|slot| factors_of(program, *slot, &mut factors))
        .then_some(())?;
    let mut of = |operand: Operand| {
        let place = factors.iter().position(|(found, _)| *found == operand);
        place.map(|place| factors.swap_remove(place).1)
    };
    let (k, other) = (of(Operand::A)?, of(Operand::B)?);
    let scales = program
        .signature
        .scales
        .map(|scales| k / scales.block as usize);
    let are_scaled = [of(Operand::AScales), of(Operand::BScales)] == [scales; 2];
    (k == other && are_scaled && factors.is_empty()).then_some(k)
}

/// Adds the operands whose exact product a value is; false if it is another value.
fn factors_of(program: &Program, slot: Slot, factors: &mut Vec<(Operand, usize)>) -> bool {
    let node = &program.nodes[slot as usize];
    match &node.action {
        Action::Operand(operand, index) => {
            factors.push((*operand, *index));
            true
        }
        Action::Term(term) if term.shift == 0 => factors_of(program, term.of, factors),
        Action::Flush(of, _) | Action::Normalise(of) | Action::Cap { of, .. } => {
            factors_of(program, *of, factors)
        }
        // A wider register has the same number.
        Action::Round(Round {
            of: Source::Register(of),
            ..
        }) => {
            let [from, to] = [program.format(*of), program.format(slot)];
            from.zip(to).is_some_and(|(from, to)| to.has_all_of(&from))
                && factors_of(program, *of, factors)
        }
        Action::Product(both) => both.iter().all(|of| factors_of(program, *of, factors)),
        _ => false,
    }
}

/// The number of the product that a step shows by its name.
fn named_product<B: Instance>(step: &Step<B>) -> Option<usize> {
    match step {
        Step::Rounded {
            what: "product",
            index,
            ..
        } => *index,
        _ => None,
    }
}

/// Whether the value of a term differs from the product of its factors and scales, where these are
/// finite. The two numbers are normalised; then their significands and exponents are compared.
fn is_inexact_term<B: Instance>(
    fused: &Fused<B>,
    index: usize,
    factors: [&Format; 2],
    [a, b]: [&B; 2],
    scales: Option<(Format, [&B; 2])>,
) -> B::Bool {
    let (x, y) = (unpack(factors[0], a), unpack(factors[1], b));
    let (term, own_exponent) = (&fused.terms[index], &fused.exponents[index]);
    let mut product = x.significand.mul_wide(&y.significand);
    let width = own_exponent.width() + 8;
    let mut finite = x.finite().and(&y.finite());
    let mut exponent = x.exponent.zext(width).add(&y.exponent.zext(width));
    let mut highest = 2 - (factors[0].field_of(0) + factors[1].field_of(0));
    if let Some((format, of_block)) = scales {
        for scale in of_block {
            let scale = unpack(&format, scale);
            product = product.mul_wide(&scale.significand);
            exponent = exponent.add(&scale.exponent.zext(width));
            highest += 1 - format.field_of(0);
            finite = finite.and(&scale.finite());
        }
    }
    let normal = |significand: &B, exponent: B| {
        let (normal, zeros) = significand.normalise(width);
        (normal, exponent.sub(&zeros))
    };
    // The exponents of the highest bits of the two numbers, without bias or offset.
    let integer_bits = i64::from(term.significand.width() - fused.grid.term_fraction);
    let own = own_exponent
        .zext(width)
        .add_const(i64::from(fused.grid.exponent_offset) + integer_bits);
    let exact = exponent.add_const(highest);
    let (found, found_exponent) = normal(&term.significand, own);
    let (expected, expected_exponent) = normal(&product, exact);
    let wide = found.width().max(expected.width());
    let [found, expected] = [found, expected].map(|x| x.widen_low(wide - x.width()));
    let same_number = found
        .equals(&expected)
        .and(&found_exponent.equals(&expected_exponent));
    let zero = product.is_zero();
    let same = mux(&zero, &term.significand.is_zero(), &same_number);
    same.not().and(&finite)
}

/// Whether `value`, a rounded product, is not the exact product of its finite factors.
fn is_rounded<B: Instance>(
    factors: [&Format; 2],
    format: &Format,
    a: &B,
    b: &B,
    value: &B,
) -> B::Bool {
    let rounded = |rounding| {
        let to = Arithmetic {
            format: *format,
            rounding,
            nan: NanCode::Quiet,
        };
        same_value(format, value, &ieee_multiply(&to, factors, a, b))
    };
    let finite = unpack(factors[0], a)
        .finite()
        .and(&unpack(factors[1], b).finite());
    let exact = rounded(Rounding::Rd).and(&rounded(Rounding::Ru));
    exact.not().and(&finite)
}
