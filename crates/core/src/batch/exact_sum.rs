//! The tape of a unit that sums products and c exactly and rounds once to nearest even: one operation on numbers of `f64`. The
//! steps of the unit show that it is one.

use super::compile::{MOST_PRODUCTS, registers};
use crate::machines::algorithms::descriptions::{
    Action, Fuse, FusedTerm, Nan, NegativeForm, Program, Round, RoundSource, Slot, Specials,
    ValueKind, ZeroSign,
};
use crate::machines::algorithms::{
    BlockScales, DotAdd, FlushedResults, Operand, Operation, Registers, Signature,
};
use crate::machines::model::{Algorithm, Model};
use mmasmt_columns::tape::{Purpose, ResultFormat, Tape, Type, Value};
use mmasmt_numbers::bits::ranged::{self, RangedBits};
use mmasmt_numbers::bits::{HostOperation, HostOperations};
use mmasmt_numbers::float::{FlushedZero, Format, Overflow, Rounding, flush, widen};

/// The exponents between which a product has to lie so that no sum leaves the normal numbers of `f64`.
const EXPONENTS: std::ops::RangeInclusive<i64> = -900..=900;

/// An operand as a factor or a term: its place, and the zero that it becomes if it is subnormal.
#[derive(Clone, Copy)]
struct OperandFactor {
    operand: Operand,
    index: usize,
    flushed: Option<FlushedZero>,
}

/// The products of a unit, each with the factors of the left side and of the right one, the term that is c, and the format
/// of the result.
#[derive(Clone)]
struct ExactUnit {
    products: Vec<[Vec<OperandFactor>; 2]>,
    c: Option<OperandFactor>,
    result: ResultFormat,
}

/// The tape of the model; `None` if the model is no chain of sums that are rounded once, if `f64` does not hold their products,
/// or if the processor is not to do additions and multiplications.
pub(super) fn exact_tape(
    model: &Model,
    host: HostOperations,
    purpose: Purpose<'_>,
) -> Option<Tape> {
    let signature = model.signature();
    if !host.has(HostOperation::Multiply) || signature.products > MOST_PRODUCTS {
        return None;
    }
    let links = links(model.algorithm())?;
    // The result of a link is read as it is by the next one.
    if links.len() > 1 && signature.d != Format::F32 {
        return None;
    }
    let inputs = ranged::RangedInputs::new();
    let registers = registers(&signature, &inputs);
    let factors = links.iter().enumerate().flat_map(|(link, unit)| {
        let c = unit.c.iter().filter(move |_| link == 0);
        unit.products.iter().flatten().flatten().chain(c)
    });
    let nodes: Vec<_> = factors
        .map(|factor| inputs.node_of(&factor.double(&registers, &signature)))
        .collect();
    let mut tape = Tape::made_for(purpose, &inputs.graph(), &nodes)?;
    let mut doubles = std::mem::take(&mut tape.results).into_iter();
    let to = Type::of(signature.d.width());
    for (link, unit) in links.iter().enumerate() {
        let mut args = Vec::new();
        for factors in unit.products.iter().flatten() {
            let first = doubles.next()?;
            let others = doubles.by_ref().take(factors.len() - 1);
            args.push(others.fold(first, |x, y| tape.push_product(x, y)));
        }
        let addend: Vec<Value> = match (unit.c, link) {
            (None, _) => Vec::new(),
            (Some(_), 0) => vec![doubles.next()?],
            _ => std::mem::take(&mut tape.results),
        };
        let sum = tape.push_exact_sum((&addend, &args), unit.result, to);
        tape.results = vec![sum];
    }
    Some(tape)
}

/// The units of a chain, each with its own operands.
fn links(algorithm: &Algorithm) -> Option<Vec<ExactUnit>> {
    let of = |operation: &Operation| ExactUnit::of(operation.description()?.program());
    match algorithm {
        Algorithm::Operation(operation) => Some(vec![of(operation)?]),
        Algorithm::Chain(chain) => {
            let units = [of(chain.first())?, of(chain.rest())?];
            let reads_c = |unit: &ExactUnit| unit.c.is_some_and(|c| c.flushed.is_none());
            if !units.iter().all(reads_c) {
                return None;
            }
            let signature = chain.first().signature();
            let each = (0..chain.links()).map(|link| {
                let mut exact = units[link.min(1) as usize].clone();
                exact.move_on((link * signature.products) as usize, signature.scales);
                exact
            });
            Some(each.collect())
        }
        Algorithm::Composition(_) | Algorithm::Design(_) => None,
    }
}

impl OperandFactor {
    /// The operand as a number of `f64`; c stays in `f32`.
    fn double(&self, registers: &Registers<RangedBits>, signature: &Signature) -> RangedBits {
        let register = &registers.row(self.operand)[self.index];
        let format = signature
            .row(self.operand)
            .map_or(Format::F64, |row| row.format);
        match self.flushed {
            Some(to) => widen(&format, &Format::F64, &flush(&format, to, register)),
            None if self.operand == Operand::C && format == Format::F32 => register.clone(),
            None => widen(&format, &Format::F64, register),
        }
    }
}

