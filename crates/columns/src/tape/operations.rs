//! The operations on columns: loops over the lanes of a block, written so that the compiler turns
//! them into vector instructions.

use super::columns::{ColumnType, LANES, Memory};
use super::maxima::ConditionalSum;
use super::step::{ColumnOperation, TapeStep};
use std::marker::PhantomData;

/// A mask of the low half of a constant.
const HALF: u128 = u64::MAX as u128;

#[inline(always)]
fn map1<A: ColumnType, D: ColumnType>(memory: &mut Memory, step: &TapeStep, f: impl Fn(A) -> D) {
    let (to, columns) = memory.open::<D>();
    let a = columns.get::<A>(step.args[0]);
    for lane in 0..LANES {
        to[lane] = f(a[lane]);
    }
    memory.close::<D>(step.to);
}

#[inline(always)]
fn map2<A: ColumnType, B: ColumnType, D: ColumnType>(
    memory: &mut Memory,
    step: &TapeStep,
    f: impl Fn(A, B) -> D,
) {
    let (to, columns) = memory.open::<D>();
    let a = columns.get::<A>(step.args[0]);
    let b = columns.get::<B>(step.args[1]);
    for lane in 0..LANES {
        to[lane] = f(a[lane], b[lane]);
    }
    memory.close::<D>(step.to);
}

#[inline(always)]
fn map3<A: ColumnType, B: ColumnType, C: ColumnType, D: ColumnType>(
    memory: &mut Memory,
    step: &TapeStep,
    f: impl Fn(A, B, C) -> D,
) {
    let (to, columns) = memory.open::<D>();
    let a = columns.get::<A>(step.args[0]);
    let b = columns.get::<B>(step.args[1]);
    let c = columns.get::<C>(step.args[2]);
    for lane in 0..LANES {
        to[lane] = f(a[lane], b[lane], c[lane]);
    }
    memory.close::<D>(step.to);
}

/// The byte of a truth value: ff or 0.
#[inline(always)]
fn truth(value: bool) -> u8 {
    if value { 0xff } else { 0 }
}

