//! The words of the language: functions of values, keywords of options, classes of values of a parameter, and numbers of
//! a format.

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
        /// A register that is +0 where it is negative.
        Relu = "relu",
        /// The greatest magnitude of registers.
        Greatest = "greatest",
        /// The reciprocal of a scale that is a power of two.
        Inverse = "inverse",
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
        /// A register, or another one where one of several values is a NaN.
        Replace = "replace",
        /// In a composition: the unit's sum of products.
        Run = "run",
        /// In a composition: a part of numbers, from what the parts before it leave.
        Split = "split",
        /// A number times a power of two; in a composition a sum.
        Scale = "scale",
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
        /// The exponent of the last place beyond which a term below it is zero.
        Vanish = "vanish",
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
            (_, Keyword::Negate) => &["twos", "ones", "ones_of_nonzero", "against_last"],
            (Function::Sum, Keyword::Zeros) => &["none", "terms", "field"],
            (_, Keyword::Zeros) => &["none", "field"],
            (Function::Flush, Keyword::Sign) => &["same", "plus"],
            (_, Keyword::Sign) => &["ieee", "plus", "shared", "total"],
            (_, Keyword::Tiny) => &["kept", "before", "after", "register"],
            (_, Keyword::Overflow) => {
                &["ieee", "infinity", "wrap", "saturate", "symmetric", "clamp"]
            }
            (_, Keyword::Nan) => &[
                "quiet",
                "ones",
                "any",
                "kept",
                "signed",
                "signed_ones",
                "opposite_zero",
            ],
            (_, Keyword::Specials) => &["format", "none"],
            _ => &[],
        }
    }

    /// The options that the function takes.
    pub fn keywords(self) -> &'static [Keyword] {
        use Keyword as K;
        match self {
            Function::Row | Function::Special | Function::Differ => &[],
            Function::Run | Function::Relu | Function::Greatest | Function::Inverse => &[],
            Function::Split => &[K::To, K::By, K::Shift],
            Function::Scale => &[K::Exponent],
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
            Function::Align => &[K::Keep, K::By, K::Far, K::Again, K::Vanish],
            Function::Replace => &[K::Nan],
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

words! {
    /// Classes of words that a parameter can have as its value.
    Class {
        /// The names of floating-point formats.
        Formats = "formats",
        /// The names of floating-point formats, and of fixed-point elements of blocks.
        Factors = "factors",
        /// The names of formats with infinities.
        WithInfinities = "with_infinities",
        /// The roundings of a result: all modes but `odd`, and the stochastic ones.
        Roundings = "roundings",
        /// All modes of rounding but the stochastic ones.
        Modes = "modes",
    }
}

words! {
    /// The whole numbers of a format.
    OfFormat {
        /// All bits of a register.
        Width = "width",
        /// The bits of a significand, the leading one included.
        Precision = "precision",
        /// The bits of a fraction.
        Fraction = "fraction",
        /// The exponent of the least normal number.
        Least = "least",
    }
}
