//! Compositions of matrix instructions and ordinary operations, as libraries build them.
//!
//! Each composition is a [`DotAdd`], like an instruction. It is generic over the bit-vectors and
//! over its unit.

mod adapt;
mod epilogue;
mod promote;
mod recipe;
mod split;

pub use adapt::{Adapt, ScalePlace};
pub use epilogue::{Activation, Epilogue};
pub use promote::{Promote, Promotion, Remainder};
pub use recipe::Recipe;
pub use split::{CombinationOrder, Split, Tiles};

use crate::machines::algorithms::{DotAdd, Operands, Signature, Stages, Unit};
use crate::machines::schemes::{MOST_PRODUCTS_OF_PARTS, Scheme};
use crate::machines::sums::{RegisterSums, Sums};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;

/// A composition and its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition<A> {
    kind: CompositionKind,
    unit: Unit<A>,
}

/// The operations on the results of a unit. To add a kind, write a file beside this one, a line in
/// each match here, and a table of its keys in `model::keys`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompositionKind {
    /// Partial sums of the unit, which are added up outside of it.
    Promote(Promote),
    /// Parts of k, summed separately.
    Split(Split),
    /// Operations on a sum before it is stored.
    Epilogue(Epilogue),
    /// Multiplication of numbers that are split into parts.
    Scheme(Scheme),
    /// One format on the unit of another.
    Adapt(Adapt),
    /// A text of somebody's own.
    Recipe(Recipe),
}

impl CompositionKind {
    /// The number of products; 0 where it is not given.
    fn products(&mut self) -> &mut u32 {
        match self {
            CompositionKind::Promote(promote) => &mut promote.products,
            CompositionKind::Split(split) => &mut split.products,
            CompositionKind::Epilogue(epilogue) => &mut epilogue.products,
            CompositionKind::Scheme(scheme) => &mut scheme.products,
            CompositionKind::Adapt(adapt) => &mut adapt.products,
            CompositionKind::Recipe(recipe) => &mut recipe.products,
        }
    }

    /// Whether the composition only runs the unit repeatedly, with each result as the next
    /// accumulator.
    pub fn only_repeats(&self) -> bool {
        match self {
            CompositionKind::Promote(promote) => {
                promote.every.is_none() && promote.promotion == Promotion::Plain
            }
            _ => false,
        }
    }

    /// The number of sums that are added up at the end.
    pub fn sums(&self) -> usize {
        match self {
            CompositionKind::Split(split) => split.splits as usize,
            CompositionKind::Recipe(recipe) => recipe.sums(),
            _ => 1,
        }
    }

    /// Whether a long run of the composition differs from short ones that continue from each other.
    pub fn depends_on_length(&self) -> bool {
        match self {
            CompositionKind::Promote(promote) => promote.remainder == Remainder::Dropped,
            CompositionKind::Split(_)
            | CompositionKind::Epilogue(_)
            | CompositionKind::Scheme(_)
            | CompositionKind::Recipe(_) => true,
            // Each run goes on from the sum before it.
            CompositionKind::Adapt(_) => false,
        }
    }

    /// The most products that the unit sums in one run; `None` if the number of products is not
    /// given, or a promotion or repetition counts runs of the unit.
    pub fn products_of_a_run(&self) -> Option<u32> {
        let products = match self {
            CompositionKind::Promote(_) => 0,
            CompositionKind::Split(split) => split.products_of_a_part(),
            other => *other.clone().products(),
        };
        (products > 0).then_some(products)
    }

    /// Whether factors depend on other numbers of their row or on their scales, so that
    /// [`sum`](Self::sum) does not know the result.
    pub fn depends_on_rows(&self) -> bool {
        match self {
            CompositionKind::Scheme(scheme) => scheme.depends_on_rows(),
            CompositionKind::Adapt(_) => true,
            _ => false,
        }
    }