macro_rules! operation {
    ($(#[$doc:meta])* $name:ident<$($type:ident),*>, |$memory:ident, $step:ident| $body:expr) => {
        $(#[$doc])*
        pub(super) struct $name<$($type),*>(PhantomData<($($type,)*)>);
        impl<$($type: ColumnType),*> ColumnOperation for $name<$($type),*> {
            #[inline(always)]
            fn run($memory: &mut Memory, $step: &TapeStep) {
                $body
            }
        }
    };
}

operation!(
    /// The same constant in all lanes.
    Constant<T>, |m, s| {
        let value = T::of(s.constants[0]);
        m.open::<T>().0.fill(value);
        m.close::<T>(s.to);
    }
);
operation!(
    /// A number in another type: the low bits of the number, or the number with zeros above it.
    Convert<A, D>, |m, s| map1::<A, D>(m, s, |x| D::of(x.number()))
);
operation!(
    /// A number in another type: the low bits of the number, or the number with copies of its sign
    /// above it.
    ConvertSigned<A, D>, |m, s| map1::<A, D>(m, s, |x| D::of(x.signed() as u128))
);
operation!(
    /// A field of a number: the number shifted right by a constant, under a mask.
    Extract<A, D>, |m, s| {
        let (by, mask) = (s.shifts[0], D::of(s.constants[0]));
        map1::<A, D>(m, s, |x| D::of(x.shr_const(by).number()).and(mask));
    }
);
operation!(
    /// The same as `Extract`, with copies of the sign of the number shifted in.
    ExtractSigned<A, D>, |m, s| {
        let (by, mask) = (s.shifts[0], D::of(s.constants[0]));
        map1::<A, D>(m, s, |x| D::of(x.sar_const(by).number()).and(mask));
    }
);
operation!(
    /// The low bits of a number, with copies of the highest of these bits above them.
    SignExtend<T>, |m, s| {
        let by = s.shifts[0];
        map1::<T, T>(m, s, |x| x.shl_const(by).sar_const(by));
    }
);
operation!(AddConst<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, T>(m, s, |x| x.add(k));
});
operation!(
    /// A number shifted left, plus a constant.
    Scale<T>, |m, s| {
        let (by, k) = (s.shifts[0], T::of(s.constants[0]));
        map1::<T, T>(m, s, |x| x.shl_const(by).add(k));
    }
);
operation!(
    /// A constant less a number shifted left.
    Negate<T>, |m, s| {
        let (by, k) = (s.shifts[0], T::of(s.constants[0]));
        map1::<T, T>(m, s, |x| k.sub(x.shl_const(by)));
    }
);
operation!(MultiplyConst<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, T>(m, s, |x| x.mul(k));
});
operation!(Add<T>, |m, s| map2::<T, T, T>(m, s, |x, y| x.add(y)));
operation!(Subtract<T>, |m, s| map2::<T, T, T>(m, s, |x, y| x.sub(y)));
operation!(
    /// The sum of two numbers, each shifted left, and of a constant.
    AddShifted<T>, |m, s| {
        let ([by_x, by_y], k) = (s.shifts, T::of(s.constants[0]));
        map2::<T, T, T>(m, s, |x, y| x.shl_const(by_x).add(y.shl_const(by_y)).add(k));
    }
);
operation!(
    /// The difference of two numbers, each shifted left, plus a constant.
    SubtractShifted<T>, |m, s| {
        let ([by_x, by_y], k) = (s.shifts, T::of(s.constants[0]));
        map2::<T, T, T>(m, s, |x, y| x.shl_const(by_x).sub(y.shl_const(by_y)).add(k));
    }
);
operation!(
    /// A product, shifted left, in a type that may be wider than the type of the factors.
    Multiply<A, D>, |m, s| {
        let by = s.shifts[0];
        map2::<A, A, D>(m, s, |x, y| D::of(x.number()).mul(D::of(y.number())).shl_const(by));
    }
);
operation!(Choose<T>, |m, s| map3::<u8, T, T, T>(m, s, |c, x, y| {
    if c != 0 { x } else { y }
}));
operation!(
    /// A number where a truth value holds, else a constant.
    ChooseElse<T>, |m, s| {
        let k = T::of(s.constants[0]);
        map2::<u8, T, T>(m, s, |c, x| if c != 0 { x } else { k });
    }
);
operation!(
    /// A constant where a truth value holds, else a number.
    ChooseThen<T>, |m, s| {
        let k = T::of(s.constants[0]);
        map2::<u8, T, T>(m, s, |c, x| if c != 0 { k } else { x });
    }
);
operation!(NegateIf<T>, |m, s| map2::<u8, T, T>(m, s, |c, x| {
    let all = T::filled(c);
    x.xor(all).sub(all)
}));
operation!(ShiftLeft<T, N>, |m, s| {
    let mask = T::of(s.constants[0]);
    map2::<T, N, T>(m, s, |x, n| x.shl(T::of(n.number())).and(mask));
});
operation!(ShiftRight<T, N>, |m, s| map2::<T, N, T>(m, s, |x, n| {
    x.shr(T::of(n.number()))
}));
operation!(ShiftRightSigned<T, N>, |m, s| map2::<T, N, T>(m, s, |x, n| {
    x.sar(T::of(n.number()))
}));
operation!(
    /// A number shifted right by the difference of two shift amounts, which is not negative.
    ShiftRightBy<T, N>, |m, s| map3::<T, N, N, T>(m, s, |x, n, less| {
        x.shr(T::of(n.sub(less).number()))
    })
);
operation!(
    /// A two's complement number shifted right by the difference of two shift amounts, which is not
    /// negative.
    ShiftRightSignedBy<T, N>, |m, s| map3::<T, N, N, T>(m, s, |x, n, less| {
        x.sar(T::of(n.sub(less).number()))
    })
);
operation!(
    /// The number of leading zeros, less a constant.
    Zeros<T>, |m, s| {
        let k = s.constants[0] as u8;
        map1::<T, u8>(m, s, |x| x.zeros().wrapping_sub(k));
    }
);
operation!(
    /// One of two constants, chosen by a truth value.
    Select<T>, |m, s| {
        let (changed, k) = (T::of(s.constants[0] ^ s.constants[1]), T::of(s.constants[1]));
        map1::<u8, T>(m, s, |c| T::filled(c).and(changed).xor(k));
    }
);
operation!(
    /// The sum of a number and one of two constants, chosen by a truth value. The step holds the
    /// first constant less the second, and the second constant.
    AddSelect<T>, |m, s| {
        let [more, k] = s.constants.map(T::of);
        map2::<T, u8, T>(m, s, |x, c| x.add(T::filled(c).and(more).add(k)));
    }
);
operation!(
    /// A field of a number as in `Extract`, or a constant where the field is zero.
    ExtractOr<A, D>, |m, s| {
        let (by, [mask, least]) = (s.shifts[0], s.constants.map(D::of));
        map1::<A, D>(m, s, |x| {
            let field = D::of(x.shr_const(by).number()).and(mask);
            if field == D::default() { least } else { field }
        });
    }
);
operation!(
    /// A field of a number as in `Extract`, plus a constant. Where a second field of the number is
    /// zero, another constant is added as well.
    ExtractAdd<A, D>, |m, s| {
        let (by, [masks, added]) = (s.shifts[0], s.constants);
        let (mask, field) = (D::of(masks & HALF), A::of(masks >> 64));
        let (more, k) = (D::of(added & HALF), D::of(added >> 64));
        map1::<A, D>(m, s, |x| {
            let number = D::of(x.shr_const(by).number()).and(mask).add(k);
            if x.and(field) == A::default() { number.add(more) } else { number }
        });
    }
);
operation!(
    /// A sum where a truth value holds, else a constant.
    AddIf<T>, |m, s| {
        let [k, l] = s.constants.map(T::of);
        map3::<T, T, u8, T>(m, s, |x, y, c| if c != 0 { x.add(y).add(k) } else { l });
    }
);
operation!(And<T>, |m, s| map2::<T, T, T>(m, s, |x, y| x.and(y)));
operation!(Or<T>, |m, s| map2::<T, T, T>(m, s, |x, y| x.or(y)));
operation!(Xor<T>, |m, s| map2::<T, T, T>(m, s, |x, y| x.xor(y)));
operation!(EqualConst<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, u8>(m, s, |x| truth(x == k));
});
operation!(LessConst<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, u8>(m, s, |x| truth(x < k));
});
operation!(MoreConst<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, u8>(m, s, |x| truth(x > k));
});
operation!(LessConstSigned<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, u8>(m, s, |x| truth(x.is_below(k)));
});
operation!(MoreConstSigned<T>, |m, s| {
    let k = T::of(s.constants[0]);
    map1::<T, u8>(m, s, |x| truth(k.is_below(x)));
});
operation!(Equal<T>, |m, s| map2::<T, T, u8>(m, s, |x, y| truth(
    x == y
)));
operation!(Less<T>, |m, s| map2::<T, T, u8>(m, s, |x, y| truth(x < y)));
operation!(LessSigned<T>, |m, s| map2::<T, T, u8>(m, s, |x, y| truth(
    x.is_below(y)
)));
operation!(
    /// Whether a number has a one in the bits of a mask.
    Bit<T>, |m, s| {
        let k = T::of(s.constants[0]);
        map1::<T, u8>(m, s, |x| truth(x.and(k) != T::default()));
    }
);
operation!(
    /// Whether a field of a number equals a constant.
    FieldEqual<T>, |m, s| {
        let [mask, value] = s.constants.map(T::of);
        map1::<T, u8>(m, s, |x| truth(x.and(mask) == value));
    }
);
operation!(
    /// Whether a field of a number is more than a constant.
    FieldMore<T>, |m, s| {
        let [mask, limit] = s.constants.map(T::of);
        map1::<T, u8>(m, s, |x| truth(x.and(mask) > limit));
    }
);
operation!(
    /// Whether two numbers differ in the bits of a mask.
    BitOfXor<T>, |m, s| {
        let k = T::of(s.constants[0]);
        map2::<T, T, u8>(m, s, |x, y| truth(x.xor(y).and(k) != T::default()));
    }
);
operation!(
    /// Whether each of two numbers has a one in the bits of a mask.
    BothBits<T>, |m, s| {
        let k = T::of(s.constants[0]);
        map2::<T, T, u8>(m, s, |x, y| {
            truth(x.and(k) != T::default()) & truth(y.and(k) != T::default())
        });
    }
);
operation!(
    /// Whether a right shift of a number loses a one.
    Lost<T, N>, |m, s| map2::<T, N, u8>(m, s, |x, n| {
        let n = T::of(n.number());
        truth(x.shr(n).shl(n) != x)
    })
);

