//! [`DynamicBits`]: one type in place of all instances that need no speed, so that the algorithms are
//! compiled once for all these instances.

use super::blast::{Signal, SignalBits};
use super::circuit::{CircuitBits, RecordedTruth};
use super::shape::UnknownTruth;
use super::{Big, Bv, Mux, Prop, Shape};
use std::cell::Cell;

/// An instance that [`DynamicBits`] can be. For each thread, `KIND` holds the instance that constants
/// of [`DynamicBits`] belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shape,
    Big,
    Recorded,
    Blasted,
}

thread_local! {
    static KIND: Cell<Kind> = const { Cell::new(Kind::Shape) };
}

/// A bit-vector of an instance that is chosen at run time. Operands of one operation are of the
/// same instance.
#[derive(Clone, Debug)]
pub enum DynamicBits {
    /// A width.
    Shape(Shape),
    /// A big integer.
    Big(Big),
    /// A node of a circuit.
    Recorded(CircuitBits),
    /// Wires.
    Blasted(SignalBits),
}

/// A truth value of an instance that is chosen at run time.
#[derive(Clone, Debug)]
pub enum DynamicTruth {
    /// No content.
    Shape(UnknownTruth),
    /// A truth value.
    Big(bool),
    /// A node of a circuit.
    Recorded(RecordedTruth),
    /// A wire.
    Blasted(Signal),
}

/// An instance that [`DynamicBits`] can be.
pub trait DynamicInstance: Bv {
    /// Calls `run` and returns its result. The constants of [`DynamicBits`] that the call makes belong
    /// to this instance.
    fn dynamically<R>(run: impl FnOnce() -> R) -> R;
    /// The bit-vector as a dynamic one.
    fn to_dynamic(self) -> DynamicBits;
    /// The bit-vector of this instance that `word` holds. Panics if `word` holds a bit-vector of
    /// another instance.
    fn of_dynamic(word: DynamicBits) -> Self;
    /// The truth value of this instance that `truth` holds. Panics if `truth` holds a truth value
    /// of another instance.
    fn of_dynamic_truth(truth: DynamicTruth) -> Self::Bool;
}

/// Restores the kind of the enclosing run when dropped.
struct RestoreKind(Kind);

impl Drop for RestoreKind {
    fn drop(&mut self) {
        KIND.set(self.0);
    }
}

/// The message of a panic that never happens, since operands of two instances never meet in one
/// run.
const MIXED: &str = "operands of one instance";

macro_rules! on_dynamic {
    ($($instance:ident($bits:ident)),*) => {$(
        impl DynamicInstance for $bits {
            fn dynamically<R>(run: impl FnOnce() -> R) -> R {
                let _outer = RestoreKind(KIND.replace(Kind::$instance));
                run()
            }
            fn to_dynamic(self) -> DynamicBits {
                DynamicBits::$instance(self)
            }
            fn of_dynamic(word: DynamicBits) -> Self {
                match word {
                    DynamicBits::$instance(word) => word,
                    _ => unreachable!("{MIXED}"),
                }
            }
            fn of_dynamic_truth(truth: DynamicTruth) -> Self::Bool {
                match truth {
                    DynamicTruth::$instance(truth) => truth,
                    _ => unreachable!("{MIXED}"),
                }
            }
        }
    )*};
}

on_dynamic!(
    Shape(Shape),
    Big(Big),
    Recorded(CircuitBits),
    Blasted(SignalBits)
);

/// Evaluates `$make`, in which `$x` is the value that `$word` holds, whatever the instance of this
/// value. Returns the result as a value of the same instance.
macro_rules! unary {
    ($from:ident, $to:ident, $word:expr, $x:ident => $make:expr) => {
        match $word {
            $from::Shape($x) => $to::Shape($make),
            $from::Big($x) => $to::Big($make),
            $from::Recorded($x) => $to::Recorded($make),
            $from::Blasted($x) => $to::Blasted($make),
        }
    };
}

