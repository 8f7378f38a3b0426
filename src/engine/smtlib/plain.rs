//! Bit-vectors that write SMT-LIB as they are made: every operation is one definition, as the
//! standard says and as the model wrote it. Nothing is folded, and nothing of the term layer is
//! used, so that a proof of this text does not rest on it.

use super::text::Text;
use crate::bits::Input;
use crate::bits::{Bv, Mux, Prop};
use crate::engine::goal::Goal;
use crate::limits::Account;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// A bit-vector: its name or literal in the script of this thread.
#[derive(Clone, Debug)]
struct Plain {
    width: u32,
    name: Rc<str>,
}

/// A truth value: its name or literal in the script of this thread.
#[derive(Clone, Debug)]
struct Truth(Rc<str>);

/// Bytes that a name and what holds it take beside its definition, in time as well.
const NAME_BYTES: u64 = 64;

/// The definitions so far, and how many they are.
#[derive(Default)]
struct Definitions {
    text: String,
    count: usize,
    account: Account,
}

/// Puts the definitions around back.
struct Outer(Definitions);

impl Drop for Outer {
    fn drop(&mut self) {
        DEFINITIONS.set(std::mem::take(&mut self.0));
    }
}

thread_local! {
    static DEFINITIONS: RefCell<Definitions> = RefCell::default();
}

/// The goal as a script, unsimplified: satisfiable iff it is. Every line of `about` becomes a
/// comment.
pub(in crate::engine) fn plain_text(goal: &impl Goal, about: &str) -> Text {
    let inputs = goal.inputs();
    let free = |input: &Input| Plain {
        width: input.width,
        name: input.name.as_str().into(),
    };
    let _outer = Outer(DEFINITIONS.take());
    let Truth(root) = goal.formula(&inputs.iter().map(free).collect::<Vec<_>>());
    let definitions = DEFINITIONS.take();
    Text::new(inputs, &definitions.text, &[root.to_string()], about)
}

/// The text of `goal`, unsimplified, for any solver; it ends with `(check-sat)`.
pub fn plain_script(goal: &impl Goal, about: &str) -> String {
    plain_text(goal, about).text
}

/// Defines the next name that begins with `letter`.
fn define(letter: char, sort: std::fmt::Arguments<'_>, body: std::fmt::Arguments<'_>) -> Rc<str> {
    DEFINITIONS.with_borrow_mut(|definitions| {
        let name = format!("{letter}{}", definitions.count);
        definitions.count += 1;
        let before = definitions.text.len();
        // Writing to a string does not fail.
        let _ = writeln!(definitions.text, "(define-fun {name} () {sort} {body})");
        let more = definitions.text.len() - before;
        definitions.account.take(more as u64 + NAME_BYTES);
        name.into()
    })
}

fn truth(body: std::fmt::Arguments<'_>) -> Truth {
    Truth(define('p', format_args!("Bool"), body))
}

impl Plain {
    fn of(width: u32, body: std::fmt::Arguments<'_>) -> Self {
        let name = define('n', format_args!("(_ BitVec {width})"), body);
        Plain { width, name }
    }

    fn binary(&self, operation: &str, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width, "operands of different widths");
        Plain::of(
            self.width,
            format_args!("({operation} {} {})", self.name, other.name),
        )
    }

    fn compare(&self, relation: &str, other: &Self) -> Truth {
        debug_assert_eq!(self.width, other.width, "operands of different widths");
        truth(format_args!("({relation} {} {})", self.name, other.name))
    }

    /// A shift in the width of the wider operand, as the standard wants equal ones; `extend` is
    /// what keeps the value.
    fn shift(&self, operation: &str, amount: &Self, extend: impl Fn(&Self, u32) -> Self) -> Self {
        if amount.width > self.width {
            let wide = extend(self, amount.width).binary(operation, amount);
            wide.extract(self.width - 1, 0)
        } else {
            self.binary(operation, &amount.zext(self.width))
        }
    }

    fn extend(&self, kind: &str, width: u32) -> Self {
        debug_assert!(self.width <= width, "{} to {width} bits", self.width);
        let added = width - self.width;
        Plain::of(
            width,
            format_args!("((_ {kind}_extend {added}) {})", self.name),
        )
    }
}

