//! What exactly does this GPU's matrix unit compute? Bit-accurate models of the units that multiply
//! matrices. A text names a model, and the model is both a simulator and a formula that a solver
//! decides.
//!
//! A unit is described by the dot-add that it does for each element of the result,
//! `d = c + a[0]*b[0] + a[1]*b[1] + …`, with all that is cut and rounded on the way.
//!
//! # What does a unit give?
//!
//! A [`Model`](model::Model) is an instruction by its PTX, SASS or AMD name, or an algorithm with
//! parameters. Operands and results are registers: the bits of a number in its format.
//!
//! ```
//! use mmasmt::float::{hex_float, parse_value};
//! use mmasmt::model::Model;
//! use mmasmt::vectors::Inputs;
//!
//! let model = Model::parse("hopper/HMMA.16816.F32")?;
//! let signature = model.signature();
//! assert_eq!(signature.to_string(), "16 products f16 x f16, c f32, result f32");
//!
//! // 1 * 1 + 2^-12 * 2^-12 - 1; the other products are +0 * +0.
//! let mut inputs = Inputs::zero(&signature);
//! for (k, text) in ["1", "0x1p-12"].into_iter().enumerate() {
//!     inputs.a[k] = parse_value(&signature.a, text)?;
//!     inputs.b[k] = parse_value(&signature.b, text)?;
//! }
//! inputs.c = parse_value(&signature.c, "-1")?;
//!
//! let d = model.simulator().evaluate(&inputs)?;
//! assert_eq!(d, 0x3380_0000);
//! assert_eq!(hex_float(&signature.d, d), "0x1p-24");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where do two models differ?
//!
//! [`distinguish`](query::distinguish()) finds inputs on which two models differ, or proves that
//! there are none. Inputs are returned only after they have been replayed on two simulators.
//!
//! ```
//! use mmasmt::limits::Limits;
//! use mmasmt::model::Model;
//! use mmasmt::query::{Options, distinguish};
//! use std::time::Duration;
//!
//! let (options, limits) = (Options::default(), Limits::default().within(Duration::from_secs(60)));
//! let (left, right) = (Model::parse("fda:F=24")?, Model::parse("fda:F=25")?);
//! let answer = distinguish(&left, &right, &options, &limits)?;
//! let witness = answer.witness().expect("inputs on which they differ");
//! println!("{}", witness.inputs.to_line(&left.signature()));
//! assert_eq!(left.simulator().evaluate(&witness.inputs)?, witness.results[0]);
//! assert_eq!(right.simulator().evaluate(&witness.inputs)?, witness.results[1]);
//! assert_ne!(witness.results[0], witness.results[1]);
//!
//! // Six carry bits are enough for a sum of 17 terms.
//! let (left, right) = (Model::parse("fda:K=16,carry=6")?, Model::parse("fda:K=16,carry=full")?);
//! let answer = distinguish(&left, &right, &options, &limits)?;
//! assert!(answer.proved().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Does a claim hold?
//!
//! [`prove`](query::prove()) proves a property of a model for all operands in a domain, or refutes
//! it with inputs. [`PROPERTIES`](property::PROPERTIES) lists what can be claimed. That two models
//! are equal is a claim, too: `distinguish` and `prove` both ask a [`Question`](query::Question)
//! and get an [`Answer`](query::Answer).
//!
//! ```
//! use mmasmt::limits::Limits;
//! use mmasmt::model::Model;
//! use mmasmt::property::Claim;
//! use mmasmt::query::{Options, prove};
//!
//! // One sum of all products does not depend on their order; a chain of two sums does.
//! let (options, limits) = (Options::default(), Limits::default());
//! let fused = Claim::new("order-independent", &Model::parse("fda:K=8")?, "finite")?;
//! let by = prove(&fused, &options, &limits)?.proved();
//! println!("proved {}", by.expect("a proof").describe());
//!
//! let chain = Claim::new("order-independent", &Model::parse("fda:K=4,chain=2")?, "finite")?;
//! let answer = prove(&chain, &options, &limits)?;
//! let witness = answer.witness().expect("inputs that refute it");
//! assert!(chain.is_refuted_by(&witness.inputs));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Does a model reproduce recorded results?
//!
//! A vector is a line `c a0,a1,… b0,b1,… d` in hexadecimal bits; products that are missing are +0.
//!
//! ```
//! use mmasmt::model::Model;
//! use mmasmt::vectors::{check_file, parse_line};
//!
//! let text = "# c a b d\n\
//!             00000000 3c00,4000 3c00,4200 40e00000\n\
//!             3f800000 8c00 0800 3f800000\n";
//! let checked = check_file(&Model::parse("fda:F=25")?, text.as_bytes(), 10)?;
//! assert_eq!((checked.passed, checked.failed), (1, 1));
//! let failure = &checked.failures[0];
//! assert_eq!((failure.line, failure.computed), (3, 0x3f7f_ffff));
//!
//! let signature = Model::parse("fda")?.signature();
//! let vector = parse_line("00000000 3c00,4000 3c00,4200 40e00000", 1, &signature)?;
//! assert_eq!((&vector.inputs.a[..], vector.d), (&[0x3c00, 0x4000, 0, 0][..], 0x40e0_0000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where is the rest?
//!
//! | module | for |
//! | --- | --- |
//! | [`model`] | models from text or from the tables of instructions, their operands, simulators, many inputs at once |
//! | [`float`](mod@float) | number formats: numbers from text and back |
//! | [`vectors`] | operands with results: reading, drawing, checking and writing files of them |
//! | [`device`] | devices that run vectors: a GPU, this processor, a command, a model |
//! | [`matrices`] | products of whole matrices, files of them |
//! | [`query`] | `distinguish`, `prove`, confirmation by other solvers |
//! | [`property`] | what can be claimed, and what can be assumed of operands |
//! | [`limits`] | limits of time and memory |
//! | [`identify`] | which inputs tell many models apart, and which model a machine is |
//! | [`probe`] | feature tests: what results tell of the unit that gave them |
//! | [`explain`](mod@explain) | every step of an evaluation as data, the first difference between two evaluations |
//! | [`export`] | models as C, Verilog and other text |
//!
//! Each module has errors of its own. Options are made from their defaults, as in
//! `Options::default().count(2)`. `examples/` has a program for each job. The program `mmasmt` is
//! the feature `cli`, which is on by default; whoever uses only the library can turn this feature
//! and its dependencies off. The crates `mmasmt-numbers`, `mmasmt-columns`, `mmasmt-core` and
//! `mmasmt-questions` hold the code behind these names: they change with any release.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

