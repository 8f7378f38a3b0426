//! The syntax tree of a description: names, numbers and steps as they stand in its text.

/// A description: what its operands are, and the steps from them to the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The name of the unit.
    pub name: String,
    /// The parameters, which are the keys of a model of the description.
    pub parameters: Vec<Parameter>,
    /// Declarations, assignments and loops in order.
    pub statements: Vec<Statement>,
}

impl Tree {
    /// The defaults of all parameters.
    pub fn defaults(&self) -> Vec<Setting> {
        let parameters = self.parameters.iter();
        parameters.map(|one| one.default.clone()).collect()
    }
}

/// A parameter with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it begins.
    pub place: Place,
    /// The name of the parameter.
    pub name: String,
    /// The value that it has unless a model gives another.
    pub default: Setting,
    /// The values that it can have.
    pub choices: Choices,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A whole number.
    Number(i64),
    /// A word: a format, a rounding, or another choice of an option.
    Word(String),
}

/// The values that a parameter can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choices {
    /// The whole numbers from the first to the second.
    Range(i64, i64),
    /// These words.
    Words(Vec<String>),
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
}

/// A whole number that is known before any operand is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A number.
    Number(i64),
    /// A parameter or the counter of a loop.
    Name(String),
    /// An operation on two numbers.
    Operation(IndexOperation, Box<[Index; 2]>),
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
    pub options: Vec<Given>,
}

/// An option as a call has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
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
    /// A whole number, or one of the words of the option, or a parameter that holds either.
    Value(Index),
    /// `first(x, y) else CODE`: the first NaN of these registers, or the register CODE.
    First(Vec<Expression>, Index),
}

macro_rules! words {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type { $($(#[$doc])* $variant,)* }

        impl $type {
            /// All of them, in the order of the documentation.
            pub const ALL: &'static [$type] = &[$($type::$variant,)*];

            /// The word in the text of a description.
            pub fn word(self) -> &'static str {
                match self { $($type::$variant => $word,)* }
            }
        }
    };
}

words! {
    /// The functions of values.
    Function {
        /// One row of all arguments.
        Row = "row",
        /// The number of a register, as a term of a sum.
        Term = "term",
        /// A register in which a subnormal number is zero.
        Flush = "flush",
        /// Zero, as a register of a format.
        Zero = "zero",
        /// A number whose leading bit is the highest of its significand.
        Normalise = "normalise",
        /// Some bits of a significand, as a number.
        Part = "part",
        /// 1 where two bits differ.
        Differ = "differ",
        /// A number that is infinite from a power of two on.
        Cap = "cap",
        /// A number that is zero if its exponent is less than a limit.
        Drop = "drop",
        /// A number of which minus one in the last place is taken for a power of two.
        Miscount = "miscount",
        /// The exact sum.
        Sum = "sum",
        /// The sum of terms that are aligned to their greatest exponent and cut.
        Fuse = "fuse",
        /// A term of `fuse` with options of its own.
        Align = "align",
        /// A number with fewer significant bits.
        Cut = "cut",
        /// The register that a number is rounded to.
        Round = "round",
        /// A number with the infinities and NaNs of others, which come first.
        Special = "special",
    }
}

words! {
    /// The keywords of options.
    Keyword {
        /// The format of a result.
        To = "to",
        /// The rounding.
        By = "by",
        /// Fraction bits below the greatest exponent.
        Keep = "keep",
        /// The least exponent.
        Least = "least",
        /// Integer bits of a sum beyond the first.
        Carry = "carry",
        /// Treatment of a sum that has more bits.
        Beyond = "beyond",
        /// A bit below the sum that says whether alignment lost anything.
        Sticky = "sticky",
        /// The form of negative terms.
        Negate = "negate",
        /// The distance from which a term is cut toward zero.
        Far = "far",
        /// The fraction bits to which an aligned term is rounded once more.
        Again = "again",
        /// The exponent of zeros.
        Zeros = "zeros",
        /// Subnormal numbers have the exponent of their leading bit.
        Widen = "widen",
        /// The codes of infinities and NaNs.
        Specials = "specials",
        /// A number that is added to the exponent that a term is compared by.
        Shift = "shift",
        /// A number of bits.
        Bits = "bits",
        /// The random number of a stochastic rounding.
        Random = "random",
        /// The lowest bit.
        Low = "low",
        /// Fraction bits of a result.
        Fraction = "fraction",
        /// Results below the normal numbers.
        Tiny = "tiny",
        /// Results beyond the greatest number.
        Overflow = "overflow",
        /// The sign of a result of zero.
        Sign = "sign",
        /// The code of a NaN.
        Nan = "nan",
        /// An exponent.
        Exponent = "exponent",
    }
}

impl Function {
    /// The words of an option, the default first; none if its value is a number or a format.
    pub fn words(self, keyword: Keyword) -> &'static [&'static str] {
        match (self, keyword) {
            (Function::Round, Keyword::By) => &[
                "rne", "rz", "rd", "ru", "ra", "odd", "rna", "rnz", "rnu", "rnd", "rno",
            ],
            // Searches try the modes that units are known to cut by; a text may have any.
            (_, Keyword::By) => &["rz", "rd", "rne", "rna", "rnu", "odd"],
            (_, Keyword::Beyond) => &["wrap", "saturate"],
            (_, Keyword::Negate) => &["twos", "ones", "ones_of_nonzero"],
            (Function::Sum, Keyword::Zeros) => &["none", "terms", "field"],
            (_, Keyword::Zeros) => &["none", "field"],
            (Function::Flush, Keyword::Sign) => &["same", "plus"],
            (_, Keyword::Sign) => &["ieee", "plus", "shared", "total"],
            (_, Keyword::Tiny) => &["kept", "before", "after", "register"],
            (_, Keyword::Overflow) => &["ieee", "infinity", "wrap", "saturate", "symmetric"],
            (_, Keyword::Nan) => &["quiet", "ones", "any"],
            (_, Keyword::Specials) => &["format", "none"],
            _ => &[],
        }
    }

    /// The options that the function takes.
    pub fn keywords(self) -> &'static [Keyword] {
        use Keyword as K;
        match self {
            Function::Row | Function::Special | Function::Differ => &[],
            Function::Term => &[K::Zeros, K::Widen, K::Shift, K::Fraction, K::Specials],
            Function::Flush => &[K::Sign],
            Function::Zero => &[K::To],
            Function::Normalise => &[],
            Function::Part => &[K::Low, K::Bits, K::By],
            Function::Cap | Function::Drop => &[K::Exponent],
            Function::Miscount => &[K::Bits],
            Function::Sum => &[K::Zeros],
            Function::Fuse => &[
                K::Keep,
                K::By,
                K::Least,
                K::Carry,
                K::Beyond,
                K::Sticky,
                K::Negate,
            ],
            Function::Align => &[K::Keep, K::By, K::Far, K::Again],
            Function::Cut => &[K::Bits, K::By, K::Least],
            Function::Round => &[
                K::To,
                K::By,
                K::Bits,
                K::Random,
                K::Fraction,
                K::Tiny,
                K::Overflow,
                K::Sign,
                K::Nan,
                K::Specials,
            ],
        }
    }
}