/// Evaluates `$make`, in which `$x` and `$y` are the values that the pair `$words` holds. Both
/// values must be of one instance. Returns the result as a value of the same instance.
macro_rules! binary {
    ($from:ident, $to:ident, $words:expr, $x:ident, $y:ident => $make:expr) => {
        match $words {
            ($from::Shape($x), $from::Shape($y)) => $to::Shape($make),
            ($from::Big($x), $from::Big($y)) => $to::Big($make),
            ($from::Recorded($x), $from::Recorded($y)) => $to::Recorded($make),
            ($from::Blasted($x), $from::Blasted($y)) => $to::Blasted($make),
            _ => unreachable!("{MIXED}"),
        }
    };
}

/// The first value of the pair `$words` where the truth value `$cond` holds, else the second value.
/// `$cond` and both values must be of one instance.
macro_rules! choice {
    ($type:ident, $cond:expr, $words:expr) => {
        match ($cond, $words) {
            (DynamicTruth::Shape(c), ($type::Shape(x), $type::Shape(y))) => {
                $type::Shape(Mux::mux(c, x, y))
            }
            (DynamicTruth::Big(c), ($type::Big(x), $type::Big(y))) => $type::Big(Mux::mux(c, x, y)),
            (DynamicTruth::Recorded(c), ($type::Recorded(x), $type::Recorded(y))) => {
                $type::Recorded(Mux::mux(c, x, y))
            }
            (DynamicTruth::Blasted(c), ($type::Blasted(x), $type::Blasted(y))) => {
                $type::Blasted(Mux::mux(c, x, y))
            }
            _ => unreachable!("{MIXED}"),
        }
    };
}

impl Prop for DynamicTruth {
    fn constant(value: bool) -> Self {
        match KIND.get() {
            Kind::Shape => DynamicTruth::Shape(Prop::constant(value)),
            Kind::Big => DynamicTruth::Big(value),
            Kind::Recorded => DynamicTruth::Recorded(Prop::constant(value)),
            Kind::Blasted => DynamicTruth::Blasted(Prop::constant(value)),
        }
    }
    fn not(&self) -> Self {
        unary!(DynamicTruth, DynamicTruth, self, x => Prop::not(x))
    }
    fn and(&self, other: &Self) -> Self {
        binary!(DynamicTruth, DynamicTruth, (self, other), x, y => x.and(y))
    }
    fn or(&self, other: &Self) -> Self {
        binary!(DynamicTruth, DynamicTruth, (self, other), x, y => x.or(y))
    }
    fn xor(&self, other: &Self) -> Self {
        binary!(DynamicTruth, DynamicTruth, (self, other), x, y => x.xor(y))
    }
}

impl Mux<DynamicTruth> for DynamicTruth {
    fn mux(cond: &DynamicTruth, then: &Self, otherwise: &Self) -> Self {
        choice!(DynamicTruth, cond, (then, otherwise))
    }
}

impl Mux<DynamicTruth> for DynamicBits {
    fn mux(cond: &DynamicTruth, then: &Self, otherwise: &Self) -> Self {
        choice!(DynamicBits, cond, (then, otherwise))
    }
}

impl Bv for DynamicBits {
    type Bool = DynamicTruth;

    fn lit(width: u32, value: u64) -> Self {
        match KIND.get() {
            Kind::Shape => DynamicBits::Shape(Bv::lit(width, value)),
            Kind::Big => DynamicBits::Big(Bv::lit(width, value)),
            Kind::Recorded => DynamicBits::Recorded(Bv::lit(width, value)),
            Kind::Blasted => DynamicBits::Blasted(Bv::lit(width, value)),
        }
    }
    fn width(&self) -> u32 {
        match self {
            DynamicBits::Shape(x) => x.width(),
            DynamicBits::Big(x) => x.width(),
            DynamicBits::Recorded(x) => x.width(),
            DynamicBits::Blasted(x) => x.width(),
        }
    }

