//! What an algorithm leaves behind: every stage on the way to its result.

use crate::base::limits::work;
use crate::numbers::bits::{Bv, Prop};
use crate::numbers::float::{Format, SpecialTerm};

/// What a step takes at least, in bytes of nodes of a formula made in the same time.
const STEP_WORK: u64 = 64;

/// The steps of one evaluation, first to last. It can be cleared and used again without
/// allocating.
pub struct Stages<B: Bv> {
    steps: Vec<Step<B>>,
    spare: Vec<Box<Fused<B>>>,
    /// Whether steps are left behind.
    are_kept: bool,
}

/// One step of an evaluation.
pub enum Step<B: Bv> {
    /// A fused sum with one alignment and one rounding.
    Fused(Box<Fused<B>>),
    /// A value that was rounded to a format.
    Rounded {
        /// What was done, for a person.
        what: &'static str,
        /// Which one of several such values.
        index: Option<usize>,
        /// Its format.
        format: Format,
        /// Its register.
        value: B,
    },
}

/// The stages of a fused sum: unpacked terms, largest exponent, aligned terms, sum, and result if
/// it is rounded.
pub struct Fused<B: Bv> {
    /// The fixed facts of its numbers.
    pub grid: Grid,
    /// The terms in order; where `c` is one of them it is the last.
    pub terms: Vec<Summand<B>>,
    /// Their exponents less `grid.exponent_offset`, and the lower limit if there is one.
    pub exponents: Vec<B>,
    /// The exponent that all terms are aligned to, less `grid.exponent_offset`.
    pub max_exponent: B,
    /// The terms in two's complement with `grid.fraction_bits` behind the point.
    pub aligned: Vec<B>,
    /// Whether alignment lost a one of any term, in a unit that keeps a sticky bit of that below
    /// the sum.
    pub sticky: Option<B::Bool>,
    /// Their sum, as wide as the unit keeps it.
    pub sum: B,
    /// The result register; nothing of use where `grid.result` is none.
    pub result: B,
}

/// A term of a fused sum before alignment:
/// `(-1)^sign * significand * 2^(exponent - fraction)`, where `fraction` is
/// that of its kind in [`Grid`] and `sign` that of `special`.
#[derive(Clone, Debug)]
pub struct Summand<B: Bv> {
    /// Its significand, not normalised.
    pub significand: B,
    /// Whether it is zero.
    pub zero: B::Bool,
    /// Whether it is an infinity or a NaN; then the numbers above mean nothing.
    pub special: SpecialTerm<B>,
}

impl<B: Bv> Summand<B> {
    /// What stands in the place of a term before there is one.
    pub(super) fn none() -> Self {
        let no = B::Bool::constant(false);
        Summand {
            significand: B::lit(1, 0),
            zero: no.clone(),
            special: SpecialTerm {
                nan: no.clone(),
                infinite: no.clone(),
                sign: no,
            },
        }
    }
}

impl<B: Bv> Fused<B> {
    /// Takes the terms with their exponents, and forgets what was there.
    pub(super) fn fill(&mut self, terms: impl Iterator<Item = (Summand<B>, B)>) {
        self.terms.clear();
        self.exponents.clear();
        for (term, exponent) in terms {
            self.terms.push(term);
            self.exponents.push(exponent);
        }
    }
}

/// The fixed facts of a fused sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// What is added to every exponent of the stages.
    pub exponent_offset: i32,
    /// What is summed, where a dot-add has several sums; else empty.
    pub what: &'static str,
    /// What the terms are.
    pub term: &'static str,
    /// The number of the first one.
    pub first: usize,
    /// What the numbers of the terms are apart.
    pub step: usize,
    /// Bits behind the point in the significand of a term.
    pub term_fraction: u32,
    /// The same of the last term, if that is another thing than the others.
    pub last_term: Option<(&'static str, u32)>,
    /// Bits behind the point of aligned terms and sum.
    pub fraction_bits: u32,
    /// Format of the result; none if the sum is not rounded.
    pub result: Option<Format>,
}

impl Grid {
    /// Products, numbered from 0.
    pub(super) const PRODUCTS: Grid = Grid {
        exponent_offset: 0,
        what: "",
        term: "product",
        first: 0,
        step: 1,
        term_fraction: 0,
        last_term: None,
        fraction_bits: 0,
        result: None,
    };

    /// Name of term `index` of `count`, and the bits behind the point in its significand.
    pub fn term(&self, index: usize, count: usize) -> (String, u32) {
        match self.last_term {
            Some((name, fraction)) if index + 1 == count => (name.to_owned(), fraction),
            _ => {
                let number = self.first + self.step * index;
                (format!("{} {number}", self.term), self.term_fraction)
            }
        }
    }
}

impl<B: Bv> Default for Stages<B> {
    fn default() -> Self {
        Stages {
            steps: Vec::new(),
            spare: Vec::new(),
            are_kept: true,
        }
    }
}

impl<B: Bv> Stages<B> {
    /// No steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// No steps, and none is kept: for a result alone. A model of a million products has as many
    /// steps.
    pub fn forgotten() -> Self {
        Stages {
            are_kept: false,
            ..Self::default()
        }
    }

    /// The steps so far.
    pub fn steps(&self) -> &[Step<B>] {
        &self.steps
    }

    /// Forgets all steps but not their memory.
    #[inline]
    pub fn clear(&mut self) {
        for step in self.steps.drain(..) {
            if let Step::Fused(fused) = step {
                self.spare.push(fused);
            }
        }
    }

    /// A fused step of any content, which the caller fills and gives to [`push`](Self::push).
    #[inline]
    pub(super) fn begin_fused(&mut self, grid: Grid) -> Box<Fused<B>> {
        let mut fused = self.spare.pop().unwrap_or_else(|| {
            Box::new(Fused {
                grid,
                terms: Vec::new(),
                exponents: Vec::new(),
                aligned: Vec::new(),
                sticky: None,
                max_exponent: B::lit(1, 0),
                sum: B::lit(1, 0),
                result: B::lit(1, 0),
            })
        });
        fused.grid = grid;
        fused.sticky = None;
        fused
    }

    #[inline]
    pub(super) fn push(&mut self, step: Step<B>) {
        work(STEP_WORK);
        match step {
            Step::Fused(fused) if !self.are_kept => self.spare.push(fused),
            Step::Rounded { .. } if !self.are_kept => {}
            step => self.steps.push(step),
        }
    }
}