impl ExactUnit {
    /// Lets the products begin so many places later.
    fn move_on(&mut self, places: usize, scales: Option<BlockScales>) {
        for factor in self.products.iter_mut().flatten().flatten() {
            factor.index += match factor.operand {
                Operand::AScales | Operand::BScales => {
                    places / scales.map_or(1, |scales| scales.block as usize)
                }
                _ => places,
            };
        }
    }

    /// The products and c of the steps, if those are nothing else.
    fn of(program: &Program) -> Option<ExactUnit> {
        let last = &program.nodes[program.result as usize];
        let (Action::Round(round), ValueKind::Register(format)) = (&last.action, last.kind) else {
            return None;
        };
        let Nan::Code(nan) = round.nan else {
            return None;
        };
        let result = is_plain(round, &format).then(|| ResultFormat::of(&format, nan))??;
        let RoundSource::Number(sum) = round.of else {
            return None;
        };
        let mut all = ExactUnit {
            products: Vec::new(),
            c: None,
            result,
        };
        for term in exact_terms(program, sum)? {
            all.add(program, term)?;
        }
        (!all.products.is_empty()).then_some(all)
    }

    /// Adds a term of the sum.
    fn add(&mut self, program: &Program, term: Slot) -> Option<()> {
        let extent = program.extent(term);
        let is_within = EXPONENTS.contains(&(extent.lowest - extent.fraction))
            && EXPONENTS.contains(&(extent.highest + extent.integer_bits()))
            && extent.width <= f64::MANTISSA_DIGITS;
        let mut factors = Vec::new();
        add_factors(program, term, &mut factors)?;
        if let [only] = factors[..]
            && only.operand == Operand::C
        {
            return (is_within && self.c.replace(only).is_none()).then_some(());
        }
        let (left, right): (Vec<OperandFactor>, Vec<OperandFactor>) = factors
            .into_iter()
            .partition(|factor| matches!(factor.operand, Operand::A | Operand::AScales));
        let has_c = right.iter().any(|factor| factor.operand == Operand::C);
        let is_of_both = !left.is_empty() && !right.is_empty();
        (is_within && is_of_both && !has_c).then(|| self.products.push([left, right]))
    }
}

/// True if the rounding is that of IEEE 754 to nearest even, to all bits of the format.
fn is_plain(round: &Round, format: &Format) -> bool {
    round.by == Rounding::Rne
        && round.fraction == format.fraction_bits
        && round.tiny == FlushedResults::Kept
        && matches!(round.overflow, Overflow::Ieee | Overflow::Infinity)
        && round.zero == ZeroSign::Ieee
        && round.specials == Specials::Format
}

/// The terms of a sum that keeps all of their bits.
fn exact_terms(program: &Program, sum: Slot) -> Option<Vec<Slot>> {
    match &program.nodes[sum as usize].action {
        Action::Sum { terms, .. } => Some(terms.clone()),
        Action::Fuse(fuse) => {
            let terms: Vec<Slot> = fuse.terms.iter().map(|term| term.of).collect();
            let extents: Vec<_> = terms.iter().map(|term| program.extent(*term)).collect();
            let all = Fuse::all_bits(&extents);
            let least = fuse
                .least
                .is_none_or(|least| least <= fuse.lowest(&extents));
            let keeps =
                |term: &FusedTerm| term.kept() >= all && term.keep >= all && term.vanish.is_none();
            let is_exact = fuse.terms.iter().all(keeps) && fuse.width.is_none() && least;
            (is_exact && fuse.negate == NegativeForm::Twos).then_some(terms)
        }
        Action::Product(_) => Some(vec![sum]),
        _ => None,
    }
}

/// Adds the operands whose product a number is.
fn add_factors(program: &Program, number: Slot, factors: &mut Vec<OperandFactor>) -> Option<()> {
    match &program.nodes[number as usize].action {
        Action::Product(pair) => pair
            .iter()
            .try_for_each(|slot| add_factors(program, *slot, factors)),
        Action::Term(term) if term.specials == Specials::Format && !term.flushed && !term.fixed => {
            let (register, flushed) = match &program.nodes[term.of as usize].action {
                Action::Flush(register, to) => (*register, Some(*to)),
                _ => (term.of, None),
            };
            match program.nodes[register as usize].action {
                Action::Operand(operand, index) => {
                    factors.push(OperandFactor {
                        operand,
                        index,
                        flushed,
                    });
                    Some(())
                }
                // A number that is compared by another exponent.
                _ if flushed.is_none() => add_factors(program, term.of, factors),
                _ => None,
            }
        }
        _ => None,
    }
}
