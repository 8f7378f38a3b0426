//! The choice of the routine for an instruction, by the instruction's types.

use super::dot_products::DotProduct;
use super::element::Type::{self, U8, U16, U32, U64, U128};
use super::exact_sums::ExactDotProduct;
use super::features::{Features, Routine};
use super::floats;
use super::halves::SumOfHalves;
use super::instruction::{Code, Instruction};
use super::many;
use super::maxima;
use super::operations as op;
use super::placed::PlacedSum;
use super::real_parts::RealPart;
use super::reals;
use super::rounds::RoundSum;
use mmasmt_numbers::bits::HostOperation;

macro_rules! of_type {
    ($features:expr, $type:expr, $name:ident) => {
        match $type {
            U8 => Routine::of::<op::$name<u8>>($features),
            U16 => Routine::of::<op::$name<u16>>($features),
            U32 => Routine::of::<op::$name<u32>>($features),
            U64 => Routine::of::<op::$name<u64>>($features),
            U128 => Routine::of::<op::$name<u128>>($features),
        }
    };
}

/// The routine for two types, the first of which is not wider than the second. `$make` puts them in
/// the order of the operation's type parameters.
macro_rules! of_pair {
    ($features:expr, $narrow:expr, $wide:expr, $make:ident, $name:ident) => {
        match ($narrow, $wide) {
            (U8, U8) => $make!($features, $name, u8, u8),
            (U8, U16) => $make!($features, $name, u8, u16),
            (U8, U32) => $make!($features, $name, u8, u32),
            (U8, U64) => $make!($features, $name, u8, u64),
            (U8, U128) => $make!($features, $name, u8, u128),
            (U16, U16) => $make!($features, $name, u16, u16),
            (U16, U32) => $make!($features, $name, u16, u32),
            (U16, U64) => $make!($features, $name, u16, u64),
            (U16, U128) => $make!($features, $name, u16, u128),
            (U32, U32) => $make!($features, $name, u32, u32),
            (U32, U64) => $make!($features, $name, u32, u64),
            (U32, U128) => $make!($features, $name, u32, u128),
            (U64, U64) => $make!($features, $name, u64, u64),
            (U64, U128) => $make!($features, $name, u64, u128),
            (U128, U128) => $make!($features, $name, u128, u128),
            _ => return None,
        }
    };
}
macro_rules! upwards {
    ($features:expr, $name:ident, $narrow:ident, $wide:ident) => {
        Routine::of::<op::$name<$narrow, $wide>>($features)
    };
}
macro_rules! downwards {
    ($features:expr, $name:ident, $narrow:ident, $wide:ident) => {
        Routine::of::<op::$name<$wide, $narrow>>($features)
    };
}

/// The routine for a shift, by the types of the shifted number and of the shift amount.
macro_rules! of_shift {
    ($features:expr, $type:expr, $by:expr, $name:ident) => {
        match ($type, $by) {
            (U8, U8) => Routine::of::<op::$name<u8, u8>>($features),
            (U16, U8) => Routine::of::<op::$name<u16, u8>>($features),
            (U32, U8) => Routine::of::<op::$name<u32, u8>>($features),
            (U64, U8) => Routine::of::<op::$name<u64, u8>>($features),
            (U128, U8) => Routine::of::<op::$name<u128, u8>>($features),
            (U16, U16) => Routine::of::<op::$name<u16, u16>>($features),
            (U32, U16) => Routine::of::<op::$name<u32, u16>>($features),
            (U64, U16) => Routine::of::<op::$name<u64, u16>>($features),
            (U128, U16) => Routine::of::<op::$name<u128, u16>>($features),
            _ => return None,
        }
    };
}

macro_rules! of_added {
    ($features:expr, $type:expr, $uniform:literal) => {
        match $type {
            U8 => Routine::of::<op::AddIfBoth<u8, $uniform>>($features),
            U16 => Routine::of::<op::AddIfBoth<u16, $uniform>>($features),
            U32 => Routine::of::<op::AddIfBoth<u32, $uniform>>($features),
            U64 => Routine::of::<op::AddIfBoth<u64, $uniform>>($features),
            U128 => Routine::of::<op::AddIfBoth<u128, $uniform>>($features),
        }
    };
}

macro_rules! of_maximum {
    ($features:expr, $type:expr, $uniform:literal) => {
        match $type {
            U8 => Routine::of::<maxima::MaximumOfSums<u8, $uniform>>($features),
            U16 => Routine::of::<maxima::MaximumOfSums<u16, $uniform>>($features),
            U32 => Routine::of::<maxima::MaximumOfSums<u32, $uniform>>($features),
            _ => return None,
        }
    };
}

