//! Builds the inputs of a test, and gives access to their results.

use super::sums::{FormatMisfit, ProbeSum, SumPlace, number};
use super::unread::ReadingFailure;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Dyadic, hex_float};
use std::ops::RangeInclusive;

/// The number of controls: inputs at the beginning of each test whose results are known.
pub(super) const CONTROLS: usize = 2;

/// The inputs of a test, to which the test adds one after another. The first inputs are controls,
/// to which every unit of the signature gives the same result: 1 * 1, and 1 * 1 + 1. Integers have
/// 0 * 0 in place of 1 * 1, as one bit and one bit may count as their difference.
pub(super) struct TestInputs<'s> {
    pub(super) signature: &'s Signature,
    inputs: Vec<Inputs>,
}

/// A summand: its place in the sum, and its value.
pub(super) type PlacedTerm = (SumPlace, Dyadic);

/// Inputs that differ only in one exponent, which takes one value after another as far as the
/// formats reach.
pub(super) struct ExponentSweep {
    /// The negated exponents, in order.
    pub(super) depths: Vec<i64>,
    /// For each exponent, the number of its input.
    pub(super) ids: Vec<usize>,
    /// All summands are multiplied by `2^scale`.
    pub(super) scale: i64,
}

impl<'s> TestInputs<'s> {
    pub(super) fn new(signature: &'s Signature) -> Self {
        let mut asker = TestInputs {
            signature,
            inputs: Vec::new(),
        };
        for c in [0, signature.c.one()] {
            let mut inputs = Inputs::zero(signature);
            if !signature.is_integer() {
                (inputs.a[0], inputs.b[0]) = (signature.a.one(), signature.b.one());
            }
            inputs.c = c;
            asker.inputs.push(inputs);
        }
        asker
    }

    pub(super) fn into_inputs(self) -> Vec<Inputs> {
        self.inputs
    }

    /// Number of products.
    pub(super) fn products(&self) -> usize {
        self.signature.products as usize
    }

    /// Fraction bits of the result: the ulp of 1 is 2 to minus this number.
    pub(super) fn fraction_bits(&self) -> i64 {
        i64::from(self.signature.d.fraction_bits)
    }

    /// All places: the products, then `c`.
    pub(super) fn places(&self) -> Vec<SumPlace> {
        let products = (0..self.products()).map(SumPlace::Product);
        products.chain([SumPlace::C]).collect()
    }

    /// Checks that the unit has at least `count` products.
    pub(super) fn need_products(&self, count: usize) -> Result<(), FormatMisfit> {
        let found = self.products();
        if found >= count {
            return Ok(());
        }
        Err(FormatMisfit(format!(
            "at least {count} products are needed, there are {found}"
        )))
    }

    /// Adds inputs, and returns the number by which their result is found.
    pub(super) fn push(&mut self, inputs: Inputs) -> usize {
        self.inputs.push(inputs);
        self.inputs.len() - 1
    }

    /// Adds inputs with these summands, and returns the number by which their result is found.
    pub(super) fn add(&mut self, terms: &[PlacedTerm]) -> Result<usize, FormatMisfit> {
        let mut sum = ProbeSum::new(self.signature);
        for (place, value) in terms {
            sum = sum.put(*place, value)?;
        }
        Ok(self.push(sum.inputs()))
    }

    /// Adds inputs whose only product is that of these factors, and returns the number by which
    /// their result is found.
    pub(super) fn multiply(&mut self, x: &Dyadic, y: &Dyadic) -> Result<usize, FormatMisfit> {
        let sum = ProbeSum::new(self.signature).factors(0, x, y)?;
        Ok(self.push(sum.inputs()))
    }

    /// Adds the inputs that `make` builds. The second argument of `make` is a scale: the exponent
    /// of a power of two by which it multiplies all values. The scale is 0 if the formats allow
    /// that, else the first that they allow.
    pub(super) fn scaled<T>(
        &mut self,
        make: impl Fn(&mut Self, i64) -> Result<T, FormatMisfit>,
    ) -> Result<T, FormatMisfit> {
        let kept = self.inputs.len();
        let mut first = None;
        for scale in scales() {
            match make(self, scale) {
                Ok(made) => return Ok(made),
                Err(unfit) => {
                    self.inputs.truncate(kept);
                    first.get_or_insert(unfit);
                }
            }
        }
        Err(first.unwrap_or_else(|| FormatMisfit("no inputs".into())))
    }

    /// Adds inputs with the summands `terms(scale, depth)`, one for each of `depths` until the
    /// formats do not reach further. Takes the scale at which the formats reach furthest.
    pub(super) fn sweep(
        &mut self,
        depths: RangeInclusive<i64>,
        terms: impl Fn(i64, i64) -> Result<Vec<PlacedTerm>, FormatMisfit>,
    ) -> Result<ExponentSweep, FormatMisfit> {
        let kept = self.inputs.len();
        let mut best: Option<(i64, Vec<Inputs>)> = None;
        let mut first = None;
        for scale in scales() {
            for depth in depths.clone() {
                if let Err(unfit) = terms(scale, depth).and_then(|terms| self.add(&terms)) {
                    first.get_or_insert(unfit);
                    break;
                }
            }
            let made = self.inputs.split_off(kept);
            if made.len() > best.as_ref().map_or(0, |(_, best)| best.len()) {
                best = Some((scale, made));
            }
        }
        let Some((scale, made)) = best else {
            return Err(first.unwrap_or_else(|| FormatMisfit("no inputs".into())));
        };
        let ids = made.into_iter().map(|inputs| self.push(inputs)).collect();
        let depths = depths.collect();
        Ok(ExponentSweep { depths, ids, scale })
    }
}