    /// The most products of one run along k of a unit with this signature; `None` where some run
    /// continues from the result of another run.
    fn most_of_a_run(&self, unit: &Signature) -> Option<u32> {
        match self {
            CompositionKind::Promote(promote) => Some(promote.most_of_a_run(unit)),
            CompositionKind::Split(split) => split.most_of_a_run(),
            CompositionKind::Epilogue(epilogue) => Some(epilogue.products),
            CompositionKind::Scheme(scheme) => scheme.most_of_a_run(),
            CompositionKind::Adapt(adapt) => Some(adapt.most_of_a_run()),
            CompositionKind::Recipe(recipe) => recipe.most_of_a_run(),
        }
    }

    /// Whether the result of the composition depends on `c`; `unit_does` says whether the result of
    /// the unit depends on its accumulator.
    fn reads_c(&self, unit_does: bool) -> bool {
        match self {
            CompositionKind::Promote(promote) => promote.every.is_some() || unit_does,
            CompositionKind::Split(split) => split.combine != CombinationOrder::Chain || unit_does,
            CompositionKind::Epilogue(epilogue) => epilogue.beta != 0,
            CompositionKind::Scheme(scheme) => scheme.reads_c(unit_does),
            CompositionKind::Adapt(adapt) => adapt.place == ScalePlace::Sums || unit_does,
            CompositionKind::Recipe(recipe) => recipe.reads_c(unit_does),
        }
    }

    /// If the unit does not read its accumulator, checks that no run continues from an earlier
    /// result.
    ///
    /// # Errors
    /// If the unit does not read its accumulator, and would have to continue from an earlier
    /// result: all products but those of the last instruction would be lost.
    fn check_runs<A: DotAdd>(&self, unit: &Unit<A>) -> Result<(), String> {
        let signature = unit.signature();
        let step = signature.products;
        if unit.reads_c() {
            return Ok(());
        }
        match self.most_of_a_run(&signature) {
            Some(products) if products <= step => Ok(()),
            Some(products) => Err(format!(
                "a unit that goes on from its c, or one with all {products} products (K={products}), found one with {step} that does \
                 not read c"
            )),
            None => Err(format!(
                "a unit that goes on from its c, found one that does not read it, {signature}"
            )),
        }
    }

    /// The same kind. If it has no number of products, it gets a default: for a promotion with an
    /// interval, the products of one interval; for split-K, the products of one instruction for
    /// each part; for a recipe none yet; otherwise the products of one instruction.
    pub fn filled_up(mut self, unit: &Signature) -> CompositionKind {
        let runs = match &self {
            CompositionKind::Promote(promote) => promote.every.unwrap_or(1),
            CompositionKind::Split(split) => split.splits,
            CompositionKind::Epilogue(_)
            | CompositionKind::Scheme(_)
            | CompositionKind::Recipe(_) => 1,
            // Whole blocks of scales.
            CompositionKind::Adapt(adapt) => match adapt.scale {
                Some(_) => adapt.block.div_ceil(unit.products.max(1)),
                None => 1,
            },
        };
        // A recipe says by itself what it takes.
        if let CompositionKind::Recipe(_) = self {
            return self;
        }
        let products = self.products();
        if *products == 0 {
            *products = unit.products.saturating_mul(runs);
        }
        self
    }

    /// The sum that the composition makes of its products; `None` where
    /// [`depends_on_rows`](Self::depends_on_rows).
    /// `unit` is the signature of the unit.
    ///
    /// # Errors
    /// If a sum stops.
    pub fn sum<S: Sums>(&self, unit: &Signature, on: &mut S) -> Result<Option<S::Sum>, S::Stop> {
        match self {
            CompositionKind::Promote(promote) => promote.sum(unit, on).map(Some),
            CompositionKind::Split(split) => split.sum(unit, on).map(Some),
            CompositionKind::Epilogue(epilogue) => epilogue.sum(on).map(Some),
            CompositionKind::Scheme(scheme) => scheme.sum(unit, on),
            CompositionKind::Adapt(_) => Ok(None),
            CompositionKind::Recipe(recipe) => recipe.sum(unit, on).map(Some),
        }
    }

