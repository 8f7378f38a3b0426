//! By how much a result falls where `c` or a factor steps to its next greater number, though the exact sum rises.

use super::climb::{Candidate, Objective, search};
use crate::claims::bounds::{ErrorBound, ErrorUnit, Factors, error_bound, greatest_error};
use crate::claims::monotone::MovingOperands;
use crate::claims::property::{Domain, steps_up};
use crate::inputs::{CrossingOperand, crossings};
use crate::vectors::measure::{ExactSum, LinearMap, Measure, Quotient, Summer};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::{Model, Simulator};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format};

/// The simple inputs that a search begins with.
const STARTS: usize = 20_000;

/// A step up, and the fall of the result.
#[derive(Clone, Debug)]
pub struct Fall {
    /// The operands before the step.
    pub before: Inputs,
    /// The operands after it, where `c` or a product is greater.
    pub after: Inputs,
    /// The operand that steps, such as `a[2]`.
    pub operand: String,
    /// The results before and after.
    pub results: [u64; 2],
    /// The fall, in the measure of the search.
    pub fall: Quotient,
}

impl Fall {
    /// True if the result falls, and does not stay.
    pub fn is_one(&self) -> bool {
        let none = Dyadic::new(0.into(), 0);
        self.fall > Quotient::new(&none, &none)
    }

    /// The number that the operand steps to, as a register in hexadecimal digits.
    pub fn stepped(&self, signature: &Signature) -> String {
        let each = |inputs: &Inputs| -> Vec<(Format, u64)> {
            let all = inputs.each(signature);
            all.map(|(format, bits)| (format, *bits)).collect()
        };
        let pairs = each(&self.before).into_iter().zip(each(&self.after));
        let mut changed = pairs.filter(|(before, after)| before.1 != after.1);
        changed.next().map_or(String::new(), |(_, (format, bits))| {
            format!("0x{bits:0digits$x}", digits = format.digits())
        })
    }
}

impl Candidate for Fall {
    fn inputs(&self) -> &Inputs {
        &self.before
    }

    fn score(&self) -> &Quotient {
        &self.fall
    }
}

/// Finds how far the results of a model fall on steps up.
pub struct FallJudge<'x> {
    model: &'x Model,
    signature: Signature,
    simulator: Simulator<'x>,
    summer: Summer,
    moving: MovingOperands,
    measure: Measure,
    domain: &'x Domain,
    seed: u64,
}

impl<'x> FallJudge<'x> {
    /// A judge of the results of `model` on inputs in `domain`, where `moving` steps.
    pub fn new(
        model: &'x Model,
        moving: MovingOperands,
        measure: Measure,
        domain: &'x Domain,
        seed: u64,
    ) -> Self {
        FallJudge {
            model,
            signature: model.signature(),
            simulator: model.simulator(),
            summer: Summer::of(model),
            moving,
            measure,
            domain,
            seed,
        }
    }

    /// A number that no fall exceeds; `None` if none is known. The exact sum rises, so that a fall is at most the errors of
    /// both results together, of which each is at most the greatest one in the domain.
    pub fn bound(&self) -> Option<Quotient> {
        let is_whole = matches!(self.measure, Measure::Absolute | Measure::RelativeToSum);
        let unit = ErrorUnit::Measured(self.measure);
        let is_known = is_whole && self.sum_rises();
        let error = is_known.then(|| greatest_error(self.model, self.domain, unit))?;
        Some(error?.doubled())
    }

    /// The bounds of falls for operands of any size, with the greater one of both sums of magnitudes: for normal factors and
    /// zeros, and for all finite factors.
    pub fn bounds(&self) -> [Option<ErrorBound>; 2] {
        [
            Factors::normal(&self.signature),
            Factors::finite(&self.signature),
        ]
        .map(|factors| {
            let bound = error_bound(self.model, factors).filter(|_| self.sum_rises());
            bound.map(|bound| bound.doubled())
        })
    }

    /// True if the exact result rises: with a negative factor, that of an epilogue falls.
    fn sum_rises(&self) -> bool {
        let falls = LinearMap::of(self.model.algorithm())
            .map_or([false; 2], |map| map.gains().map(|gain| gain.is_negative()));
        match self.moving {
            MovingOperands::C => !falls[0],
            MovingOperands::Products => !falls[1],
        }
    }

    /// The step of these operands whose fall is greatest.
    fn steps(&mut self, inputs: &Inputs, before: u64, exact: &ExactSum) -> Option<Fall> {
        let format = self.signature.d;
        let from = Dyadic::of(&format, before)?;
        let steps = steps_up(&self.signature, self.domain, inputs, self.moving);
        let falls = steps.into_iter().filter_map(|(operand, after, is_down)| {
            let d = self.simulator.run(&after);
            let to = Dyadic::of(&format, d)?;
            // A product falls where the other factor is negative, and its result may not rise.
            let fall = if is_down {
                to.minus(&from)
            } else {
                from.minus(&to)
            };
            if fall.is_negative() {
                return None;
            }
            let other = self.summer.sum(&after)?;
            let magnitudes = match other.magnitudes.magnitude_exceeds(&exact.magnitudes) {
                true => other.magnitudes,
                false => exact.magnitudes.clone(),
            };
            // The last place of the greater one of both results.
            let exponents = [before, d].map(|d| format.number(d).map(|number| number.exponent));
            let place = || Some(Dyadic::new(1.into(), exponents[0]?.max(exponents[1]?)));
            let unit = match self.measure {
                Measure::Absolute => Dyadic::new(1.into(), 0),
                Measure::RelativeToSum => magnitudes,
                Measure::Relative => exact.value.magnitude(),
                Measure::Ulp => place()?,
            };
            let fall = Quotient::new(&fall, &unit);
            (!fall.is_infinite()).then_some(Fall {
                before: inputs.clone(),
                after,
                operand,
                results: [before, d],
                fall,
            })
        });
        falls.reduce(|best, one| if one.fall > best.fall { one } else { best })
    }
}

impl Objective for FallJudge<'_> {
    type Judgement = Fall;

    fn judge(&mut self, inputs: &Inputs) -> Option<Fall> {
        if !inputs.is_finite(&self.signature) || !self.domain.contains(inputs) {
            return None;
        }
        let exact = self.summer.sum(inputs)?;
        let before = self.simulator.run(inputs);
        self.steps(inputs, before, &exact)
    }

    fn again(&self) -> Self {
        FallJudge::new(
            self.model,
            self.moving,
            self.measure,
            self.domain,
            self.seed,
        )
    }

    fn signature(&self) -> Signature {
        self.signature
    }

    fn domain(&self) -> &Domain {
        self.domain
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn highest(&self) -> Option<Quotient> {
        self.bound()
    }
}

/// The greatest fall that a search finds, and the number of operands tried. `None` if no step up was found on which the
/// result does not rise.
pub fn greatest_fall(judge: &mut FallJudge<'_>, limits: &Limits) -> (Option<Fall>, u64) {
    let stepping = match judge.moving {
        MovingOperands::C => CrossingOperand::C,
        MovingOperands::Products => CrossingOperand::Factor,
    };
    let signature = judge.signature;
    let starts = crossings(&signature, stepping).take(STARTS);
    search(judge, starts, limits)
}