impl Prop for Truth {
    fn constant(value: bool) -> Self {
        Truth(if value { "true" } else { "false" }.into())
    }
    fn not(&self) -> Self {
        truth(format_args!("(not {})", self.0))
    }
    fn and(&self, other: &Self) -> Self {
        truth(format_args!("(and {} {})", self.0, other.0))
    }
    fn or(&self, other: &Self) -> Self {
        truth(format_args!("(or {} {})", self.0, other.0))
    }
    fn xor(&self, other: &Self) -> Self {
        truth(format_args!("(xor {} {})", self.0, other.0))
    }
}

impl Mux<Truth> for Truth {
    fn mux(cond: &Truth, then: &Self, otherwise: &Self) -> Self {
        truth(format_args!("(ite {} {} {})", cond.0, then.0, otherwise.0))
    }
}

impl Mux<Truth> for Plain {
    fn mux(cond: &Truth, then: &Self, otherwise: &Self) -> Self {
        debug_assert_eq!(then.width, otherwise.width, "operands of different widths");
        let (then, width, otherwise) = (&then.name, then.width, &otherwise.name);
        Plain::of(width, format_args!("(ite {} {then} {otherwise})", cond.0))
    }
}

impl Bv for Plain {
    type Bool = Truth;

    fn lit(width: u32, value: u64) -> Self {
        let name = format!("(_ bv{value} {width})").into();
        Plain { width, name }
    }
    fn width(&self) -> u32 {
        self.width
    }
    fn add(&self, other: &Self) -> Self {
        self.binary("bvadd", other)
    }
    fn sub(&self, other: &Self) -> Self {
        self.binary("bvsub", other)
    }
    fn mul(&self, other: &Self) -> Self {
        self.binary("bvmul", other)
    }
    fn and(&self, other: &Self) -> Self {
        self.binary("bvand", other)
    }
    fn or(&self, other: &Self) -> Self {
        self.binary("bvor", other)
    }
    fn xor(&self, other: &Self) -> Self {
        self.binary("bvxor", other)
    }
    fn not(&self) -> Self {
        Plain::of(self.width, format_args!("(bvnot {})", self.name))
    }
    fn shl(&self, amount: &Self) -> Self {
        self.shift("bvshl", amount, Self::zext)
    }
    fn lshr(&self, amount: &Self) -> Self {
        self.shift("bvlshr", amount, Self::zext)
    }
    fn ashr(&self, amount: &Self) -> Self {
        self.shift("bvashr", amount, Self::sext)
    }
    fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        Plain::of(width, format_args!("(concat {} {})", self.name, low.name))
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(low <= high && high < self.width, "bits {high} to {low}");
        let body = format_args!("((_ extract {high} {low}) {})", self.name);
        Plain::of(high - low + 1, body)
    }
    fn zext(&self, width: u32) -> Self {
        self.extend("zero", width)
    }
    fn sext(&self, width: u32) -> Self {
        self.extend("sign", width)
    }
    fn equals(&self, other: &Self) -> Truth {
        self.compare("=", other)
    }
    fn ult(&self, other: &Self) -> Truth {
        self.compare("bvult", other)
    }
    fn slt(&self, other: &Self) -> Truth {
        self.compare("bvslt", other)
    }
}

#[cfg(test)]
mod tests {
    use super::plain_script;
    use crate::bits::Bv;
    use crate::bits::Input;
    use crate::engine::goal::Goal;
    use crate::limits::Limits;

    /// That 0 is left of a number taken so often from itself and its sums; the script of another
    /// goal is made on the way.
    struct Sums(usize);

    impl Goal for Sums {
        fn inputs(&self) -> Vec<Input> {
            vec![Input {
                index: 0,
                width: 8,
                name: "x".into(),
            }]
        }

        fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
            let mut sum = inputs[0].clone();
            for count in 0..self.0 {
                sum = sum.add(&inputs[0]);
                if count == 1 {
                    assert!(!plain_script(&Sums(1), "").contains("n1"));
                }
            }
            sum.is_zero()
        }
    }

    #[test]
    fn a_script_within_a_script_leaves_it_as_it_was() {
        let text = plain_script(&Sums(3), "");
        for line in [
            "n0 () (_ BitVec 8) (bvadd x x)",
            "(bvadd n0 x)",
            "n2 () (_ BitVec 8) (bvadd n1 x)",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    /// Each definition counts as its text and little more.
    #[test]
    fn a_thousand_definitions_are_no_megabyte() {
        let within = |bytes| {
            let limits = Limits::default().with_memory(bytes);
            limits.run(|| plain_script(&Sums(1000), "")).is_ok()
        };
        assert!(within(1 << 20));
        assert!(!within(50_000));
    }
}
