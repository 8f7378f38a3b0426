//! Descriptions of units in a small language: a text says what the operands are and how the result
//! comes about, and is a model like any algorithm here.
//!
//! The text becomes a syntax tree (`grammar`, `tree`, `text`), the tree with the values of its
//! parameters a list of steps (`elaborate`, `program`), and the steps run on bit-vectors (`run`).

mod align;
mod changes;
mod cut;
mod edits;
mod elaborate;
mod elements;
mod error;
mod evaluate;
mod exact;
mod fixed;
mod flags;
mod fuse;
mod grammar;
mod least;
mod lost;

#[doc(hidden)]
pub mod made;
mod magnitude;
mod names;
mod nans;
mod number;
mod program;
mod reads;
mod round;
mod rows;
mod run;
mod scales;
mod settings;
mod summed;
mod tables;
mod text;
mod tree;
mod vocabulary;
mod words;

pub(crate) use elaborate::{CallOptions, ElaborationResult, MOST_STEPS, Scope, Steps, kept, wrong};
pub use error::DescriptionError;
pub use exact::{Alignment, Exact};
pub use flags::{CutFlags, Flags, NAMES as FLAG_NAMES, Tininess};
pub use program::{
    Action, Cut, Extent, Fuse, FusedTerm, Integers, KeptNan, Nan, NegativeForm, Program,
    ProgramNode, Round, RoundSource, Slot, Specials, SumOverflow, SumZeros, TermStep, ValueKind,
    ZeroSign, Zeros,
};
pub use reads::ValueReads;
pub use settings::ParameterConflict;
pub(crate) use tree::{Call, CallOption, Choice, Expression, Statement, StatementKind};
pub use tree::{Choices, Class, Function, Index, Keyword, Parameter, Place, Setting, Tree};
#[doc(hidden)]
pub use words::OFTEN;

use super::{DotAdd, Operands, Signature, Stages};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;
use std::sync::{Arc, OnceLock};
use words::WordProgram;

/// A description with the values of its parameters.
#[derive(Clone, Debug)]
pub struct Description {
    tree: Arc<Tree>,
    settings: Vec<Setting>,
    program: Arc<Program>,
    /// The steps where only the result is wanted.
    for_result: Arc<OnceLock<Program>>,
    /// The same on machine words.
    on_words: Arc<OnceLock<WordProgram>>,
}

/// Two descriptions are equal if they have the same steps, whatever their parameters are.
impl PartialEq for Description {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.program, &other.program) || self.program == other.program
    }
}

impl Eq for Description {}

impl Description {
    /// The description with parameters of these values, in their order.
    ///
    /// # Errors
    /// If a name is not known, values of the wrong kind meet, or the description is too large.
    pub fn new(tree: Arc<Tree>, settings: Vec<Setting>) -> Result<Description, DescriptionError> {
        let program = Arc::new(Program::of(&tree, &settings)?);
        Ok(Description {
            tree,
            settings,
            for_result: Arc::default(),
            on_words: Arc::default(),
            program,
        })
    }

    /// The description with this text, and the defaults of its parameters.
    ///
    /// # Errors
    /// If the text does not follow the grammar, and those of [`new`](Self::new).
    pub fn parse(text: &str) -> Result<Description, DescriptionError> {
        let tree = Tree::parse(text)?;
        let settings = tree.defaults()?;
        Description::new(Arc::new(tree), settings)
    }

    /// The syntax tree.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The text whose parameters have their values as defaults, so that it alone is this description.
    pub fn text(&self) -> String {
        self.tree.filled(&self.settings)
    }

    /// The same description, except that it takes `c` in the format of its result, if a parameter holds that format.
    #[must_use]
    pub fn next(&self) -> Description {
        let signature = self.signature();
        if signature.c == signature.d {
            return self.clone();
        }
        let next = self.tree.format_of_c().and_then(|number| {
            let format = self.tree.parameters[number].read(signature.d.name())?;
            let mut settings = self.settings.clone();
            settings[number] = format;
            Description::new(Arc::clone(&self.tree), settings).ok()
        });
        next.unwrap_or_else(|| self.clone())
    }

    /// The values of the parameters, in their order.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Whether what two factors give is their product everywhere.
    pub fn has_products_alone(&self) -> bool {
        let mut nodes = self.program.nodes.iter();
        !nodes.any(|node| matches!(node.action, Action::Differ(_)))
    }

    /// The steps.
    pub fn program(&self) -> &Program {
        &self.program
    }
}

impl DotAdd for Description {
    fn signature(&self) -> Signature {
        self.program.signature
    }

    fn nan(&self) -> NanCode {
        self.program.nan()
    }

    fn reads_c(&self) -> bool {
        self.program.reads_c()
    }

    fn multiplies(&self) -> bool {
        self.program.multiplies()
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        if !stages.are_for_result() {
            return self.program.run(operands, stages);
        }
        let for_result = || self.for_result.get_or_init(|| self.program.for_result());
        if B::IS_WORD {
            let on_words = || WordProgram::of(for_result());
            return self.on_words.get_or_init(on_words).run(operands, stages);
        }
        for_result().run(operands, stages)
    }
}
