//! A search in which products may be any numbers.
//!
//! Multipliers are the hardest part of a formula, and most proofs need little of them: a product is
//! 0 iff a factor is 0, and two factors with their highest bits set give one of the two highest
//! bits. The search begins with these facts. Where it finds a number for a product, it learns the
//! pairs of factors that give this number, and goes on. If it finds no inputs, the question has
//! none; inputs all of whose products the search knows are inputs of the question.

use crate::claims::property::SymbolicInputs;
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Strategy};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::{Limits, Stopped, work};
use mmasmt_numbers::bits::term::{Formula, Multiplication, Substitution, Term, multiplications};
use mmasmt_numbers::bits::{Bv, Prop};
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
pub struct FreeProducts {
    pub search: CadicalSearch,
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
        let mut search = CadicalSearch::new(Strategy::Proof, seed);
        for product in &products {
            search.assert(product.zero().and(&product.highest()));
        }
        search.assert(freed.formula(whole)?);
        Some(FreeProducts { search, products })
    }

    /// Searches within `limits`, which hold for each of [`ROUNDS`] rounds.
    pub fn solve(&mut self, limits: &Limits) -> CadicalVerdict {
        for _ in 0..ROUNDS {
            match self.search.solve(&[], limits) {
                CadicalVerdict::Sat => {}
                verdict => return verdict,
            }
            if !self.learn() {
                return CadicalVerdict::Sat;
            }
        }
        CadicalVerdict::Unknown(Stopped::ConflictLimit)
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
        let pairs = factor_pairs(value, [x.width(), y.width()]);
        let is_pair = |[left, right]: [u64; 2]| {
            let left = x.equals(&Term::lit(x.width(), left));
            left.and(&y.equals(&Term::lit(y.width(), right)))
        };
        is_other.or(&Formula::any(pairs.map(is_pair)))
    }
}

/// All pairs of factors of the given widths whose product is `value`, which is not 0.
pub fn factor_pairs(value: u64, [m, n]: [u32; 2]) -> impl Iterator<Item = [u64; 2]> {
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
