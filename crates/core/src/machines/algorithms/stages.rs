//! The record of an evaluation: every stage on the way to the result.

use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::{Bv, W64};
use mmasmt_numbers::float::{Format, SpecialTerm};

/// The least work of a step, in the unit of [`work`].
const STEP_WORK: u64 = 64;

/// The steps of one evaluation, first to last. The record can be cleared and used again without
/// allocating.
pub struct Stages<B: Bv> {
    steps: Vec<Step<B>>,
    spare: Vec<Box<FusedStages<B>>>,
    /// For each integer register of a description, whether it does not hold the sum that it was given.
    overflows: Vec<B::Bool>,
    /// Whether steps are recorded.
    are_kept: bool,
    /// The result alone is wanted: values on the way may be others that give the same.
    are_for_result: bool,
    /// Memory for sums in words of 64 bits.
    words: Option<Box<Stages<W64>>>,
}

/// One step of an evaluation.
pub enum Step<B: Bv> {
    /// A fused sum with one alignment and one rounding.
    Fused(Box<FusedStages<B>>),
    /// A value that was rounded to a format.
    Rounded {
        /// A description of the operation, in words.
        what: &'static str,
        /// The index of this value among several values with the same description.
        index: Option<usize>,
        /// The format of the value.
        format: Format,
        /// The register that holds the value.
        value: B,
    },
}

/// The stages of a fused sum: unpacked terms, largest exponent, aligned terms, sum, and the result
/// if the sum is rounded.
pub struct FusedStages<B: Bv> {
    /// The fixed properties of this sum, such as its fraction bits.
    pub grid: Grid,
    /// The names of the terms in the text of the unit, such as `product[3]`; none where the stages are not
    /// recorded.
    pub names: Vec<String>,
    /// The terms in order; if `c` is a term, it is the last.
    pub terms: Vec<Summand<B>>,
    /// The exponents of the terms less `grid.exponent_offset`; after them the lower limit of the
    /// alignment exponent, if there is one.
    pub exponents: Vec<B>,
    /// The exponent that all terms are aligned to, less `grid.exponent_offset`.
    pub max_exponent: B,
    /// The terms in two's complement with `grid.fraction_bits` fraction bits.
    pub aligned: Vec<B>,
    /// Whether alignment lost a one of any term; `None` if the unit keeps no sticky bit below the
    /// sum.
    pub sticky: Option<B::Bool>,
    /// The sum of the aligned terms, with as many bits as the unit keeps.
    pub sum: B,
    /// The result register; it has no meaning where `grid.result` is `None`.
    pub result: B,
}

/// A term of a fused sum before alignment: `(-1)^sign * significand * 2^(exponent - fraction)`.
/// [`Grid`] gives the number `fraction` of fraction bits for this kind of term, and `sign` is the
/// sign in `special`.
#[derive(Clone, Debug)]
pub struct Summand<B: Bv> {
    /// The significand of the term, not normalised.
    pub significand: B,
    /// Whether the term is zero.
    pub zero: B::Bool,
    /// The sign of the term, and whether it is an infinity or a NaN; if so, the fields above have
    /// no meaning.
    pub special: SpecialTerm<B>,
}

/// The conversion of registers and truth values of one instance of [`Bv`] to those of another.
pub struct Conversion<B: Bv, C: Bv> {
    /// The conversion of a register.
    pub word: fn(B) -> C,
    /// The conversion of a truth value.
    pub truth: fn(B::Bool) -> C::Bool,
}

impl<B: Bv, C: Bv> Conversion<B, C> {
    fn words(&self, words: Vec<B>) -> Vec<C> {
        words.into_iter().map(self.word).collect()
    }

    fn summand(&self, term: Summand<B>) -> Summand<C> {
        let special = term.special;
        Summand {
            significand: (self.word)(term.significand),
            zero: (self.truth)(term.zero),
            special: SpecialTerm {
                nan: (self.truth)(special.nan),
                infinite: (self.truth)(special.infinite),
                sign: (self.truth)(special.sign),
            },
        }
    }

    fn fused(&self, fused: FusedStages<B>) -> FusedStages<C> {
        FusedStages {
            grid: fused.grid,
            names: fused.names,
            terms: fused
                .terms
                .into_iter()
                .map(|term| self.summand(term))
                .collect(),
            exponents: self.words(fused.exponents),
            max_exponent: (self.word)(fused.max_exponent),
            aligned: self.words(fused.aligned),
            sticky: fused.sticky.map(self.truth),
            sum: (self.word)(fused.sum),
            result: (self.word)(fused.result),
        }
    }

    fn step(&self, step: Step<B>) -> Step<C> {
        match step {
            Step::Fused(fused) => Step::Fused(Box::new(self.fused(*fused))),
            Step::Rounded {
                what,
                index,
                format,
                value,
            } => Step::Rounded {
                what,
                index,
                format,
                value: (self.word)(value),
            },
        }
    }
}

