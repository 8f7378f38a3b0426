//! Laws of bit-vectors: every method of `Bv`, on every instance, against plain integers.

use crate::common::installed::is_met;
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::blast::{Netlist, Signal, SignalBits, Wire};
use mmasmt_numbers::bits::ranged::{CAPACITY, RangedBits, Truth};
use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Big, Bv, Concrete, MixedBits, Mux, Prop, Shape, W64, W128, mux};
use mmasmt_questions::solver::engine::Goal;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;

/// Operands for every method at once.
#[derive(Debug)]
struct Case {
    width: u32,
    /// The values of three operands.
    values: [BigUint; 3],
    amount_width: u32,
    amount: BigUint,
    high: u32,
    low: u32,
    wider: u32,
    count_width: u32,
    constant: i64,
    capacity: u32,
}

impl Case {
    /// The width of an operand above the amount, if an instance of this capacity holds it.
    fn concat_width(&self) -> Option<u32> {
        let width = self.width + self.amount_width;
        (width <= self.capacity).then_some(width)
    }
}

fn uniform(rng: &mut impl Rng, width: u32) -> BigUint {
    let mut bytes = vec![0; width.div_ceil(8) as usize];
    rng.fill_bytes(&mut bytes);
    BigUint::from_bytes_le(&bytes) % (BigUint::one() << width)
}

fn boundaries(rng: &mut impl Rng, width: u32) -> Vec<BigUint> {
    let sign = BigUint::one() << (width - 1);
    let ones = (&sign << 1) - 1u32;
    vec![
        BigUint::zero(),
        BigUint::one(),
        ones,
        &sign - 1u32,
        sign,
        uniform(rng, width),
    ]
}

fn amount(rng: &mut impl Rng, width: u32, amount_width: u32) -> BigUint {
    let any = rng.random_range(0..width);
    let picks = [0, 1, width - 1, width, width + 1, 2 * width, any].map(BigUint::from);
    let pick = match rng.random_range(0..9) {
        7 => uniform(rng, amount_width),
        8 => (BigUint::one() << amount_width) - 1u32,
        index => picks[index].clone(),
    };
    pick % (BigUint::one() << amount_width)
}

fn cases(capacity: u32) -> Vec<Case> {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(capacity));
    let mut widths = vec![1, 7, 8, 31, 32, 63, 64, 65, 127, 128];
    widths.extend((0..40).map(|_| rng.random_range(1..=capacity)));
    widths.retain(|&width| width <= capacity);
    let mut cases = Vec::new();
    for width in widths {
        for a in boundaries(&mut rng, width) {
            for b in boundaries(&mut rng, width) {
                let amount_widths = [1, 7, 32, 64, width, rng.random_range(1..=capacity)];
                let amount_width = amount_widths[rng.random_range(0..amount_widths.len())];
                let low = rng.random_range(0..width);
                let constants = [0, 1, -1, i64::MAX, i64::MIN, rng.random()];
                cases.push(Case {
                    width,
                    values: [a.clone(), b, uniform(&mut rng, width)],
                    amount_width,
                    amount: amount(&mut rng, width, amount_width),
                    high: rng.random_range(low..width),
                    low,
                    wider: rng.random_range(width..=capacity),
                    count_width: u32::BITS - width.leading_zeros() + rng.random_range(0..9),
                    constant: constants[rng.random_range(0..constants.len())],
                    capacity,
                });
            }
        }
    }
    cases
}

fn constant<B: Bv>(width: u32, value: &BigUint) -> B {
    let digits = value.to_u64_digits();
    let digit = |index: u32| digits.get(index as usize).copied().unwrap_or(0);
    (1..width.div_ceil(64)).fold(B::lit(width.min(64), digit(0)), |low, index| {
        B::lit((width - 64 * index).min(64), digit(index)).concat(&low)
    })
}