/// A sum where two truth values hold, each possibly negated, else a constant. With `UNIFORM`, all
/// lanes use the first number and the first truth value from the first lane.
pub(super) struct AddIfBoth<T, const UNIFORM: bool>(PhantomData<T>);
impl<T: ColumnType, const UNIFORM: bool> ColumnOperation for AddIfBoth<T, UNIFORM> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        let sum = ConditionalSum::<T, UNIFORM, true>::new(columns, step, step.args);
        for (lane, to) in to.iter_mut().enumerate() {
            *to = sum.at(lane);
        }
        memory.close::<T>(step.to);
    }
}

/// Exclusive or of two truth values, where all lanes use the first truth value from the first lane.
pub(super) struct XorUniform;
impl ColumnOperation for XorUniform {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u8>();
        let x = columns.get::<u8>(step.args[0])[0];
        let y = columns.get::<u8>(step.args[1]);
        for lane in 0..LANES {
            to[lane] = x ^ y[lane];
        }
        memory.close::<u8>(step.to);
    }
}

/// The bytes of the step's first constant, one for each operand: ff negates the operand, 0 does
/// not.
#[inline(always)]
fn negations(step: &TapeStep) -> [u8; 16] {
    step.constants[0].to_le_bytes()
}

/// Conjunction of two truth values, each possibly negated.
pub(super) struct AndOfTwo;
impl ColumnOperation for AndOfTwo {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let [a, b, ..] = negations(step);
        map2::<u8, u8, u8>(memory, step, |x, y| (x ^ a) & (y ^ b));
    }
}

/// Conjunction of three truth values, each possibly negated.
pub(super) struct AndOfThree;
impl ColumnOperation for AndOfThree {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let [a, b, c, ..] = negations(step);
        map3::<u8, u8, u8, u8>(memory, step, |x, y, z| (x ^ a) & (y ^ b) & (z ^ c));
    }
}

/// Conjunction of four truth values, each possibly negated.
pub(super) struct AndOfFour;
impl ColumnOperation for AndOfFour {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let [a, b, c, d, ..] = negations(step);
        let (to, columns) = memory.open::<u8>();
        let [x, y, z, w] = step.args.map(|number| columns.get::<u8>(number));
        for lane in 0..LANES {
            to[lane] = (x[lane] ^ a) & (y[lane] ^ b) & (z[lane] ^ c) & (w[lane] ^ d);
        }
        memory.close::<u8>(step.to);
    }
}

/// The second truth value where the first holds, else the third. The second and the third are
/// possibly negated.
pub(super) struct ChooseTruth;
impl ColumnOperation for ChooseTruth {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let [_, a, b, ..] = negations(step);
        map3::<u8, u8, u8, u8>(memory, step, |c, x, y| (c & (x ^ a)) | (!c & (y ^ b)));
    }
}
