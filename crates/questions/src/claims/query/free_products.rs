//! A search in which products may be any numbers.
//!
//! Multipliers are the hardest part of a formula, and most proofs need little of them: a product is
//! 0 iff a factor is 0, and two factors with their highest bits set give one of the two highest
//! bits. The search begins with these facts. Where it finds a number for a product, it learns the
//! pairs of factors that give this number, and goes on. If it finds no inputs, the question has
//! none; inputs all of whose products the search knows are inputs of the question.

use crate::claims::property::SymbolicInputs;
use crate::solver::engine::{Search, Strategy, Verdict};
use mmasmt_core::base::limits::{Limits, Stopped, work};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::numbers::bits::term::{
    Formula, Multiplication, Substitution, Term, multiplications,
};
use mmasmt_core::numbers::bits::{Bv, Prop};
use rustc_hash::FxHashSet;

/// The most multiplications that are replaced.
const MOST: usize = 64;
/// The most bits of a factor, so that all pairs of factors of a number are found in a moment.
const MOST_BITS: u32 = 24;
/// How often the search may learn from a number in one call.
const ROUNDS: u32 = 40;
/// The first number of the inputs that stand for products, counted down.
const FIRST_INPUT: u32 = u32::MAX - 1000;

/// The search, and what it knows of each product.
pub(super) struct FreeProducts {
    search: Search,
    products: Vec<Product>,
}

/// A product, and the numbers whose factors the search knows.
struct Product {
    input: u32,
    free: Term,
    factors: [Term; 2],
    known: FxHashSet<u64>,
}

impl FreeProducts {
    /// The search for inputs that meet `whole`; `None` if it has no multiplications, or more or
    /// wider ones than this search is good for.
    pub fn of(whole: Formula, seed: u64) -> Option<Self> {
        let found = multiplications(whole);
        let is_narrow = |one: &Multiplication| one.factors.iter().all(|x| x.width() <= MOST_BITS);
        if found.is_empty() || found.len() > MOST || !found.iter().all(is_narrow) {
            return None;
        }
        let mut freed = Substitution::new();
        let mut products = Vec::with_capacity(found.len());
        for (Multiplication { product, factors }, number) in found.into_iter().zip(0..) {
            let input = FIRST_INPUT - number;
            let free = Term::input(input, product.width());
            let [x, y] = factors;
            let factors = [freed.term(&x)?, freed.term(&y)?];
            freed.put(&product, &free);
            products.push(Product {
                input,
                free,
                factors,
                known: FxHashSet::from_iter([0]),
            });
        }
        let mut search = Search::new(Strategy::Proof, seed);
        for product in &products {
            search.assert(product.zero().and(&product.highest()));
        }
        search.assert(freed.formula(whole)?);
        Some(FreeProducts { search, products })
    }

    /// Searches within `limits`, which hold for each of [`ROUNDS`] rounds.
    pub fn solve(&mut self, limits: &Limits) -> Verdict {
        for _ in 0..ROUNDS {
            match self.search.solve(&[], limits) {
                Verdict::Sat => {}
                verdict => return verdict,
            }
            if !self.learn() {
                return Verdict::Sat;
            }
        }
        Verdict::Unknown(Stopped::ConflictLimit)
    }

    /// The inputs that the search found.
    pub fn read(&self, inputs: &SymbolicInputs) -> Inputs {
        inputs.read(|input| self.search.value(input))
    }

    /// Tells the search the factors of the numbers that it found; false if it knew them all.
    fn learn(&mut self) -> bool {
        let mut has_learnt = false;
        for product in &mut self.products {
            let value = self.search.value(product.input);
            if product.known.insert(value) {
                self.search.assert(product.pairs(value));
                has_learnt = true;
            }
        }
        has_learnt
    }
}

impl Product {
    /// The product is 0 iff a factor is 0.
    fn zero(&self) -> Formula {
        let [x, y] = &self.factors;
        let has_zero = x.is_zero().or(&y.is_zero());
        self.free.is_zero().xor(&has_zero).not()
    }

    /// Factors with their highest bits set give a product of at least the product of these bits.
    fn highest(&self) -> Formula {
        let [x, y] = &self.factors;
        let highest = x.msb().and(&y.msb());
        let width = self.free.width();
        let top = self.free.extract(width - 1, width - 2).is_zero().not();
        highest.not().or(&top)
    }