/// The routine for a sum, by the types of the sum and of the factors, and by two flags: the
/// constants `k` and `l` of `Code::SignedSum`.
macro_rules! of_sum {
    ($features:expr, $to:expr, $from:expr, $flags:expr, $by:ident, $aligned:literal) => {
        match ($to, $from, $flags) {
            (U32, U8, [2, 1]) => Routine::of::<SumOfHalves<u8, $by, $aligned, true>>($features),
            (U32, U8, [2, 0]) => Routine::of::<SumOfHalves<u8, $by, $aligned, false>>($features),
            (U32, U8, [1, 1]) => {
                Routine::of::<many::SignedSum<u32, u8, $by, $aligned, true, true>>($features)
            }
            (U32, U16, [1, 1]) => {
                Routine::of::<many::SignedSum<u32, u16, $by, $aligned, true, true>>($features)
            }
            (U32, U8, [1, 0]) => {
                Routine::of::<many::SignedSum<u32, u8, $by, $aligned, true, false>>($features)
            }
            (U32, U16, [1, 0]) => {
                Routine::of::<many::SignedSum<u32, u16, $by, $aligned, true, false>>($features)
            }
            (U16, U8, [_, 0]) => {
                Routine::of::<many::SignedSum<u16, u8, $by, $aligned, false, false>>($features)
            }
            (U16, U16, [_, 0]) => {
                Routine::of::<many::SignedSum<u16, u16, $by, $aligned, false, false>>($features)
            }
            (U32, U8, [_, 0]) => {
                Routine::of::<many::SignedSum<u32, u8, $by, $aligned, false, false>>($features)
            }
            (U32, U16, [_, 0]) => {
                Routine::of::<many::SignedSum<u32, u16, $by, $aligned, false, false>>($features)
            }
            (U64, U8, [_, 0]) => {
                Routine::of::<many::SignedSum<u64, u8, $by, $aligned, false, false>>($features)
            }
            (U64, U16, [_, 0]) => {
                Routine::of::<many::SignedSum<u64, u16, $by, $aligned, false, false>>($features)
            }
            (U128, U8, [_, 0]) => {
                Routine::of::<many::SignedSum<u128, u8, $by, $aligned, false, false>>($features)
            }
            _ => return None,
        }
    };
}

/// The routine of a rounding, by the types of the sum and of the exponent, the number of operands,
/// and two flags: the fields of `Code::Round`.
macro_rules! of_rounding {
    ($features:expr, $types:expr, $count:expr, $cut:literal, $subnormal:literal) => {
        match ($types, $count) {
            ([U32, U8], 2) => Routine::of::<RoundSum<u32, u8, false, $cut, $subnormal>>($features),
            ([U32, U16], 2) => {
                Routine::of::<RoundSum<u32, u16, false, $cut, $subnormal>>($features)
            }
            ([U32, U8], 3) => Routine::of::<RoundSum<u32, u8, true, $cut, $subnormal>>($features),
            ([U32, U16], 3) => Routine::of::<RoundSum<u32, u16, true, $cut, $subnormal>>($features),
            ([U64, U8], 2) => Routine::of::<RoundSum<u64, u8, false, $cut, $subnormal>>($features),
            ([U64, U16], 2) => {
                Routine::of::<RoundSum<u64, u16, false, $cut, $subnormal>>($features)
            }
            _ => return None,
        }
    };
}

