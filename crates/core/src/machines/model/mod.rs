//! Models: an algorithm with parameters, from text or from the tables, ready to run.

mod algorithm;
mod any_bits;
mod conversion;
mod error;
mod inlined;
mod instance;
mod keys;
mod layers;
#[doc(hidden)]
pub mod name;
mod simulator;
mod spec;
mod tables;
mod text;

pub use crate::machines::algorithms::Operation;
pub use algorithm::Algorithm;
pub use any_bits::{AnyBits, AnyBitsError};
pub use error::ModelError;
pub use instance::Instance;
pub use keys::{
    AlgorithmDoc, KeyDoc, algorithms, compositions, documentation, is_composition, named_units,
};
pub use layers::spelled;
pub use simulator::Simulator;
pub use spec::split_name;
pub use spec::{Name, Spec, SpecError};
pub use tables::table_texts;
pub use tables::{
    Architecture, Row, Translation, UnknownArithmetic, add_tables, add_tables_of_environment,
    architectures, conversions, described, find_architecture, find_row, find_unknown,
    have_same_formats, libraries, read_table, unmodelled, usual_row, usual_rows,
};
#[doc(hidden)]
pub use tables::{names_are_own, products};

use crate::machines::algorithms::{
    Description, Design, DotAdd, Inputs, Metadata, Misfit, Registers, Signature, Sparsity, Stages,
    check_bit_vectors,
};
use mmasmt_numbers::bits::{Big, Shape, widest};
use mmasmt_numbers::float::NanCode;
use std::fmt;
use std::sync::OnceLock;

/// The most products of a run that takes no time.
const FEW: u32 = 1024;

/// An algorithm with its parameters, and the text that names it.
#[derive(Clone, Debug)]
pub struct Model {
    spec: Spec,
    algorithm: Algorithm,
    /// Found when it is asked for, by a run on shapes.
    widest: OnceLock<u32>,
    sparsity: Option<Sparsity>,
}

impl Model {
    /// The model that `text` names: `fda:F=25,K=16`, `hopper/mma.m16n8k16.f32.f16.f16.f32`,
    /// `ampere/HMMA.16816.F32@mma-sim:zero=raw`.
    ///
    /// # Errors
    /// If the text does not follow the grammar, names nothing that is known, or gives a key a
    /// value that it cannot have.
    pub fn parse(text: &str) -> Result<Model, ModelError> {
        Model::of(Spec::parse(text)?)
    }

    /// The model of a design; the name of the design is its text.
    pub fn of_design(design: Design) -> Model {
        let spec = Spec::named(design.name());
        Model::with_algorithm(spec, Algorithm::Design(design))
    }

    /// The model of a description, whose name is that of the unit. In contrast to
    /// [`parse`](Self::parse), nothing of it is kept after its life, so a search can make many.
    pub fn of_description(description: Description) -> Model {
        let spec = Spec::named(&description.tree().name);
        let operation = Operation::Description(Box::new(description));
        Model::with_algorithm(spec, Algorithm::Operation(operation))
    }

    fn of(spec: Spec) -> Result<Model, ModelError> {
        let algorithm = Algorithm::of(&spec).map_err(tables::meant)?;
        Ok(Model::with_algorithm(spec, algorithm))
    }

    fn with_algorithm(spec: Spec, algorithm: Algorithm) -> Model {
        let model = Model {
            sparsity: tables::sparsity_of(&spec),
            spec,
            algorithm,
            widest: OnceLock::new(),
        };
        // A run of many products takes time, which belongs to the limits of what reads the model.
        if model.signature().products > FEW {
            model.widest();
        }
        model
    }

    /// The model with changed keys; `changes` is written like the list after the colon of a
    /// specification. A key that the outermost layer does not have belongs to an inner layer. Such
    /// a key is written with the path to its layer (`splitk.fda.F`), or without a path if only one
    /// layer has the key (`F`).
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn with(&self, changes: &str) -> Result<Model, ModelError> {
        Model::of(self.spec.with(changes)?)
    }

    /// The values of a key that are useful for a model like this one with the signature
    /// `signature`, in the order of the documentation. For a key of an inner layer, the signature
    /// of that layer counts instead. Some values cannot be combined with some values of other keys.
    ///
    /// # Errors
    /// If no layer of the model has such a key, or several layers have it.
    pub fn values(&self, key: &str, signature: &Signature) -> Result<Vec<String>, ModelError> {
        let (layer, doc) = self.algorithm.layer_of(key)?;
        if std::ptr::eq(layer, &self.algorithm) {
            return Ok(doc.candidates(signature));
        }
        Ok(doc.candidates(&layer.signature()))
    }