    /// If the product is `value`, the factors are one of the pairs that give `value`, which is not
    /// 0.
    fn pairs(&self, value: u64) -> Formula {
        let [x, y] = &self.factors;
        let is_other = self.free.equals(&Term::lit(self.free.width(), value)).not();
        let pairs = pairs(value, [x.width(), y.width()]);
        let is_pair = |[left, right]: [u64; 2]| {
            let left = x.equals(&Term::lit(x.width(), left));
            left.and(&y.equals(&Term::lit(y.width(), right)))
        };
        is_other.or(&Formula::any(pairs.map(is_pair)))
    }
}

/// All pairs of factors of the given widths whose product is `value`, which is not 0.
fn pairs(value: u64, [m, n]: [u32; 2]) -> impl Iterator<Item = [u64; 2]> {
    work(1 << m.min(n));
    let limit = [1 << m, 1 << n];
    let below = limit[0].min(limit[1]);
    let smaller = (1..below).take_while(move |x| x * x <= value);
    let found = smaller.filter(move |x| value.is_multiple_of(*x));
    let both = found.flat_map(move |x| {
        let other = value / x;
        let twice = (other != x).then_some([other, x]);
        std::iter::once([x, other]).chain(twice)
    });
    both.filter(move |[x, y]| *x < limit[0] && *y < limit[1])
}

#[cfg(test)]
mod tests {
    use super::{FreeProducts, pairs};
    use crate::solver::engine::Verdict;
    use mmasmt_core::base::limits::Limits;
    use mmasmt_core::numbers::bits::term::{Formula, Term, scope};
    use mmasmt_core::numbers::bits::{Bv, Prop};

    /// Every number has the pairs of factors that a search of all pairs finds.
    #[test]
    fn pairs_are_all_pairs() {
        for widths in [[3, 5], [5, 3], [4, 4]] {
            let [m, n] = widths.map(|width| 1_u64 << width);
            for value in 1..m * n {
                let mut found: Vec<_> = pairs(value, widths).collect();
                found.sort_unstable();
                let all = (0..m).flat_map(|x| (0..n).map(move |y| [x, y]));
                let expected: Vec<_> = all.filter(|[x, y]| x * y == value).collect();
                assert_eq!(found, expected, "{value} of {widths:?}");
            }
        }
    }

    fn solved(formula: impl Fn(&Term, &Term, &Term) -> Formula) -> Option<[u64; 2]> {
        let [x, y] = [0, 1].map(|index| Term::input(index, 5));
        let whole = formula(&x, &y, &x.mul_wide(&y));
        let mut search = FreeProducts::of(whole, 0).unwrap();
        match search.solve(&Limits::default()) {
            Verdict::Sat => Some([0, 1].map(|index| search.search.value(index))),
            Verdict::Unsat => None,
            Verdict::Unknown(stopped) => panic!("{stopped:?}"),
        }
    }

    /// The product is a number that has few pairs of factors, or none.
    #[test]
    fn numbers_are_told_by_their_factors() {
        for value in 1..=31 * 31 {
            let is_value =
                |_: &Term, _: &Term, product: &Term| product.equals(&Term::lit(10, value));
            let found = scope(|| solved(is_value));
            let is_product = (1..32).any(|x| value % x == 0 && value / x < 32);
            assert_eq!(found.is_some(), is_product, "{value}");
            assert!(
                found.is_none_or(|[x, y]| x * y == value),
                "{value}: {found:?}"
            );
        }
    }

    /// The facts from the beginning hold for every pair of factors.
    #[test]
    fn every_pair_of_factors_is_a_model() {
        for (x, y) in (0..32).flat_map(|x| [0, 1, 2, 3, 5, 15, 16, 17, 30, 31].map(|y| (x, y))) {
            let found = scope(|| {
                solved(|left, right, product| {
                    let is = |term: &Term, value| term.equals(&Term::lit(term.width(), value));
                    Formula::all([is(left, x), is(right, y), is(product, x * y)])
                })
            });
            assert_eq!(found, Some([x, y]));
        }
    }
}