/// The exponents of the powers of two by which a test may scale its summands, in the order in which
/// they are tried.
fn scales() -> impl Iterator<Item = i64> {
    (0..=30).step_by(2)
}

impl ExponentSweep {
    /// The last depth up to which `kept` holds without a gap, and whether this is the last depth of
    /// the sweep; `None` if `kept` fails at the first depth. If `kept` fails and holds again at a
    /// later depth, the results are inconsistent.
    pub(super) fn reach(
        &self,
        mut kept: impl FnMut(i64, usize) -> Result<bool, ReadingFailure>,
    ) -> Result<Option<(i64, bool)>, ReadingFailure> {
        let mut last = None;
        let mut ended = false;
        for (&depth, &id) in self.depths.iter().zip(&self.ids) {
            match (kept(depth, id)?, ended) {
                (true, false) => last = Some(depth),
                (true, true) => {
                    let text = format!("2^-{depth} counts, and a greater summand does not");
                    return Err(ReadingFailure::Inconsistent(text));
                }
                (false, _) => ended = true,
            }
        }
        Ok(last.map(|last| (last, !ended)))
    }
}

/// The results of a test's inputs.
pub struct TestResults<'r> {
    signature: &'r Signature,
    inputs: &'r [Inputs],
    registers: &'r [u64],
}

impl<'r> TestResults<'r> {
    pub(super) fn new(
        signature: &'r Signature,
        inputs: &'r [Inputs],
        registers: &'r [u64],
    ) -> Self {
        TestResults {
            signature,
            inputs,
            registers,
        }
    }

    /// Checks the controls: the unit must give 1 for 1 * 1, and 2 for 1 * 1 + 1; of integers, 0 and 1.
    pub(super) fn check_controls(&self) -> Result<(), ReadingFailure> {
        for (id, inputs) in self.inputs.iter().take(CONTROLS).enumerate() {
            // If the unit does not read `c`, `c` is 0 in the second control too.
            let product = i64::from(!self.signature.is_integer());
            let expected = number(product + i64::from(inputs.c != 0), 0);
            if !self.is(id, &expected)? {
                return Err(self.unexpected(id));
            }
        }
        Ok(())
    }

    /// The register of the result number `id`.
    pub(super) fn register(&self, id: usize) -> Result<u64, ReadingFailure> {
        let register = self.registers.get(id).copied();
        register.ok_or_else(|| self.unexpected(id))
    }

    /// The value of the result number `id`, which must be finite.
    pub(super) fn value(&self, id: usize) -> Result<Dyadic, ReadingFailure> {
        let register = self.register(id)?;
        let fits = self.signature.d.width() >= 64 || register >> self.signature.d.width() == 0;
        let value = Dyadic::of(&self.signature.d, register).filter(|_| fits);
        value.ok_or_else(|| self.unexpected(id))
    }

    /// Whether the result number `id`, which must be finite, equals `value`.
    pub(super) fn is(&self, id: usize, value: &Dyadic) -> Result<bool, ReadingFailure> {
        Ok(self.value(id)? == *value)
    }

    /// The index in `values` of the value of result number `id`; an error if the value is not in
    /// `values`.
    pub(super) fn one_of(&self, id: usize, values: &[&Dyadic]) -> Result<usize, ReadingFailure> {
        let found = self.value(id)?;
        let at = values.iter().position(|value| **value == found);
        at.ok_or_else(|| self.unexpected(id))
    }

    /// The error for a result that is none of the expected values. If the result is within
    /// `tolerance` of `exact`, the unit may round in an unknown way, and the test is undecided for
    /// the reason `why`. Otherwise no known unit gives the result.
    pub(super) fn near(
        &self,
        id: usize,
        exact: &Dyadic,
        tolerance: &Dyadic,
        why: &str,
    ) -> ReadingFailure {
        match self.value(id) {
            Ok(value) if !value.minus(exact).magnitude_exceeds(tolerance) => {
                ReadingFailure::Undecided(why.into())
            }
            _ => self.unexpected(id),
        }
    }

    /// The error for a result that no known unit gives.
    pub(super) fn unexpected(&self, id: usize) -> ReadingFailure {
        let text = self.registers.get(id).map_or("nothing".into(), |register| {
            hex_float(&self.signature.d, *register)
        });
        let inputs = self.inputs.get(id);
        let inputs = inputs.map_or(String::new(), |inputs| inputs.to_line(self.signature));
        ReadingFailure::Inconsistent(format!("`{inputs}` gives {text}, as no known unit does"))
    }
}