    /// The numbers that a key of the model can take, in increasing order. For a key of a
    /// composition, these numbers stop at the number of instructions that the products of the
    /// composition need; for its keys `tile` and `K`, they stop at the number of products. Some
    /// numbers cannot be combined with some values of other keys.
    ///
    /// # Errors
    /// If no layer of the model has such a key, or several layers have it.
    pub fn numbers(&self, key: &str) -> Result<Vec<i64>, ModelError> {
        let (layer, doc) = self.algorithm.layer_of(key)?;
        let signature = layer.signature();
        let products = i64::from(signature.products);
        let most = match layer {
            Algorithm::Composition(composition) if !matches!(doc.name, "tile" | "K") => {
                let step = i64::from(composition.unit().signature().products);
                (products + step - 1) / step
            }
            Algorithm::Composition(_) => products,
            _ => i64::MAX,
        };
        let values = doc.candidates(&signature);
        let numbers = values.iter().filter_map(|value| value.parse().ok());
        let mut numbers: Vec<i64> = numbers.filter(|number| *number <= most).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// The least and the greatest number that a key of the model takes, of which [`numbers`](Self::numbers)
    /// has those that a search tries; `None` if it takes none.
    ///
    /// # Errors
    /// If no layer of the model has such a key, or several layers have it.
    pub fn range(&self, key: &str) -> Result<Option<[i64; 2]>, ModelError> {
        let (_, doc) = self.algorithm.layer_of(key)?;
        Ok(doc.range)
    }

    /// The first operation of a chain and a later operation of it, each as a model. The later
    /// operation takes `c` in the format of the result.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn operations(&self) -> Result<[Model; 2], ModelError> {
        if let Algorithm::Design(_) = self.algorithm {
            return Ok([self.clone(), self.clone()]);
        }
        let [first, rest] = self.algorithm.operations();
        Ok([
            Model::parse(&first.canonical())?,
            Model::parse(&rest.canonical())?,
        ])
    }

    /// The algorithm with its parameters.
    pub fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// The compression of A, if the model is that of a sparse instruction. The model then has only
    /// the products of the elements that A keeps.
    pub fn sparsity(&self) -> Option<Sparsity> {
        self.sparsity
    }

    /// The metadata that a sparse instruction allows; `None` for any other model. If the name
    /// contains `::ordered_metadata`, the metadata has to be ordered.
    pub fn metadata(&self) -> Option<Metadata> {
        let ordered = matches!(&self.spec.name, Name::Instruction { instruction, .. } if instruction.contains("::ordered_metadata"));
        let sparsity = self.sparsity?;
        Some(Metadata { sparsity, ordered })
    }

    /// The signature of the model.
    pub fn signature(&self) -> Signature {
        self.algorithm.signature()
    }