    /// The signature of the composition over a unit with the signature `unit`.
    ///
    /// # Errors
    /// If the unit lacks what the composition needs; the error says what that is.
    pub fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        match self {
            CompositionKind::Promote(promote) => promote.signature(unit),
            CompositionKind::Split(split) => split.signature(unit),
            CompositionKind::Epilogue(epilogue) => epilogue.signature(unit),
            CompositionKind::Scheme(scheme) => scheme.signature(unit),
            CompositionKind::Adapt(adapt) => adapt.signature(unit),
            CompositionKind::Recipe(recipe) => recipe.signature(unit),
        }
    }

    /// The same kind with what depends on the signature of its unit.
    ///
    /// # Errors
    /// If the unit lacks what the composition needs; the error says what that is.
    fn over(self, unit: &Signature) -> Result<CompositionKind, String> {
        match self {
            CompositionKind::Recipe(recipe) => recipe.over(unit).map(CompositionKind::Recipe),
            other => Ok(other),
        }
    }
}

impl<A: DotAdd> Composition<A> {
    /// The composition of this kind over this unit.
    ///
    /// # Errors
    /// If the unit lacks what the composition needs; the error says what that is.
    pub fn new(kind: CompositionKind, unit: A) -> Result<Self, String> {
        let signature = unit.signature();
        if signature.is_integer() {
            return Err(format!(
                "a unit of floating-point numbers, found {signature}"
            ));
        }
        let expected = || format!("a unit whose c has the format of its result, found {signature}");
        let unit = Unit::new(unit).ok_or_else(expected)?;
        let kind = kind.over(&signature)?;
        kind.signature(&signature)?;
        kind.check_runs(&unit)?;
        Ok(Composition { kind, unit })
    }

    /// The kind of the composition.
    pub fn kind(&self) -> &CompositionKind {
        &self.kind
    }

    /// The greatest number of instructions that one evaluation runs. In split-K, the last
    /// instruction of every part, and of a residue before it, is filled up with zeros, which takes
    /// additional instructions.
    pub fn runs(&self) -> u64 {
        let products = self.signature().products;
        let runs = products.div_ceil(self.unit.signature().products);
        let runs = match &self.kind {
            CompositionKind::Recipe(recipe) => return recipe.runs(self.unit.signature().products),
            CompositionKind::Split(split) => {
                let begun = split
                    .splits
                    .saturating_mul(1 + u32::from(split.first.is_some()));
                products.min(runs.saturating_add(begun))
            }
            CompositionKind::Adapt(adapt) if adapt.place == ScalePlace::Sums => {
                let of_block = adapt.block.div_ceil(self.unit.signature().products);
                products.div_ceil(adapt.block).saturating_mul(of_block)
            }
            _ => runs,
        };
        let products_of_parts = match self.kind {
            CompositionKind::Scheme(_) => MOST_PRODUCTS_OF_PARTS,
            _ => 1,
        };
        u64::from(runs) * products_of_parts
    }

    /// The same composition with the instruction of its unit replaced by the result of `change`,
    /// which must keep the signature.
    pub fn of_unit(&self, change: impl Fn(&A) -> A) -> Self {
        Composition {
            kind: self.kind.clone(),
            unit: self.unit.changed(change),
        }
    }

    /// The instruction of the unit.
    pub fn unit(&self) -> &A {
        self.unit.instruction()
    }
}

impl<A: DotAdd> DotAdd for Composition<A> {
    fn signature(&self) -> Signature {
        let unit = self.unit.signature();
        // The unit was checked when the composition was made.
        self.kind.signature(&unit).unwrap_or(unit)
    }

    fn nan(&self) -> NanCode {
        self.unit.nan()
    }

    fn reads_c(&self) -> bool {
        self.kind.reads_c(self.unit.reads_c())
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let unit = &self.unit;
        let mut on = RegisterSums {
            unit,
            operands,
            stages,
        };
        let Ok(sum) = self.kind.sum(&unit.signature(), &mut on);
        let of_rows = || match &self.kind {
            CompositionKind::Scheme(scheme) => scheme.on_registers(&mut on),
            CompositionKind::Adapt(adapt) => Some(adapt.dot_add(&mut on)),
            _ => None,
        };
        sum.or_else(of_rows).unwrap_or_else(|| unit.zero())
    }
}