/// Every method of [`Bv`], against arithmetic of integers; `bits` and `truth` compare what a method
/// gave with what it should give.
fn laws<B: Bv>(
    case: &Case,
    bits: impl Fn(&str, &B, &BigUint),
    truth: impl Fn(&str, &B::Bool, bool),
) {
    let (width, wider, low) = (case.width, case.wider, case.low);
    let power = |exponent: u32| BigInt::one() << exponent;
    let fits = |method: &str, found: B, width: u32, expected: BigInt| {
        assert_eq!(found.width(), width, "width of {method} of {case:?}");
        bits(
            method,
            &found,
            expected.mod_floor(&power(width)).magnitude(),
        );
    };
    let same = |method: &str, found: B, expected: BigInt| fits(method, found, width, expected);
    let holds = |method: &str, found: B::Bool, expected: bool| truth(method, &found, expected);

    let operands = case.values.each_ref().map(|v| constant::<B>(width, v));
    let numbers = case.values.each_ref().map(|v| BigInt::from(v.clone()));
    let ([a, b, c], [x, y, z]) = (&operands, &numbers);
    let signed = |v: &BigInt| v - v.div_floor(&power(width - 1)) * power(width);
    let bitwise = |op: fn(bool, bool) -> bool| {
        let ones = (0..width).filter(|&i| op(x.bit(i.into()), y.bit(i.into())));
        ones.map(power).sum::<BigInt>()
    };
    let amount = &constant::<B>(case.amount_width, &case.amount);
    let divisor = &power(case.amount.to_u32().unwrap_or(width).min(width));

    same("add", a.add(b), x + y);
    same("sub", a.sub(b), x - y);
    same("mul", a.mul(b), x * y);
    same("and", a.and(b), bitwise(|x, y| x && y));
    same("or", a.or(b), bitwise(|x, y| x || y));
    same("xor", a.xor(b), bitwise(|x, y| x != y));
    same("not", a.not(), -x - 1);
    same("neg", a.neg(), -x);
    same("add_const", a.add_const(case.constant), x + case.constant);

    same("shl", a.shl(amount), x * divisor);
    same("lshr", a.lshr(amount), x.div_floor(divisor));
    same("ashr", a.ashr(amount), signed(x).div_floor(divisor));
    let (shifted, lost) = a.lshr_sticky(amount);
    same("lshr_sticky", shifted, x.div_floor(divisor));
    holds("lshr_sticky", lost, !x.is_multiple_of(divisor));
    let (shifted, count) = a.normalise(case.count_width);
    let zeros = width - x.bits() as u32;
    same("normalise", shifted, x * power(zeros));
    if !x.is_zero() {
        fits("count of normalise", count, case.count_width, zeros.into());
    }

    if let Some(both) = case.concat_width() {
        let number = BigInt::from(case.amount.clone());
        fits(
            "concat",
            a.concat(amount),
            both,
            x * power(case.amount_width) + &number,
        );
        fits("mul_wide", a.mul_wide(amount), both, x * number);
    }
    fits(
        "extract",
        a.extract(case.high, low),
        case.high - low + 1,
        x >> low,
    );
    fits("zext", a.zext(wider), wider, x.clone());
    fits("sext", a.sext(wider), wider, signed(x));
    fits("resize up", a.resize(wider), wider, x.clone());
    fits("resize down", a.resize(low + 1), low + 1, x.clone());
    fits(
        "widen_low",
        a.widen_low(wider - width),
        wider,
        x << (wider - width),
    );

    holds("equals", a.equals(b), x == y);
    holds("equals itself", a.equals(&a.clone()), true);
    holds("ult", a.ult(b), x < y);
    holds("ule", a.ule(b), x <= y);
    holds("slt", a.slt(b), signed(x) < signed(y));
    holds("bit", a.bit(low), (x >> low).is_odd());
    holds("msb", a.msb(), signed(x) < BigInt::zero());
    holds("is_zero", a.is_zero(), x.is_zero());

    same("sum", B::sum(&operands), x + y + z);
    same("sum of one", B::sum(&operands[..1]), x.clone());
    same("umax", B::umax(&operands), x.max(y).max(z).clone());
    same("umax of one", B::umax(&operands[..1]), x.clone());

    for (cond, is_true) in [
        (a.ult(b), x < y),
        (B::Bool::constant(true), true),
        (B::Bool::constant(false), false),
    ] {
        let pick = |x: &BigInt, y: &BigInt| if is_true { x.clone() } else { y.clone() };
        same("mux", mux(&cond, b, c), pick(y, z));
        same("neg_if", a.neg_if(&cond), pick(&-x, x));
        same("from_prop", B::from_prop(width, &cond), is_true.into());
        holds("mux", mux(&cond, &a.ult(c), &b.ult(c)), pick(x, y) < *z);
    }
}

/// [`laws`] where results can be read.
fn read_laws<B: Bv>(case: &Case, bits: impl Fn(&B) -> BigUint, truth: impl Fn(&B::Bool) -> bool) {
    laws::<B>(
        case,
        |method, found, expected| assert_eq!(bits(found), *expected, "{method} of {case:?}"),
        |method, found, expected| assert_eq!(truth(found), expected, "{method} of {case:?}"),
    );
}

fn obeys<B: Concrete>(capacity: u32) {
    for case in cases(capacity) {
        read_laws::<B>(&case, B::to_big, |truth| *truth);
    }
}

#[test]
fn big_integers_obey() {
    obeys::<Big>(64);
    obeys::<Big>(128);
    obeys::<Big>(300);
}

#[test]
fn words_and_big_integers_together_obey() {
    obeys::<MixedBits>(64);
    obeys::<MixedBits>(128);
    obeys::<MixedBits>(300);
}

#[test]
fn words_of_64_bits_obey() {
    obeys::<W64>(64);
}

#[test]
fn words_of_128_bits_obey() {
    obeys::<W128>(128);
}

#[test]
fn terms_of_constants_obey_and_are_constants() {
    scope(|| {
        let bits = |term: &Term| term.as_constant().expect("a constant").to_big();
        let truth = |formula: &Formula| formula.as_constant().expect("a constant");
        for case in cases(300) {
            read_laws::<Term>(&case, bits, truth);
        }
    })
}