    /// This model for `products` products: a composition gets this number as its `K`, an
    /// instruction is repeated.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn of_length(&self, products: u32) -> Result<Model, ModelError> {
        if self.signature().products == products {
            return Ok(self.clone());
        }
        if let Algorithm::Composition(_) = self.algorithm {
            return self.with(&format!("K={products}"));
        }
        Model::parse(&format!("repeat({self}):K={products}"))
    }

    /// The model that computes each element of a product of matrices with `depth` products along k,
    /// in one run or in several runs that continue from one another. A composition takes all of k,
    /// unless its text gives a number of products; an instruction takes its own number of products.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn along(&self, depth: usize) -> Result<Model, ModelError> {
        match self.algorithm {
            Algorithm::Composition(_) if !self.spec.says_products() => {
                self.of_length(u32::try_from(depth).unwrap_or(u32::MAX).max(1))
            }
            _ => Ok(self.clone()),
        }
    }

    /// The model of the instruction inside all compositions that are built from its sums; the model
    /// itself if it is no composition, or one whose factors depend on whole rows.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn inside(&self) -> Result<Model, ModelError> {
        let inside = self.algorithm.inside();
        match std::ptr::eq(inside, &self.algorithm) {
            true => Ok(self.clone()),
            false => Model::parse(&inside.canonical()),
        }
    }

    /// Whether the result depends on `c`. If not, runs of the model cannot continue from one
    /// another.
    pub fn reads_c(&self) -> bool {
        self.algorithm.reads_c()
    }

    /// Whether the result is a sum of products, which a conversion and a sum of `a` and `b` are not.
    pub fn multiplies(&self) -> bool {
        self.algorithm.multiplies()
    }

    /// Whether the model ignores this `c`: `c` is not zero, and the model does not read it.
    pub fn ignores(&self, c: u64) -> bool {
        self.signature().c.magnitude(c) != 0 && !self.reads_c()
    }

    /// Whether the code of a NaN result is unspecified, so that any NaN may stand for the result.
    pub fn gives_any_nan(&self) -> bool {
        self.algorithm.nan() == NanCode::Any
    }

    /// Whether the two models are known to give the same results for finite operands, because their
    /// algorithms are equal where operands are finite.
    pub fn is_same_on_finite(&self, other: &Model) -> bool {
        let [left, right] = [self, other].map(|model| model.algorithm.of_finite());
        left == right
    }

    /// Whether the result `computed` by this model agrees with the `recorded` one: they are the
    /// same register, or they are NaNs and the model leaves the code of a NaN unspecified.
    pub fn accepts(&self, computed: u64, recorded: u64) -> bool {
        let format = self.signature().d;
        let both_nan = || format.is_nan(computed) && format.is_nan(recorded);
        computed == recorded || self.gives_any_nan() && both_nan()
    }

    /// The width of the widest word in an evaluation.
    pub fn widest(&self) -> u32 {
        *self.widest.get_or_init(|| {
            let signature = self.signature();
            let shapes = Inputs::zero(&signature).lifted::<Shape>(&signature);
            widest(|| {
                Shape::run(&self.algorithm, shapes.operands(), &mut Stages::forgotten());
            })
        })
    }

    /// The text of the algorithm and of all keys that are not at their defaults; the arrows of a conversion.
    pub fn canonical(&self) -> String {
        let row = tables::look_up(&self.spec).ok().flatten();
        let text = row.as_ref().unwrap_or(&self.spec).to_string();
        match conversion::is_conversion(&text) {
            true => text,
            false => self.algorithm.canonical(),
        }
    }

    /// Whether the other model has the same algorithm, whatever their names are.
    pub fn computes_as(&self, other: &Model) -> bool {
        self.algorithm == other.algorithm && self.sparsity == other.sparsity
    }

    /// The result register for `inputs`, on the reference instance [`Big`].
    ///
    /// # Errors
    /// If the inputs do not fit the signature.
    pub fn evaluate_big(&self, inputs: &Inputs) -> Result<u64, Misfit> {
        use mmasmt_numbers::bits::Concrete;
        Ok(self.stages::<Big>(inputs)?.0.to_u64())
    }

    /// The result for constant `inputs`, and every stage, on the instance `B`.
    ///
    /// # Errors
    /// If the inputs do not fit the signature.
    pub fn stages<B: Instance>(&self, inputs: &Inputs) -> Result<(B, Stages<B>), Misfit> {
        let signature = self.signature();
        inputs.checked(&signature)?;
        Ok(self.evaluate(&inputs.lifted(&signature)))
    }

    /// The result register for bit-vectors of any instance, symbolic ones as well, and every
    /// stage.
    ///
    /// # Errors
    /// If the number or the widths of the bit-vectors are not those of the signature.
    pub fn dot_add<B: Instance>(&self, inputs: &Registers<B>) -> Result<(B, Stages<B>), Misfit> {
        check_bit_vectors(inputs, &self.signature())?;
        Ok(self.evaluate(inputs))
    }

    /// The result register for operands of the formats of the signature, and every stage.
    pub fn evaluate<B: Instance>(&self, inputs: &Registers<B>) -> (B, Stages<B>) {
        let mut stages = Stages::new();
        let d = B::run(&self.algorithm, inputs.operands(), &mut stages);
        (d, stages)
    }

    /// The result register and every stage if a NaN may have any code, so that the codes of NaN
    /// operands need not be kept.
    pub fn evaluate_with_any_nan<B: Instance>(&self, inputs: &Registers<B>) -> (B, Stages<B>) {
        let mut stages = Stages::new();
        let algorithm = self.algorithm.with_any_nan();
        let d = B::run(&algorithm, inputs.operands(), &mut stages);
        (d, stages)
    }

    /// The result register for operands of the formats of the signature.
    pub fn result<B: Instance>(&self, inputs: &Registers<B>) -> B {
        let mut stages = Stages::forgotten();
        B::run(&self.algorithm, inputs.operands(), &mut stages)
    }

    /// The result register for operands of the formats of the signature, by the shortest way to it.
    pub fn result_alone<B: Instance>(&self, inputs: &Registers<B>) -> B {
        let mut stages = Stages::for_result();
        B::run(&self.algorithm, inputs.operands(), &mut stages)
    }

    /// The result register and every stage for constants that fit the signature, on the instance
    /// `B`.
    pub fn lifted<B: Instance>(&self, inputs: &Inputs) -> (B, Stages<B>) {
        self.evaluate(&inputs.lifted(&self.signature()))
    }
}

/// The text that names the model.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)
    }
}
