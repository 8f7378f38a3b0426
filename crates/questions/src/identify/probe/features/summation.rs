//! The summation tree (Xie et al. §III-C). There is one input for each pair of
//! summands: the two summands are a large power of two and its negative, and all other summands are
//! a small power of two. The result shows how many of the small numbers were added after the large
//! ones had cancelled.

use crate::identify::probe::asker::{TestInputs, TestResults};
use crate::identify::probe::sums::{
    FormatMisfit, ProbeSum, SumPlace, large_and_small, number, register, zero,
};
use crate::identify::probe::test::{ProbeValue, ReadingRule, TestFinding};
use crate::identify::probe::tree::{SummationTree, build_tree};
use crate::identify::probe::unread::{ReadingFailure, undecided};
use mmasmt_numbers::float::Dyadic;
use num_traits::{Signed, ToPrimitive};

/// The inputs for all pairs of summands.
struct Summation {
    /// The inputs for summands i > j, ordered by i and then by j.
    ids: Vec<usize>,
    small: i64,
    gap: i64,
    summands: usize,
    /// How far a result may be from zero in a unit that rounds: a few ulp of the large power of two
    /// for each summand.
    moved: Dyadic,
}

/// The distance from which on the small power of two is too low for every known alignment to keep
/// it.
const FAR_GAP: i64 = 40;

impl Summation {
    fn ask(asker: &mut TestInputs<'_>) -> Result<Self, FormatMisfit> {
        let signature = asker.signature;
        let [large, small] = large_and_small(signature)?;
        let places = asker.places();
        let mut ids = Vec::new();
        // The registers are computed once, as there are many pairs.
        let product = |exponent, sign: i64| {
            let value = number(sign, exponent);
            let inputs = ProbeSum::new(signature)
                .put(SumPlace::Product(0), &value)?
                .inputs();
            let c = register(&signature.c, &value)?;
            Ok::<_, FormatMisfit>((inputs.a[0], inputs.b[0], c))
        };
        let summands = [(small, 1), (large, 1), (large, -1)];
        let registers = summands.map(|(exponent, sign)| product(exponent, sign));
        let [few, plus, minus] = registers;
        let (few, plus, minus) = (few?, plus?, minus?);
        for i in 0..places.len() {
            for j in 0..i {
                let mut sum = ProbeSum::new(signature);
                for (at, place) in places.iter().enumerate() {
                    let (x, y, c) = match at {
                        _ if at == i => minus,
                        _ if at == j => plus,
                        _ => few,
                    };
                    sum = match place {
                        SumPlace::Product(k) => sum.registers(*k, x, y)?,
                        SumPlace::C => sum.c_register(c),
                    };
                }
                ids.push(asker.push(sum.inputs()));
            }
        }
        Ok(Summation {
            ids,
            small,
            gap: large - small,
            summands: places.len(),
            moved: number(4 * places.len() as i64, large - asker.fraction_bits()),
        })
    }

    /// The tree that the results show.
    fn read(&self, results: &TestResults<'_>) -> Result<SummationTree, ReadingFailure> {
        let mut lost = Vec::with_capacity(self.ids.len());
        for &id in &self.ids {
            let counted = results.value(id)?.shifted(-self.small);
            let whole = counted.exponent() >= 0 && !counted.mantissa().is_negative();
            let counted = (counted.mantissa() << counted.exponent().max(0)).to_usize();
            match counted.filter(|count| whole && *count <= self.summands - 2) {
                Some(count) => lost.push(self.summands - count),
                None => {
                    let why = "small summands move large ones by an ulp: the order is not seen";
                    return Err(results.near(id, &zero(), &self.moved, why));
                }
            }
        }
        if self.summands > 2 && lost.iter().all(|lost| *lost == 2) {
            let gap = self.gap;
            return undecided(format!(
                "nothing is lost beside 2^{gap}: one exact sum, or one that keeps that much"
            ));
        }
        let between = |i: usize, j: usize| lost[i * (i - 1) / 2 + j];
        build_tree(self.summands, between).map_err(|why| match self.gap {
            ..FAR_GAP => ReadingFailure::Undecided(format!(
                "summands within 2^{} of each other may be too near: {}",
                self.gap, why.0
            )),
            _ => ReadingFailure::Inconsistent(why.0),
        })
    }
}

pub(super) fn tree(asker: &mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit> {
    let summation = Summation::ask(asker)?;
    let products = asker.products();
    Ok(Box::new(move |results| {
        let tree = summation.read(results)?;
        let formula = tree.formula(products);
        let name = tree.shape(products).unwrap_or_else(|| formula.clone());
        Ok(TestFinding {
            value: ProbeValue::Named(name),
            shows: format!("summands are added as {formula}"),
            tree: Some(tree),
        })
    }))
}