impl Instruction {
    /// The routine of the instruction; `None` for inputs, and for types that no lowering produces.
    pub(super) fn routine(&self, f: Features) -> Option<Routine> {
        let Instruction { to, from, by, .. } = *self;
        let plain = self.shifts == [0; 2] && self.constants[0] == 0;
        let count = self.args.len();
        let flags = self.constants;
        Some(match self.code {
            Code::Input => return None,
            Code::Constant => of_type!(f, to, Constant),
            Code::Convert if from <= to => of_pair!(f, from, to, upwards, Convert),
            Code::Convert => of_pair!(f, to, from, downwards, Convert),
            Code::ConvertSigned => of_pair!(f, from, to, upwards, ConvertSigned),
            Code::Extract => of_pair!(f, to, from, downwards, Extract),
            Code::ExtractSigned => of_pair!(f, to, from, downwards, ExtractSigned),
            Code::SignExtend => of_type!(f, to, SignExtend),
            Code::Scale if self.shifts[0] == 0 => of_type!(f, to, AddConst),
            Code::Scale => of_type!(f, to, Scale),
            Code::Negate => of_type!(f, to, Negate),
            Code::MultiplyConst => of_type!(f, to, MultiplyConst),
            Code::Add if plain => of_type!(f, to, Add),
            Code::Add => of_type!(f, to, AddShifted),
            Code::Subtract if plain => of_type!(f, to, Subtract),
            Code::Subtract => of_type!(f, to, SubtractShifted),
            Code::Multiply => of_pair!(f, from, to, upwards, Multiply),
            Code::Choose => of_type!(f, to, Choose),
            Code::ChooseElse => of_type!(f, to, ChooseElse),
            Code::ChooseThen => of_type!(f, to, ChooseThen),
            Code::NegateIf => of_type!(f, to, NegateIf),
            Code::Maximum => match to {
                U8 => Routine::of::<maxima::Maximum<u8>>(f),
                U16 => Routine::of::<maxima::Maximum<u16>>(f),
                U32 => Routine::of::<maxima::Maximum<u32>>(f),
                U64 => Routine::of::<maxima::Maximum<u64>>(f),
                U128 => Routine::of::<maxima::Maximum<u128>>(f),
            },
            Code::ShiftLeft => of_shift!(f, to, by, ShiftLeft),
            Code::ShiftRight if count == 3 => of_shift!(f, to, by, ShiftRightBy),
            Code::ShiftRight => of_shift!(f, to, by, ShiftRight),
            Code::ShiftRightSigned if count == 3 => of_shift!(f, to, by, ShiftRightSignedBy),
            Code::ShiftRightSigned => of_shift!(f, to, by, ShiftRightSigned),
            Code::Host(operation) => match (operation, to) {
                (HostOperation::Add, U32) => Routine::of::<floats::AddFloats<u32>>(f),
                (HostOperation::Add, U64) => Routine::of::<floats::AddFloats<u64>>(f),
                (HostOperation::Multiply, U32) => Routine::of::<floats::MultiplyFloats<u32>>(f),
                (HostOperation::Multiply, U64) => Routine::of::<floats::MultiplyFloats<u64>>(f),
                (HostOperation::Fma, U32) => Routine::of::<floats::FusedMultiplyAdd<u32>>(f),
                (HostOperation::FlushedFma, U32) => {
                    Routine::of::<floats::FlushedFusedMultiplyAdd>(f)
                }
                (HostOperation::OddSum, U32) => Routine::of::<floats::OddSum>(f),
                (HostOperation::Fma, U64) => Routine::of::<floats::FusedMultiplyAdd<u64>>(f),
                _ => return None,
            },
            Code::Zeros => of_type!(f, from, Zeros),
            Code::Select => of_type!(f, to, Select),
            Code::AddSelect => of_type!(f, to, AddSelect),
            Code::And => of_type!(f, to, And),
            Code::Or => of_type!(f, to, Or),
            Code::Xor => of_type!(f, to, Xor),
            Code::XorUniform => Routine::of::<op::XorUniform>(f),
            Code::ExtractOr => of_pair!(f, to, from, downwards, ExtractOr),
            Code::ExtractAdd => of_pair!(f, to, from, downwards, ExtractAdd),
            Code::AddIf => of_type!(f, to, AddIf),
            Code::AddIfBoth => of_added!(f, to, false),
            Code::AddIfBothUniform => of_added!(f, to, true),
            Code::MaximumOfPairs => match (to, flags[0]) {
                (U8, 0) => Routine::of::<maxima::MaximumOfPairs<u8, false>>(f),
                (U8, _) => Routine::of::<maxima::MaximumOfPairs<u8, true>>(f),
                (U16, 0) => Routine::of::<maxima::MaximumOfPairs<u16, false>>(f),
                (U16, _) => Routine::of::<maxima::MaximumOfPairs<u16, true>>(f),
                _ => return None,
            },
            Code::MaximumOfSums => of_maximum!(f, to, false),
            Code::MaximumOfSumsUniform => of_maximum!(f, to, true),
            Code::FieldEqual => of_type!(f, from, FieldEqual),
            Code::FieldMore => of_type!(f, from, FieldMore),
            Code::BitOfXor => of_type!(f, from, BitOfXor),
            Code::BothBits => of_type!(f, from, BothBits),
            Code::NoPair => Routine::of::<many::NoPair>(f),
            Code::EqualConst => of_type!(f, from, EqualConst),
            Code::LessConst => of_type!(f, from, LessConst),
            Code::MoreConst => of_type!(f, from, MoreConst),
            Code::LessConstSigned => of_type!(f, from, LessConstSigned),
            Code::MoreConstSigned => of_type!(f, from, MoreConstSigned),
            Code::Equal => of_type!(f, from, Equal),
            Code::Less => of_type!(f, from, Less),
            Code::LessSigned => of_type!(f, from, LessSigned),
            Code::Bit => of_type!(f, from, Bit),
            Code::Lost => of_shift!(f, from, by, Lost),
            Code::All => match count {
                2 => Routine::of::<op::AndOfTwo>(f),
                3 => Routine::of::<op::AndOfThree>(f),
                4 => Routine::of::<op::AndOfFour>(f),
                _ => return None,
            },
            Code::ChooseTruth => Routine::of::<op::ChooseTruth>(f),
            Code::Real => match (from, by) {
                (U8, U8) => Routine::of::<reals::Real<u8, u8>>(f),
                (U8, U16) => Routine::of::<reals::Real<u8, u16>>(f),
                (U16, U8) => Routine::of::<reals::Real<u16, u8>>(f),
                (U16, U16) => Routine::of::<reals::Real<u16, u16>>(f),
                _ => return None,
            },
            Code::Power => match from {
                U8 => Routine::of::<reals::Power<u8>>(f),
                U16 => Routine::of::<reals::Power<u16>>(f),
                _ => return None,
            },
            Code::Round {
                is_cut,
                may_be_subnormal,
            } => match (is_cut, may_be_subnormal) {
                (false, false) => of_rounding!(f, [from, by], count, false, false),
                (false, true) => of_rounding!(f, [from, by], count, false, true),
                (true, false) => of_rounding!(f, [from, by], count, true, false),
                (true, true) => of_rounding!(f, [from, by], count, true, true),
            },
            Code::RealPart => match (by, count) {
                (U8, 2) => Routine::over_vectors::<RealPart<u8, false>>(f),
                (U16, 2) => Routine::over_vectors::<RealPart<u16, false>>(f),
                (U8, 3) => Routine::over_vectors::<RealPart<u8, true>>(f),
                (U16, 3) => Routine::over_vectors::<RealPart<u16, true>>(f),
                _ => return None,
            },
            Code::DotProduct => match (to, flags[0]) {
                (U16, 0) => Routine::of::<DotProduct<u16, false>>(f),
                (U16, _) => Routine::of::<DotProduct<u16, true>>(f),
                _ => return None,
            },
            Code::SumOfReals if flags[1] == 1 => {
                Routine::over_vectors::<reals::SumOfReals<true>>(f)
            }
            Code::SumOfReals => Routine::over_vectors::<reals::SumOfReals<false>>(f),
            Code::ExactSum => match (to, flags[1]) {
                (U8, 0) => Routine::over_doubles::<ExactDotProduct<u8, false>>(f),
                (U8, _) => Routine::over_doubles::<ExactDotProduct<u8, true>>(f),
                (U16, 0) => Routine::over_doubles::<ExactDotProduct<u16, false>>(f),
                (U16, _) => Routine::over_doubles::<ExactDotProduct<u16, true>>(f),
                (U32, 0) => Routine::over_doubles::<ExactDotProduct<u32, false>>(f),
                (U32, _) => Routine::over_doubles::<ExactDotProduct<u32, true>>(f),
                _ => return None,
            },
            Code::SumOfPlaced => match (from, by) {
                (U8, U8) => Routine::of::<PlacedSum<u8, u8>>(f),
                (U16, U8) => Routine::of::<PlacedSum<u16, u8>>(f),
                (U32, U8) => Routine::of::<PlacedSum<u32, u8>>(f),
                (U8, U16) => Routine::of::<PlacedSum<u8, u16>>(f),
                (U16, U16) => Routine::of::<PlacedSum<u16, u16>>(f),
                (U32, U16) => Routine::of::<PlacedSum<u32, u16>>(f),
                _ => return None,
            },
            Code::SignedSum => of_sum!(f, to, from, flags, u8, false),
            Code::AlignedSum => match by {
                Type::U8 => of_sum!(f, to, from, flags, u8, true),
                Type::U16 => of_sum!(f, to, from, flags, u16, true),
                _ => return None,
            },
        })
    }
}