impl<B: Bv> FusedStages<B> {
    /// Replaces the terms and their exponents.
    pub(super) fn fill(&mut self, terms: impl Iterator<Item = (Summand<B>, B)>) {
        self.terms.clear();
        self.exponents.clear();
        for (term, exponent) in terms {
            self.terms.push(term);
            self.exponents.push(exponent);
        }
    }
}

/// The fixed properties of a fused sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number to add to every exponent of the stages.
    pub exponent_offset: i32,
    /// The name of the sum, if a dot-add has several sums; otherwise empty.
    pub what: &'static str,
    /// The number of the sum among those of the name.
    pub index: Option<usize>,
    /// Fraction bits of the significand of a term.
    pub term_fraction: u32,
    /// Fraction bits of the aligned terms and of the sum.
    pub fraction_bits: u32,
    /// Format of the result; `None` if the sum is not rounded.
    pub result: Option<Format>,
}

impl Grid {
    /// No properties yet.
    pub(super) const NONE: Grid = Grid {
        exponent_offset: 0,
        what: "",
        index: None,
        term_fraction: 0,
        fraction_bits: 0,
        result: None,
    };
}

impl<B: Bv> Default for Stages<B> {
    fn default() -> Self {
        Stages {
            steps: Vec::new(),
            spare: Vec::new(),
            overflows: Vec::new(),
            are_kept: true,
            are_for_result: false,
            words: None,
        }
    }
}

impl<B: Bv> Stages<B> {
    /// A record without steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// A record that keeps no steps, for callers that need only the result: a model of a million
    /// products can have a million steps.
    pub fn forgotten() -> Self {
        Stages {
            are_kept: false,
            ..Self::default()
        }
    }

    /// A record that keeps no steps, for a result on words or columns: values on the way may be others
    /// that give the same result. Formulas are made without it, so that a unit has one formula.
    pub fn for_result() -> Self {
        Stages {
            are_for_result: true,
            ..Self::forgotten()
        }
    }

    /// Whether steps are recorded.
    pub(super) fn are_kept(&self) -> bool {
        self.are_kept
    }

    /// True if the result alone is wanted.
    pub(super) fn are_for_result(&self) -> bool {
        self.are_for_result
    }

    /// An empty record that keeps steps if this record keeps steps.
    pub fn like<C: Bv>(&self) -> Stages<C> {
        Stages {
            are_kept: self.are_kept,
            are_for_result: self.are_for_result,
            ..Stages::default()
        }
    }

    /// Converts the steps of a record on another instance of [`Bv`] by `conversion`, and appends
    /// them.
    pub fn append<C: Bv>(&mut self, stages: Stages<C>, conversion: &Conversion<C, B>) {
        let steps = stages.steps.into_iter();
        self.steps.extend(steps.map(|step| conversion.step(step)));
        let overflows = stages.overflows.into_iter();
        self.overflows.extend(overflows.map(conversion.truth));
    }

    /// The steps so far.
    pub fn steps(&self) -> &[Step<B>] {
        &self.steps
    }

    /// For each integer register of a description so far, whether it does not hold the sum that it was
    /// given.
    pub fn overflows(&self) -> &[B::Bool] {
        &self.overflows
    }

    /// Records whether an integer register does not hold the sum that it was given.
    pub(super) fn note_overflow(&mut self, is_beyond: impl FnOnce() -> B::Bool) {
        if self.are_kept {
            self.overflows.push(is_beyond());
        }
    }

    /// Memory for sums in words of 64 bits, whose steps are not kept.
    pub(super) fn words(&mut self) -> &mut Stages<W64> {
        let words = &mut self.words;
        words.get_or_insert_with(|| Box::new(Stages::for_result()))
    }

    /// Removes all steps, but keeps their memory.
    #[inline]
    pub fn clear(&mut self) {
        self.overflows.clear();
        for step in self.steps.drain(..) {
            if let Step::Fused(fused) = step {
                self.spare.push(fused);
            }
        }
    }

    /// A fused step with unspecified content, which the caller fills and gives to
    /// [`push`](Self::push).
    #[inline]
    pub(super) fn begin_fused(&mut self, grid: Grid) -> Box<FusedStages<B>> {
        let mut fused = self.spare.pop().unwrap_or_else(|| {
            Box::new(FusedStages {
                grid,
                names: Vec::new(),
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
        fused.names.clear();
        fused.sticky = None;
        fused
    }

    /// Records a value that was rounded. If it is the fused sum of the last step that was rounded, it
    /// is the result of that step.
    pub(super) fn push_rounded(
        &mut self,
        (what, index): (&'static str, Option<usize>),
        format: Format,
        value: &B,
        is_of_last_step: bool,
    ) {
        match self.steps.last_mut() {
            Some(Step::Fused(fused)) if is_of_last_step && self.are_kept => {
                fused.grid.result = Some(format);
                fused.result = value.clone();
                work(STEP_WORK);
            }
            _ => self.push(Step::Rounded {
                what,
                index,
                format,
                value: value.clone(),
            }),
        }
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
