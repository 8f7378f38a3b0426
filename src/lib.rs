//! What exactly does this GPU's matrix unit compute? Bit-accurate models of the units that multiply
//! matrices: simulators, and formulas that a solver decides, from one text.
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
//! use mmasmt::numbers::float::{hex_float, parse_value};
//! use mmasmt::machines::model::Model;
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
//! [`distinguish`](query::distinguish()) finds inputs, or proves that there are none. What it finds
//! has been replayed on two simulators.
//!
//! ```
//! use mmasmt::solver::engine::Limits;
//! use mmasmt::machines::model::Model;
//! use mmasmt::claims::query::{Options, distinguish};
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
//! [`prove`](query::prove()) proves a property of a model for all operands in a domain, or refutes it
//! with inputs. [`PROPERTIES`](property::PROPERTIES) lists what can be claimed. That two models are
//! equal is a claim as well: both ask a [`Question`](query::Question) and get an
//! [`Answer`](query::Answer).
//!
//! ```
//! use mmasmt::solver::engine::Limits;
//! use mmasmt::machines::model::Model;
//! use mmasmt::claims::property::Claim;
//! use mmasmt::claims::query::{Options, prove};
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
//! use mmasmt::machines::model::Model;
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
//! | [`model`] | models from text or from the tables of instructions, simulators |
//! | [`matrices`] | products of whole matrices, files of them |
//! | [`batch`] | a model on columns of operands, many at once |
//! | [`vectors`] | operands, drawing them, reading, checking and writing files of them |
//! | [`designs`] | designs of others as models |
//! | [`export`] | models as C, Verilog and other text |
//! | [`mod@explain`] | every step of an evaluation as data, the first divergence of two |
//! | [`measure`] | errors of results on numbers, in exact fractions |
//! | [`query`] | `distinguish`, `prove`, the published queries |
//! | [`mod@certify`] | DRAT proofs of answers |
//! | [`property`] | what can be claimed, and what can be assumed of operands |
//! | [`identify`] | which inputs tell many models apart, and which model a machine is |
//! | [`probe`] | feature tests: what results tell of the unit that gave them |
//! | [`device`] | what answers vectors: a GPU, a command, a model |
//! | [`proof`] | clauses of a question, proofs about them and their checker |
//! | [`engine`] | solvers, the embedded one and others, and their limits |
//! | [`algorithms`] | the arithmetic itself, and the stages on the way to a result |
//! | [`float`](mod@float) | number formats: numbers from text and back, rounding |
//! | [`tape`] | algorithms as operations on columns of operands |
//! | [`bits`] | the bit-vectors that all of it is written over |
//!
//! Each module has errors of its own. Options are made from their defaults, `Distinguish::default().count(2)`. What tells an
//! outcome may get more cases and fields; enumerations of a model's parameters are complete, so that whoever evaluates
//! models by other means learns of a new one from the compiler.
//!
//! `examples/` has a program for each job. The program `mmasmt` is the feature `cli`, which is on by
//! default; a library does without it and its dependencies.

// The wings, the lower ones first: `tests/structure` holds their order. They are the workshop, and may change with any release.
#[doc(hidden)]
pub mod agreement;
#[doc(hidden)]
pub mod base;
#[doc(hidden)]
pub mod circuits;
#[doc(hidden)]
pub mod claims;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod columns;
#[doc(hidden)]
pub mod errors;
pub mod explain;
pub mod identify;
#[doc(hidden)]
pub mod machines;
pub mod matrices;
#[doc(hidden)]
pub mod numbers;
#[doc(hidden)]
pub mod solver;
pub mod vectors;

#[doc(inline)]
pub use {
    base::limits,
    circuits::export,
    claims::{property, query},
    identify::probe,
    machines::model,
    numbers::float,
    vectors::device,
};

/// The block of the guide's page "How do I use it from Rust?", compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/rust.md")]
struct UseFromRust;
