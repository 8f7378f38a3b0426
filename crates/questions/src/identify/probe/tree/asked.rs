//! The summation tree of a machine with many products, found by questions that depend on earlier
//! answers: far fewer than all pairs of summands.
//!
//! As in the test of the summation tree, two summands cancel, and the others are too small to count
//! until they have. The answer is the number of summands under the operation that adds the two. One
//! summand with each of the others gives all operations above it, and the summands that each of
//! these adds: the next questions are about these alone. In an operation of more than two terms, the
//! terms are told apart by one summand of each with all others, as in FPRev.

use super::SummationTree;
use super::build::no_order;
use super::growing::{PairPrediction, PartialTree, TreePart, tree_of};
use crate::identify::probe::sums::{
    FormatMisfit, ProbeSum, SumPlace, large_and_small, number, register,
};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use crate::vectors::device::{Device, DeviceError};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Dyadic;
use num_traits::{Signed, ToPrimitive};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The most questions, and the most products of the questions that are asked at once.
const MOST: usize = 1 << 18;
const PRODUCTS: usize = 1 << 20;
/// For each summand, the number of pairs at random that the tree has to explain.
const CHECKED: usize = 4;
/// The most products: a sum of more, one after another, is a tree too deep to draw.
const MOST_PRODUCTS: usize = 8192;

/// The tree of `device`, by questions one after another; `reads_c` says whether `c` is a summand. The
/// inner result is why the answers show no tree.
///
/// # Errors
/// If the device fails.
pub fn ask_tree(
    device: &mut dyn Device,
    reads_c: bool,
) -> Result<Result<SummationTree, ReadingFailure>, DeviceError> {
    let pairs = match Pairs::of(device.signature(), reads_c) {
        Ok(pairs) => pairs,
        Err(FormatMisfit(why)) => return Ok(undecided(why)),
    };
    let mut growing = PartialTree::new(pairs.places.len());
    let mut count = 0;
    while !growing.is_grown() {
        let asked = growing.questions();
        count += asked.len();
        if count > MOST {
            return Ok(undecided(format!(
                "more than {MOST} pairs of summands would have to be asked"
            )));
        }
        match pairs.ask(device, &asked)? {
            Ok(lost) => {
                if let Err(why) = growing.answer(&lost) {
                    return Ok(Err(why));
                }
            }
            Err(why) => return Ok(Err(why)),
        }
    }
    let parts = growing.parts();
    if let Some(TreePart { exact: true, .. }) = parts.get(growing.root) {
        return Ok(undecided(
            "nothing is lost: one exact sum, or one that keeps that much",
        ));
    }
    // What was not asked is drawn.
    let count = pairs.places.len();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let drawn = (0..CHECKED * count).map(|_| {
        let i = rng.random_range(1..count);
        [i, rng.random_range(0..i)]
    });
    let drawn: Vec<[usize; 2]> = drawn.collect();
    let lost = match pairs.ask(device, &drawn)? {
        Ok(lost) => lost,
        Err(why) => return Ok(Err(why)),
    };
    let predicted = PairPrediction::of(&parts, growing.root, count);
    let agrees = |(pair, lost): (&[usize; 2], &usize)| predicted.lost(*pair) == *lost;
    if !drawn.iter().zip(&lost).all(agrees) {
        return Ok(Err(ReadingFailure::Inconsistent(no_order().0)));
    }
    Ok(Ok(tree_of(&parts, growing.root, count)))
}

/// The inputs for pairs of summands.
struct Pairs {
    signature: Signature,
    places: Vec<SumPlace>,
    /// The factors and `c` of a small summand, a large one, and its negative.
    registers: [(u64, u64, u64); 3],
    small: i64,
}

impl Pairs {
    fn of(signature: Signature, reads_c: bool) -> Result<Pairs, FormatMisfit> {
        let [large, small] = large_and_small(&signature)?;
        let count = signature.products as usize;
        if count > MOST_PRODUCTS {
            return Err(FormatMisfit(format!(
                "at most {MOST_PRODUCTS} products are asked, there are {count}"
            )));
        }
        if count as u64 >> signature.d.precision() != 0 {
            return Err(FormatMisfit(format!(
                "{} does not count to {count}",
                signature.d
            )));
        }
        let registers = |exponent, sign| {
            let value = number(sign, exponent);
            let inputs = ProbeSum::new(&signature)
                .put(SumPlace::Product(0), &value)?
                .inputs();
            Ok((inputs.a[0], inputs.b[0], register(&signature.c, &value)?))
        };
        let products = (0..count).map(SumPlace::Product);
        Ok(Pairs {
            registers: [
                registers(small, 1)?,
                registers(large, 1)?,
                registers(large, -1)?,
            ],
            places: products.chain(reads_c.then_some(SumPlace::C)).collect(),
            small,
            signature,
        })
    }

    fn inputs(&self, [i, j]: [usize; 2]) -> Inputs {
        let mut inputs = ProbeSum::new(&self.signature).inputs();
        for (at, place) in self.places.iter().enumerate() {
            let [few, plus, minus] = self.registers;
            let (x, y, c) = match at {
                _ if at == i => minus,
                _ if at == j => plus,
                _ => few,
            };
            match place {
                SumPlace::Product(k) => (inputs.a[*k], inputs.b[*k]) = (x, y),
                SumPlace::C => inputs.c = c,
            }
        }
        inputs
    }

    /// For each pair, the number of summands that are lost beside it, the pair included.
    fn ask(
        &self,
        device: &mut dyn Device,
        asked: &[[usize; 2]],
    ) -> Result<Result<Vec<usize>, ReadingFailure>, DeviceError> {
        let mut lost = Vec::with_capacity(asked.len());
        let at_once = (PRODUCTS / self.places.len()).max(1);
        for some in asked.chunks(at_once) {
            let inputs: Vec<Inputs> = some.iter().map(|pair| self.inputs(*pair)).collect();
            let results = device.run(&inputs)?;
            for (inputs, result) in inputs.iter().zip(results) {
                match self.count(result) {
                    Some(count) => lost.push(self.places.len() - count),
                    None => {
                        let line = inputs.to_line(&self.signature);
                        let line = mmasmt_numbers::base::excerpt::excerpt(&line);
                        return Ok(undecided(format!(
                            "`{line}` gives no number of small summands: the order is not seen"
                        )));
                    }
                }
            }
        }
        match lost.len() == asked.len() {
            true => Ok(Ok(lost)),
            false => Ok(undecided("some questions have no answer")),
        }
    }

    /// The number of small summands that a result is.
    fn count(&self, result: u64) -> Option<usize> {
        let sum = Dyadic::of(&self.signature.d, result)?.shifted(-self.small);
        if sum.exponent() < 0 || sum.mantissa().is_negative() {
            return None;
        }
        let count = (sum.mantissa() << sum.exponent()).to_usize()?;
        (count + 2 <= self.places.len()).then_some(count)
    }
}
