//! The products among the stages of a model, and which models show them.

use mmasmt_core::machines::algorithms::descriptions::{
    Action, Description, Program, ProgramNode, Round, RoundSource, Slot,
};
use mmasmt_core::machines::algorithms::{DotAdd, Inputs, Operand, Operation, Step};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Shape;

/// The number of products of one link of a chain. `None` for a composition, which shows the
/// products of its parts, not its own.
pub(super) fn products_of_link(model: &Model) -> Option<usize> {
    let (operation, _) = model.algorithm().operation()?;
    Some(operation.signature().products as usize)
}

/// True if the stages of the model show each of its products once, with its own number.
pub fn shows_products(model: &Model) -> bool {
    shows_each_once(model, |_| true)
}

/// True if the stages of the model show each of its products once, as a term of a fused sum.
pub fn aligns_products(model: &Model) -> bool {
    shows_each_once(model, |step| matches!(step, Step::Fused(_)))
}

/// True if the steps that are wanted show each product of the model once. Stages have the same
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
pub(super) type ShownProducts = Vec<(usize, usize)>;

/// The steps, each with the products that it shows: a description tells them by its steps, other units by
/// the names of their steps.
pub(super) fn shown<'s, B: Instance>(
    model: &Model,
    steps: &'s [Step<B>],
) -> Vec<(&'s Step<B>, ShownProducts)> {
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
fn products_of(unit: &Description) -> Vec<ShownProducts> {
    let program = unit.program();
    let of_step = |node: &ProgramNode| match &node.action {
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
fn rounded_product(program: &Program, of: &RoundSource) -> Option<usize> {
    let is_zero = |slot: Slot| program.nodes[slot as usize].action == Action::Constant(0);
    match *of {
        RoundSource::Multiply(factors) => product(program, &factors),
        RoundSource::Fma([x, y, z]) if is_zero(z) => product(program, &[x, y]),
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
            of: RoundSource::Register(of),
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