    fn add(&self, other: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, other), x, y => x.add(y))
    }
    fn sub(&self, other: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, other), x, y => x.sub(y))
    }
    fn mul(&self, other: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, other), x, y => x.mul(y))
    }
    fn and(&self, other: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, other), x, y => x.and(y))
    }
    fn or(&self, other: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, other), x, y => x.or(y))
    }
    fn xor(&self, other: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, other), x, y => x.xor(y))
    }
    fn not(&self) -> Self {
        unary!(DynamicBits, DynamicBits, self, x => x.not())
    }

    fn shl(&self, amount: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, amount), x, y => x.shl(y))
    }
    fn lshr(&self, amount: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, amount), x, y => x.lshr(y))
    }
    fn ashr(&self, amount: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, amount), x, y => x.ashr(y))
    }

    fn concat(&self, low: &Self) -> Self {
        binary!(DynamicBits, DynamicBits, (self, low), x, y => x.concat(y))
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        unary!(DynamicBits, DynamicBits, self, x => x.extract(high, low))
    }
    fn zext(&self, width: u32) -> Self {
        unary!(DynamicBits, DynamicBits, self, x => x.zext(width))
    }
    fn sext(&self, width: u32) -> Self {
        unary!(DynamicBits, DynamicBits, self, x => x.sext(width))
    }

    fn equals(&self, other: &Self) -> DynamicTruth {
        binary!(DynamicBits, DynamicTruth, (self, other), x, y => x.equals(y))
    }
    fn ult(&self, other: &Self) -> DynamicTruth {
        binary!(DynamicBits, DynamicTruth, (self, other), x, y => x.ult(y))
    }
    fn slt(&self, other: &Self) -> DynamicTruth {
        binary!(DynamicBits, DynamicTruth, (self, other), x, y => x.slt(y))
    }

    // `Bv` provides code for the methods below, but some instances have code of their own for them.

    fn bit(&self, index: u32) -> DynamicTruth {
        unary!(DynamicBits, DynamicTruth, self, x => x.bit(index))
    }
    fn is_zero(&self) -> DynamicTruth {
        unary!(DynamicBits, DynamicTruth, self, x => x.is_zero())
    }
    fn neg_if(&self, cond: &DynamicTruth) -> Self {
        macro_rules! negated {
            ($($instance:ident),*) => {
                match (self, cond) {
                    $((DynamicBits::$instance(x), DynamicTruth::$instance(cond)) => {
                        DynamicBits::$instance(x.neg_if(cond))
                    })*
                    _ => unreachable!("{MIXED}"),
                }
            };
        }
        negated!(Shape, Big, Recorded, Blasted)
    }
    fn add_const(&self, value: i64) -> Self {
        unary!(DynamicBits, DynamicBits, self, x => x.add_const(value))
    }
    fn widen_low(&self, amount: u32) -> Self {
        unary!(DynamicBits, DynamicBits, self, x => x.widen_low(amount))
    }
    fn lshr_sticky(&self, amount: &Self) -> (Self, DynamicTruth) {
        macro_rules! shifted {
            ($($instance:ident),*) => {
                match (self, amount) {
                    $((DynamicBits::$instance(x), DynamicBits::$instance(amount)) => {
                        let (shifted, lost) = x.lshr_sticky(amount);
                        (DynamicBits::$instance(shifted), DynamicTruth::$instance(lost))
                    })*
                    _ => unreachable!("{MIXED}"),
                }
            };
        }
        shifted!(Shape, Big, Recorded, Blasted)
    }
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        macro_rules! normalised {
            ($($instance:ident),*) => {
                match self {
                    $(DynamicBits::$instance(x) => {
                        let (shifted, count) = x.normalise(count_width);
                        (DynamicBits::$instance(shifted), DynamicBits::$instance(count))
                    })*
                }
            };
        }
        normalised!(Shape, Big, Recorded, Blasted)
    }
}
