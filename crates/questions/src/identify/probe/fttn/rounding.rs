//! The tests `T_rnd_dir` and `T_prod` of FTTN: they find the rounding direction of sums and of
//! products.

use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::mode::{Case, Eight, Mode, QUARTERS};
use crate::identify::probe::sum_rounding::SumRounding;
use crate::identify::probe::sums::{Place, Sum, Unfit, number, pow2};
use crate::identify::probe::test::{ReadingRule, named};
use crate::identify::probe::unread::{Unread, undecided};

/// Inputs that show how sums are rounded: sums of 1 and quarters of an ulp, with both signs, and
/// the sum of 1 and one ulp, which is exact in a unit that keeps enough bits.
pub(in crate::identify::probe) struct Direction {
    eight: Eight,
    rounding: SumRounding,
    whole: usize,
    scale: i64,
    fraction_bits: i64,
}

impl Direction {
    pub(in crate::identify::probe) fn ask(asker: &mut TestInputs<'_>) -> Result<Self, Unfit> {
        let fraction_bits = asker.fraction_bits();
        let (eight, whole, scale) = asker.scaled(|asker, scale| {
            let unit = scale - fraction_bits;
            let terms = |places: [Place; 2], quarters: i64| {
                let one = number(quarters.signum(), scale);
                vec![(places[0], one), (places[1], number(quarters, unit - 2))]
            };
            let products = [Place::Product(0), Place::Product(1)];
            let late = [Place::Product(0), Place::C];
            let mut ask = |places| -> Result<_, Unfit> {
                let eight = Eight::ask(asker, &pow2(scale), unit, |q| terms(places, q))?;
                Ok((eight, asker.add(&terms(places, 4))?))
            };
            let (eight, whole) = match ask(products) {
                Ok(asked) => asked,
                Err(_) => ask(late)?,
            };
            Ok((eight, whole, scale))
        })?;
        Ok(Direction {
            eight,
            rounding: SumRounding::ask(asker, fraction_bits),
            whole,
            scale,
            fraction_bits,
        })
    }

    pub(in crate::identify::probe) fn read(
        &self,
        results: &TestResults<'_>,
    ) -> Result<Mode, Unread> {
        if self.is_short(results)? {
            undecided("sums keep fewer bits than the result has")
        } else {
            self.rounding.read(&self.eight, results)
        }
    }

    /// Whether sums keep fewer bits than the result has.
    pub(in crate::identify::probe) fn is_short(
        &self,
        results: &TestResults<'_>,
    ) -> Result<bool, Unread> {
        let one = pow2(self.scale);
        let next = one.plus(&pow2(self.scale - self.fraction_bits));
        Ok(results.one_of(self.whole, &[&one, &next])? == 0)
    }
}

pub(super) fn direction(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let direction = Direction::ask(asker)?;
    Ok(Box::new(move |results| {
        let mode = direction.read(results)?;
        named(mode.fttn_name(), format!("a sum {}", mode.shows()))
    }))
}

/// How a product is rounded: asks for `(1 + k ulp) * (1 + 2^-2)`, which is `1 + 2^-2` plus 5k
/// quarters of an ulp. For k = 2 and k = 6 this is a tie: half an ulp above 2 ulp and above 7 ulp.
pub(super) fn product(asker: &mut TestInputs<'_>) -> Result<ReadingRule, Unfit> {
    let signature = asker.signature;
    let bits = asker.fraction_bits();
    let (a, b) = (&signature.a, &signature.b);
    if a.precision() + b.precision() <= signature.d.precision() {
        let d = &signature.d;
        return Err(Unfit(format!("products {a} x {b} fit {d} exactly")));
    }
    if i64::from(a.precision()) <= bits {
        return Err(Unfit(format!("{a} has fewer bits than the result")));
    }
    let mut cases = Vec::new();
    for quarters in QUARTERS {
        let magnitude = pow2(0).plus(&number(quarters.abs(), -bits));
        let negative = quarters < 0;
        let x = if negative {
            magnitude.negated()
        } else {
            magnitude
        };
        let sum = Sum::new(signature).factors(0, &x, &number(5, -2))?;
        let low = number(5, -2).plus(&number(5 * quarters.abs() / 4, -bits));
        cases.push(Case::new(asker.push(sum.inputs()), low, -bits, negative));
    }
    let eight = Eight::of(cases);
    Ok(Box::new(move |results| {
        let mode = eight.read(results)?;
        // If the last bit of a product is cut before it is rounded, other modes give the same
        // results as these modes.
        if let Mode::NearestUp
        | Mode::NearestDown
        | Mode::NearestZero
        | Mode::NearestAway
        | Mode::NearestOdd = mode
        {
            return undecided(
                "ties are not rounded to even: the last bit of a product may be cut before it is rounded",
            );
        }
        named(mode.fttn_name(), format!("a product {}", mode.shows()))
    }))
}