/// Models from text or from the tables of instructions.
pub mod model {
    #[doc(inline)]
    pub use mmasmt_core::batch::{Batch, Columns};
    #[doc(inline)]
    pub use mmasmt_core::machines::algorithms::{Inputs, Misfit, Signature};
    #[doc(inline)]
    pub use mmasmt_core::machines::model::{
        Architecture, Model, ModelError, Row, Simulator, architectures, find_architecture, find_row,
    };
}

/// Number formats: numbers from text and back.
pub mod float {
    #[doc(inline)]
    pub use mmasmt_numbers::float::{
        Dyadic, Format, ValueError, decimal, hex_float, parse_value, show, ulp_distance,
    };
}

/// Limits of time and memory.
pub mod limits {
    #[doc(inline)]
    pub use mmasmt_numbers::base::limits::{Limits, Stopped};
}

/// Vectors: a vector is the operands of one dot-add together with its result. Reads, checks and
/// writes files of vectors, and draws operands at random.
pub mod vectors {
    #[doc(inline)]
    pub use mmasmt_core::machines::algorithms::Inputs;
    #[doc(inline)]
    pub use mmasmt_questions::inputs::{Draw, Kind};
    #[doc(inline)]
    pub use mmasmt_questions::vectors::{
        CheckFailure, Checked, Lines, Vector, VectorError, check_file, check_vectors, open,
        parse_inputs, parse_line, write,
    };
}

/// Devices that run vectors: a GPU, this processor, a command, a model.
pub mod device {
    #[cfg(feature = "cuda")]
    #[doc(inline)]
    pub use mmasmt_questions::vectors::device::CudaDevice;
    #[doc(inline)]
    pub use mmasmt_questions::vectors::device::{
        CommandDevice, CpuDevice, Device, DeviceError, SoftwareDevice,
    };
}

/// Products of whole matrices, and NumPy files of them.
pub mod matrices {
    #[doc(inline)]
    pub use mmasmt_questions::matrices::{
        ArrayError, GemmError, Matrix, MatrixProduct, gemm, read_array, write_array,
    };
}

/// Questions about models: from the formula to an answer that is checked.
pub mod query {
    #[doc(inline)]
    pub use mmasmt_questions::claims::query::{
        Answer, Confirmation, Ended, Engine, Options, QueryError, Question, Witness, answer,
        confirm, distinguish, prove,
    };
}

/// What can be claimed of models, and what can be assumed of operands.
pub mod property {
    #[doc(inline)]
    pub use mmasmt_questions::claims::property::{
        Claim, ClaimError, Domain, DomainError, PROPERTIES, PropertyDoc,
    };
}

/// Finds inputs that tell many models apart, and finds out which model a machine is.
pub mod identify {
    #[doc(inline)]
    pub use mmasmt_questions::identify::{
        ClosedLoop, Identified, IdentifyError, IdentifyOptions, Score, Separation, exclude, family,
        nearest, score, separate, separate_in,
    };
}

/// Feature tests: chosen inputs, whose results tell how the unit that gave them works.
pub mod probe {
    #[doc(inline)]
    pub use mmasmt_questions::identify::probe::{
        ProbeOutcome, ProbePlan, SummationTree, TestAnswer, TestAnswers, as_dot, as_svg, as_text,
        build_tree,
    };
}

/// How a model comes to a result, step by step, as data; and where two models first differ.
pub mod explain {
    #[doc(inline)]
    pub use mmasmt_explain::explain::{
        Divergence, Explained, ExplainedRounding, ExplainedSum, ExplainedTerm, Explanation,
        explain, first_divergence,
    };
}

/// Models and comparisons of models as text for other tools: C, Verilog, BTOR2, SMT-LIB, ACL2, DPI.
pub mod export {
    #[doc(inline)]
    pub use mmasmt_questions::circuits::export::{
        ExportError, ExportFormat, ExportOptions, Exported, Ports, Subject,
    };
}

/// The code block of the guide's page "How do I use it from Rust?", which is compiled and run as a
/// test.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/rust.md")]
struct UseFromRust;
