//! The syntax tree of a description: names, numbers and steps as they stand in its text.

use std::ops::Range;

pub use super::vocabulary::{Class, Function, Keyword, OfFormat};

/// A description: what its operands are, and the steps from them to the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// True for a composition, false for a unit.
    pub is_composition: bool,
    /// The name of the unit or the composition.
    pub name: String,
    /// The comment before the unit, on one line: what it is.
    pub summary: String,
    /// What that comment says behind `Source:`.
    pub source: String,
    /// The parameters, which are the keys of a model of the description.
    pub parameters: Vec<Parameter>,
    /// Declarations, assignments and loops in order.
    pub statements: Vec<Statement>,
    /// The text itself; empty if the tree is a changed one.
    pub text: String,
}

/// A parameter with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it begins.
    pub place: Place,
    /// The name of the parameter in the text.
    pub name: String,
    /// The name of the parameter as a key of a specification.
    pub key: String,
    /// The value that it has unless a model gives another; it may depend on other parameters.
    pub default: Index,
    /// The bytes of the text that are the default.
    pub default_at: Range<usize>,
    /// The values that it can have.
    pub choices: Vec<Choices>,
    /// Whether a printed model always has the key.
    pub is_shown: bool,
    /// The comment behind it, on one line: its effect.
    pub meaning: String,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A whole number.
    Number(i64),
    /// A word: a format, a rounding, or another choice of an option.
    Word(String),
}

/// Some of the values that a parameter can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choices {
    /// The whole numbers from the first to the second.
    Range(i64, i64),
    /// A word.
    Word(String),
    /// The words of a class.
    Class(Class),
}

/// A place in the text, both numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

/// A line of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it begins.
    pub place: Place,
    /// Its content: a declaration, an assignment or a loop.
    pub kind: StatementKind,
}

/// The content of a line of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `a, b: f16[K]`: operands, or the result, in a format; a row of them has a length. Scales have
    /// a block: `sa, sb: ue8m0 of 32`.
    Declare {
        /// The names: `a`, `b`, `c`, `d`, or `sa` and `sb` for scales.
        names: Vec<String>,
        /// The name of the format, or of a parameter that holds it.
        format: String,
        /// The number of registers of a row.
        length: Option<Index>,
        /// The number of products that share a scale.
        block: Option<Index>,
    },
    /// `t[g] = EXPRESSION`.
    Assign {
        /// The name that is given a value.
        name: String,
        /// The element of a row that is given a value.
        element: Option<Index>,
        /// The value.
        value: Expression,
    },
    /// `for k in 0..K step 2 { … }`; the end of the range is left out.
    Loop {
        /// The name of the counter.
        counter: String,
        /// Its first value.
        from: Index,
        /// The end of the range.
        to: Index,
        /// The difference of successive values.
        step: Option<Index>,
        /// The statements that are run for each value.
        body: Vec<Statement>,
    },
    /// `if CONDITION { … } else { … }`.
    If {
        /// The condition, which depends on parameters and counters alone.
        condition: Condition,
        /// The statements that are run where it holds.
        body: Vec<Statement>,
        /// The statements that are run elsewhere.
        otherwise: Vec<Statement>,
    },
    /// `let NAME = VALUE`: a name for a number or a word.
    Let {
        /// The name.
        name: String,
        /// The number or the word.
        value: Index,
    },
    /// `need CONDITION # EXPECTED`: values of parameters that can be combined.
    Need {
        /// The condition, whose first name is the parameter to blame.
        condition: Condition,
        /// The comment behind it, on one line: the value that is expected of that parameter.
        expected: String,
    },
    /// `pairwise t of p = EXPRESSION`: the value of `left` and `right`, which are the first half of the row `p`
    /// and the second, each made one value in the same way.
    Pairwise {
        /// The name that is given the value of the whole row.
        name: String,
        /// The row.
        row: Expression,
        /// The value of two values.
        value: Expression,
    },
}

/// A condition on numbers and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `K <= 4`, `ORDER = fused`.
    Compare(Comparison, Box<[Index; 2]>),
    /// Both hold.
    And(Box<[Condition; 2]>),
    /// At least one holds.
    Or(Box<[Condition; 2]>),
}

/// A comparison of two numbers, or whether two words are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They are the same.
    Is,
    /// They differ.
    IsNot,
    /// The first is less.
    Less,
    /// The first is not greater.
    AtMost,
    /// The first is greater.
    Greater,
    /// The first is not less.
    AtLeast,
}

/// A whole number or a word that is known before any operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A number.
    Number(i64),
    /// A parameter, a name of `let` or the counter of a loop; else a word.
    Name(String),
    /// An operation on two numbers.
    Operation(IndexOperation, Box<[Index; 2]>),
    /// `fraction(D)`: a number of a format.
    Of(OfFormat, Box<Index>),
    /// `X if CONDITION else Y`.
    If(Box<(Index, Condition, Index)>),
}

/// An operation on whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexOperation {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, rounded down.
    Over,
    /// Remainder.
    Modulo,
}

/// A value, or a row of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// An operand, or what a name was given.
    Name(Place, String),
    /// `x[k]`: an element of a row.
    Element(Box<Expression>, Index),
    /// `x[0..8 step 2]`: a part of a row; without a beginning or an end it has all on that side.
    Slice {
        /// The row.
        of: Box<Expression>,
        /// The first element.
        from: Option<Index>,
        /// The element behind the last.
        to: Option<Index>,
        /// The difference of successive elements.
        step: Option<Index>,
    },
    /// `x * y`: exact products, element by element.
    Product(Box<[Expression; 2]>),
    /// `fuse(p, c) keep F`: a function of values, with options.
    Call(Call),
}

/// A function of values, with options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Where it begins.
    pub place: Place,
    /// The function.
    pub function: Function,
    /// Its arguments.
    pub arguments: Vec<Expression>,
    /// Its options, in order.
    pub options: Vec<CallOption>,
}

/// An option as a call has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOption {
    /// Where it begins.
    pub place: Place,
    /// Its keyword.
    pub keyword: Keyword,
    /// Its value.
    pub choice: Choice,
}

/// The value behind the keyword of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Nothing: the keyword says it all.
    Given,
    /// `if CONDITION` behind such a keyword: the option is given where the condition holds.
    If(Condition),
    /// A whole number, or one of the words of the option, or a parameter that holds either.
    Value(Index),
    /// `first(x, y) else CODE`: the first NaN of these registers, or the register CODE; `none(x, y) else CODE` is
    /// always that register. The word may be that of a parameter.
    First {
        /// The word before the parentheses.
        rule: Index,
        /// The registers.
        registers: Vec<Expression>,
        /// The other register, or the word for the code of a NaN.
        otherwise: Index,
    },
}
