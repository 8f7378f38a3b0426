//! Making a witness simple: first by hand, then by solving again for less.

use super::restriction::Restriction;
use super::simplicity::{Simplicity, counts, simplicity};
use crate::algorithms::Signature;
use crate::bits::term::{Formula, Term};
use crate::bits::{Bv, Prop};
use crate::engine::{Limits, Search, Stopped, Strategy, Verdict};
use crate::float::Format;
use crate::property::SymbolicInputs;
use crate::vectors::Inputs;

/// Conflicts of one attempt to find something simpler.
const EFFORT: u32 = 1_000;

/// Measures that the solver lowers, in order; the last one (positions) is left to moves by hand.
const SOLVED: usize = 4;

/// A witness made simple, and whether nothing simpler is known not to exist.
pub(super) struct Minimised {
    pub inputs: Inputs,
    /// Proved: no witness has fewer products, none on these products has fewer significand bits,
    /// then exponents nearer 0, then fewer signs.
    pub proved: bool,
}

/// Makes `inputs` simple, as long as `is_witness` holds; `question` is the same as a formula.
pub(super) fn minimise(
    symbolic: &SymbolicInputs,
    inputs: Inputs,
    limits: &Limits,
    mut is_witness: impl FnMut(&Inputs) -> bool,
    question: impl Fn(&SymbolicInputs) -> Formula,
) -> Minimised {
    let signature = symbolic.signature;
    let mut best = by_hand(&signature, inputs, &mut is_witness, limits);
    let mut proved = true;
    for level in 0..SOLVED {
        // Fewer products may be any; what is less important is lowered on these products.
        let world = if level == 0 {
            Restriction::none(signature.products)
        } else {
            let nonzero = |(a, b): (&u64, &u64)| *a != 0 || *b != 0;
            Restriction { kept: best.a.iter().zip(&best.b).map(nonzero).collect(), window: None }
        };
        let inner = world.apply(symbolic);
        let measures = counts(&signature, &inner.a, &inner.b, &inner.c);
        let mut search = Search::new(Strategy::Proof, 0);
        search.assert(question(&inner));

        let mut at_least = 0;
        let mut current = simplicity(&signature, &best);
        while at_least < current[level] {
            let aim = u64::midpoint(at_least, current[level] - 1);
            let mut bounds: Vec<Formula> =
                (0..level).map(|upper| at_most(&measures[upper], current[upper])).collect();
            bounds.push(at_most(&measures[level], aim));
            match search.solve(&bounds, &limits.with_conflicts(EFFORT)) {
                Verdict::Sat => {
                    let free = symbolic.read(|input| search.value(input));
                    let found = world.decode(&signature, &free);
                    best = by_hand(&signature, found, &mut is_witness, limits);
                    current = simplicity(&signature, &best);
                }
                Verdict::Unsat => at_least = aim + 1,
                Verdict::Unknown(Stopped::ConflictLimit) => {
                    proved = false;
                    at_least = aim + 1;
                }
                Verdict::Unknown(_) => return Minimised { inputs: best, proved: false },
            }
        }
    }
    Minimised { inputs: best, proved }
}

fn at_most(measure: &Term, bound: u64) -> Formula {
    Term::lit(measure.width(), bound).ult(measure).not()
}

/// Tries moves that a person would try, until none makes the witness simpler.
fn by_hand(
    signature: &Signature,
    inputs: Inputs,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
    limits: &Limits,
) -> Inputs {
    let mut best = inputs;
    let mut measure: Simplicity = simplicity(signature, &best);
    loop {
        let mut moved = false;
        let mut attempt = |candidate: Inputs, best: &mut Inputs| {
            let simpler = simplicity(signature, &candidate);
            if simpler < measure && is_witness(&candidate) {
                (*best, measure, moved) = (candidate, simpler, true);
            }
        };
        for k in 0..best.a.len() {
            if limits.stopped().is_some() {
                return best;
            }
            attempt(edited(&best, |x| (x.a[k], x.b[k]) = (0, 0)), &mut best);
            for earlier in 0..k {
                if best.a[earlier] == 0 && best.b[earlier] == 0 && best.a[k] != 0 {
                    attempt(edited(&best, |x| {
                        x.a.swap(earlier, k);
                        x.b.swap(earlier, k);
                    }), &mut best);
                }
            }
        }
        for operand in 0..2 * best.a.len() + 1 {
            if limits.stopped().is_some() {
                return best;
            }
            let format = format_of(signature, operand);
            for change in changes(&format, *slot(&mut best.clone(), operand)) {
                attempt(edited(&best, |x| *slot(x, operand) = change), &mut best);
            }
        }
        if !moved {
            return best;
        }
    }
}

fn edited(inputs: &Inputs, edit: impl FnOnce(&mut Inputs)) -> Inputs {
    let mut copy = inputs.clone();
    edit(&mut copy);
    copy
}

/// Operand number `operand`: `c`, then `a` and `b` of the products in turn.
fn slot(inputs: &mut Inputs, operand: usize) -> &mut u64 {
    match operand {
        0 => &mut inputs.c,
        odd if odd % 2 == 1 => &mut inputs.a[odd / 2],
        even => &mut inputs.b[even / 2 - 1],
    }
}

fn format_of(signature: &Signature, operand: usize) -> Format {
    match operand {
        0 => signature.c,
        odd if odd % 2 == 1 => signature.a,
        _ => signature.b,
    }
}

/// Simpler registers in place of one: zero, one, a power of two, fewer bits, exponents nearer 0.
fn changes(format: &Format, register: u64) -> Vec<u64> {
    if register == 0 {
        return Vec::new();
    }
    let low = format.dropped_bits + format.fraction_bits;
    let sign = 1 << (format.width() - 1);
    let fraction = (1 << low) - 1;
    let bias = format.bias() as u64;
    let field = (register & !sign) >> low;
    let with_field = |field: u64| register & (sign | fraction) | field << low;
    let mut all = vec![0, with_field(bias) & !fraction, register & !fraction, register & !sign];
    all.extend((0..low).filter(|bit| register >> bit & 1 == 1).map(|bit| register & !(1 << bit)));
    let toward = if field > bias { field.wrapping_sub(1) } else { field + 1 };
    all.extend([bias, u64::midpoint(field, bias), toward].map(with_field));
    all
}