#[test]
fn ranged_constants_obey_and_are_constants() {
    let bits = |value: &RangedBits| value.as_constant().expect("a constant").to_big();
    let truth = |truth: &Truth| truth.as_constant().expect("a constant");
    for case in cases(CAPACITY) {
        read_laws::<RangedBits>(&case, bits, truth);
    }
}

#[test]
fn wires_that_are_constant_obey_and_are_constants() {
    let bit = |signal: &Signal| signal.wire().as_constant().expect("a constant");
    let bits = |bits: &SignalBits| {
        let ones = bits.wires().into_iter().rev();
        let one = |wire: Wire| u32::from(wire.as_constant().expect("a constant"));
        ones.fold(BigUint::zero(), |n, wire| (n << 1) + one(wire))
    };
    for case in cases(300) {
        Netlist::of(|| read_laws::<SignalBits>(&case, bits, bit));
    }
}

/// [`Big`] has the widths that [`laws`] wants, too.
#[test]
fn shapes_have_the_widths_of_big_integers() {
    for case in cases(300) {
        laws::<Shape>(&case, |_, _, _| {}, |_, _, _| {});
    }
}

/// Met iff an instance breaks a law for one of the cases, or if `broken` asks for it.
struct Broken {
    cases: Vec<Case>,
    broken: bool,
}

impl Goal for Broken {
    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }
    fn formula<B: Bv>(&self, _: &[B]) -> B::Bool {
        let kept = RefCell::new(vec![B::Bool::constant(!self.broken)]);
        let keep = |law| kept.borrow_mut().push(law);
        for case in &self.cases {
            laws::<B>(
                case,
                |_, found, expected| keep(found.equals(&constant(found.width(), expected))),
                |_, found, expected| keep(found.xor(&B::Bool::constant(!expected))),
            );
        }
        for [a, b, c] in (0..8).map(|bits| [0, 1, 2].map(|index| bits >> index & 1 == 1)) {
            let [p, q, r] = [a, b, c].map(B::Bool::constant);
            let is =
                |found: B::Bool, expected: bool| keep(found.xor(&B::Bool::constant(!expected)));
            is(p.not(), !a);
            is(p.and(&q), a && b);
            is(p.or(&q), a || b);
            is(mux(&p, &q, &r), if a { b } else { c });
        }
        B::Bool::all(kept.take()).not()
    }
}

/// Plain SMT-LIB by every program of this machine, and Z3 in process where it is built in: the
/// constants are folded by them, not by us.
#[test]
fn instances_that_solvers_read_obey() {
    let mut cases: Vec<_> = cases(140).into_iter().step_by(31).collect();
    while !cases.is_empty() {
        let few = cases.split_off(cases.len().saturating_sub(10));
        let broken = cases.is_empty();
        let goal = Broken { cases: few, broken };
        is_met(&goal, broken);
    }
}

#[test]
fn the_low_64_bits_can_be_read() {
    fn low<B: Concrete>(width: u32, value: &BigUint) {
        let expected = (value % (BigUint::one() << 64u32)).to_u64();
        assert_eq!(
            Some(constant::<B>(width, value).to_u64()),
            expected,
            "{value} in {width} bits"
        );
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for width in [1, 7, 63, 64, 65, 127, 128, 200] {
        for value in boundaries(&mut rng, width) {
            low::<Big>(width, &value);
            if width <= 64 {
                low::<W64>(width, &value);
            }
            if width <= 128 {
                low::<W128>(width, &value);
            }
        }
    }
}

#[test]
fn big_integers_are_residues_that_can_be_read_as_signed() {
    for value in -300..300 {
        let big = Big::from_int(7, &BigInt::from(value));
        assert_eq!(big.to_big(), BigUint::from((value + 384) as u32 % 128));
        assert_eq!(big.signed(), BigInt::from((value + 448) % 128 - 64));
    }
}

#[test]
fn truth_values_follow_their_tables() {
    fn tables<P: Prop + Mux<P>>(truth: impl Fn(P) -> bool) {
        for bits in 0..8 {
            let plain @ [a, b, c] = [0, 1, 2].map(|index| bits >> index & 1 == 1);
            let props @ [p, q, r] = &plain.map(P::constant);
            assert_eq!(truth(p.not()), !a);
            assert_eq!(truth(p.and(q)), a && b);
            assert_eq!(truth(p.or(q)), a || b);
            assert_eq!(truth(p.xor(q)), a != b);
            assert_eq!(truth(P::all(props.clone())), a && b && c);
            assert_eq!(truth(P::any(props.clone())), a || b || c);
            assert_eq!(truth(mux(p, q, r)), if a { b } else { c });
        }
        assert!(truth(P::all([])) && !truth(P::any([])));
    }
    scope(|| {
        tables::<bool>(|truth| truth);
        tables::<Formula>(|formula| formula.as_constant().expect("a constant"));
        tables::<Truth>(|truth| truth.as_constant().expect("a constant"));
        tables::<Signal>(|signal| signal.wire().as_constant().expect("a constant"));
    })
}
