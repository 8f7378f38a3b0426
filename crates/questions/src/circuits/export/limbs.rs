//! Words of any width as 64-bit words in C: expressions without undefined behaviour, loops or wider
//! types.
//!
//! A word of `width` bits is a row of 64-bit limbs, the lowest first; bits above the width are
//! zero.

use super::statements::{Limb, Statements, ZERO};
use num_bigint::BigUint;

/// A word of a circuit in C.
#[derive(Clone, Debug)]
pub(super) struct LimbWord {
    pub limbs: Vec<Limb>,
    pub width: u32,
}

/// The number of limbs of a word of `width` bits.
pub(super) fn count(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The C literal of a limb.
pub(super) fn limb_literal(value: u64) -> Limb {
    match value {
        0..=9 => format!("UINT64_C({value})"),
        _ => format!("UINT64_C(0x{value:x})"),
    }
}

impl LimbWord {
    pub fn constant(width: u32, value: &BigUint) -> LimbWord {
        let digits = value.to_u64_digits();
        let limb = |index| limb_literal(digits.get(index).copied().unwrap_or(0));
        LimbWord {
            limbs: (0..count(width)).map(limb).collect(),
            width,
        }
    }

    /// The limb with number `index`; zero if the word has no such limb.
    fn limb(&self, index: usize) -> &str {
        self.limbs.get(index).map_or(ZERO, String::as_str)
    }

    /// The mask of the used bits in the highest limb of a word; `None` if all its bits are used.
    fn mask(width: u32) -> Option<Limb> {
        match width % 64 {
            0 => None,
            bits => Some(limb_literal((1 << bits) - 1)),
        }
    }
}

impl Statements {
    /// The word with the bits above its width cleared.
    fn masked(&mut self, mut word: LimbWord) -> LimbWord {
        if let (Some(mask), Some(top)) = (LimbWord::mask(word.width), word.limbs.last_mut()) {
            *top = self.define(format!("{top} & {mask}"));
        }
        word
    }

    pub fn bitwise(&mut self, x: &LimbWord, y: &LimbWord, operator: &str) -> LimbWord {
        let limbs = x.limbs.iter().zip(&y.limbs);
        let limbs = limbs.map(|(x, y)| match (operator, x.as_str(), y.as_str()) {
            ("&", ZERO, _) | ("&", _, ZERO) => ZERO.to_owned(),
            ("|" | "^", other, ZERO) | ("|" | "^", ZERO, other) => other.to_owned(),
            _ => self.define(format!("{x} {operator} {y}")),
        });
        LimbWord {
            limbs: limbs.collect(),
            width: x.width,
        }
    }

    pub fn complement(&mut self, x: &LimbWord) -> LimbWord {
        let limbs = x.limbs.iter().map(|limb| self.define(format!("~{limb}")));
        let limbs = limbs.collect();
        let width = x.width;
        self.masked(LimbWord { limbs, width })
    }

    /// A limb whose bits are all equal to `truth`.
    fn all(&mut self, truth: &str) -> Limb {
        self.define(format!("{ZERO} - {truth}"))
    }

    pub fn choose(&mut self, condition: &str, x: &LimbWord, y: &LimbWord) -> LimbWord {
        let pairs = x.limbs.iter().zip(&y.limbs);
        let limbs = pairs.map(|(x, y)| {
            if x == y {
                x.clone()
            } else {
                self.define(format!("{condition} ? {x} : {y}"))
            }
        });
        LimbWord {
            limbs: limbs.collect(),
            width: x.width,
        }
    }

    /// `x + y`, or `x - y` if `subtract`.
    fn sum(&mut self, x: &LimbWord, y: &LimbWord, subtract: bool) -> LimbWord {
        let last = x.limbs.len() - 1;
        let mut limbs = Vec::new();
        let mut carry: Option<Limb> = None;
        for index in 0..=last {
            let (x, y) = (x.limb(index), y.limb(index));
            let operator = if subtract { "-" } else { "+" };
            let half = self.define(format!("{x} {operator} {y}"));
            let whole = match &carry {
                None => half.clone(),
                Some(carry) => self.define(format!("{half} {operator} {carry}")),
            };
            if index < last {
                // This limb has a carry out if `x + y` overflows, or if adding the carry in to that
                // sum overflows. It has a borrow out if `x` is less than `y`, or if their
                // difference is less than the borrow in.
                let first = match subtract {
                    _ if y == ZERO => ZERO.to_owned(),
                    true => format!("{x} < {y}"),
                    false => format!("{half} < {y}"),
                };
                carry = Some(match (&carry, subtract) {
                    (None, _) => self.define(format!("({first}) ? 1 : 0")),
                    (Some(carry), true) => {
                        self.define(format!("(({first}) || {half} < {carry}) ? 1 : 0"))
                    }
                    (Some(carry), false) => {
                        self.define(format!("(({first}) || {whole} < {carry}) ? 1 : 0"))
                    }
                });
            }
            limbs.push(whole);
        }
        let width = x.width;
        self.masked(LimbWord { limbs, width })
    }

    pub fn add(&mut self, x: &LimbWord, y: &LimbWord) -> LimbWord {
        self.sum(x, y, false)
    }

    pub fn subtract(&mut self, x: &LimbWord, y: &LimbWord) -> LimbWord {
        self.sum(x, y, true)
    }

    /// The product of `x` and `y` modulo two to the power of their width, made limb by limb, as by
    /// hand. `high` names the C function that returns the upper half of a product of two limbs.
    pub fn multiply(&mut self, x: &LimbWord, y: &LimbWord, high: &str) -> LimbWord {
        let limbs = x.limbs.len();
        let width = x.width;
        let mut total = LimbWord {
            limbs: vec![ZERO.to_owned(); limbs],
            width: 64 * limbs as u32,
        };
        for (row, factor) in y.limbs.iter().enumerate() {
            if factor == ZERO {
                continue;
            }
            // The low halves and the high halves of this row's products, as two numbers of `limbs`
            // limbs.
            let mut halves = [vec![ZERO.to_owned(); limbs], vec![ZERO.to_owned(); limbs]];
            for (column, other) in x.limbs.iter().enumerate() {
                if other == ZERO || row + column >= limbs {
                    continue;
                }
                halves[0][row + column] = self.define(format!("{other} * {factor}"));
                if row + column + 1 < limbs {
                    halves[1][row + column + 1] = self.define(format!("{high}({other}, {factor})"));
                }
            }
            for half in halves {
                if half.iter().all(|limb| limb == ZERO) {
                    continue;
                }
                let half = LimbWord {
                    limbs: half,
                    width: total.width,
                };
                total = if total.limbs.iter().all(|limb| limb == ZERO) {
                    half
                } else {
                    self.add(&total, &half)
                };
            }
        }
        total.width = width;
        self.masked(total)
    }

    /// A shift amount as one limb; the limb is at least `width` if the amount is at least `width`.
    fn amount(&mut self, amount: &LimbWord, width: u32) -> Limb {
        let low = amount.limb(0).to_owned();
        let rest: Vec<&Limb> = amount
            .limbs
            .iter()
            .skip(1)
            .filter(|limb| *limb != ZERO)
            .collect();
        if rest.is_empty() {
            return low;
        }
        let rest: Vec<&str> = rest.into_iter().map(String::as_str).collect();
        self.define(format!("({}) != 0 ? {width} : {low}", rest.join(" | ")))
    }

    pub fn shift_left(&mut self, x: &LimbWord, amount: &LimbWord) -> LimbWord {
        let shifted = self.shifted(x, amount, true);
        self.masked(shifted)
    }

    pub fn shift_right(&mut self, x: &LimbWord, amount: &LimbWord) -> LimbWord {
        self.shifted(x, amount, false)
    }

    /// `x` shifted right, filled with copies of its sign: a negative number is complemented,
    /// shifted and complemented again.
    pub fn shift_right_signed(&mut self, x: &LimbWord, amount: &LimbWord) -> LimbWord {
        let sign = self.sign(x);
        let ones = self.all(&sign);
        let limbs = vec![ones; x.limbs.len()];
        let width = x.width;
        let flip = self.masked(LimbWord { limbs, width });
        let flipped = self.bitwise(x, &flip, "^");
        let shifted = self.shift_right(&flipped, amount);
        self.bitwise(&shifted, &flip, "^")
    }

    /// `x` shifted left if `left`, else right. The freed bits are zero, but a shift to the left may
    /// leave bits above the width. The first step shifts by the low six bits of `amount`, so by
    /// less than a limb. Then each higher bit of `amount` that is set shifts by whole limbs.
    fn shifted(&mut self, x: &LimbWord, amount: &LimbWord, left: bool) -> LimbWord {
        let (limbs, width) = (x.limbs.len(), x.width);
        let wide = amount.width > 6;
        let amount = self.amount(amount, width);
        let (inner, outer) = if left { ("<<", ">>") } else { (">>", "<<") };
        if limbs == 1 {
            let body = format!("{} {inner} {amount}", x.limbs[0]);
            let shifted = if wide {
                self.define(format!("{amount} < 64 ? {body} : 0"))
            } else {
                self.define(body)
            };
            return LimbWord {
                limbs: vec![shifted],
                width,
            };
        }
        let by = self.define(format!("{amount} & 63"));
        let rest = self.define(format!("63 - {by}"));
        let mut moved: Vec<Limb> = Vec::new();
        for index in 0..limbs {
            let from = x.limb(index);
            let neighbour = if left {
                index.checked_sub(1).map_or(ZERO, |index| x.limb(index))
            } else {
                x.limb(index + 1)
            };
            let own = format!("({from} {inner} {by})");
            moved.push(match (from == ZERO, neighbour == ZERO) {
                (true, true) => ZERO.to_owned(),
                (false, true) => self.define(own),
                _ => self.define(format!("{own} | (({neighbour} {outer} 1) {outer} {rest})")),
            });
        }
        // For each bit of the amount that is set, shift by 1, 2, 4, … limbs, as long as this
        // distance is less than the number of limbs. If a higher bit is set, the result is zero.
        let mut distance = 1;
        let mut bit = 6;
        while distance < limbs && wide {
            let is_set = self.define(format!("({amount} >> {bit}) & 1"));
            let from = |index: usize| {
                if left {
                    index.checked_sub(distance)
                } else {
                    Some(index + distance)
                }
            };
            let far: Vec<Limb> = (0..limbs)
                .map(|index| {
                    let limb = from(index).and_then(|index| moved.get(index));
                    limb.map_or_else(|| ZERO.to_owned(), Clone::clone)
                })
                .collect();
            moved = (0..limbs)
                .map(|index| {
                    if moved[index] == far[index] {
                        far[index].clone()
                    } else {
                        self.define(format!("{is_set} != 0 ? {} : {}", far[index], moved[index]))
                    }
                })
                .collect();
            (distance, bit) = (2 * distance, bit + 1);
        }
        if wide {
            moved = moved
                .into_iter()
                .map(|limb| {
                    if limb == ZERO {
                        limb
                    } else {
                        self.define(format!("({amount} >> {bit}) == 0 ? {limb} : 0"))
                    }
                })
                .collect();
        }
        LimbWord {
            limbs: moved,
            width,
        }
    }

    /// The highest bit of `x`, as a limb.
    pub fn sign(&mut self, x: &LimbWord) -> Limb {
        let top = x.limb(count(x.width) - 1).to_owned();
        match (x.width - 1) % 64 {
            0 => top,
            bit => self.define(format!("{top} >> {bit}")),
        }
    }

    /// The `width` bits of `x` from bit `low` on.
    pub fn extract(&mut self, x: &LimbWord, low: u32, width: u32) -> LimbWord {
        let (first, bit) = ((low / 64) as usize, low % 64);
        let limbs = (0..count(width)).map(|index| {
            let (from, next) = (x.limb(first + index), x.limb(first + index + 1));
            // The next limb is only read if the result reaches into it.
            let reaches = 64 - bit < (width - 64 * index as u32).min(64);
            match (bit, from == ZERO, next == ZERO || !reaches) {
                (0, ..) => from.to_owned(),
                (_, true, true) => ZERO.to_owned(),
                (_, _, true) => self.define(format!("{from} >> {bit}")),
                _ => self.define(format!("({from} >> {bit}) | ({next} << {})", 64 - bit)),
            }
        });
        let limbs = limbs.collect();
        if low + width == x.width {
            LimbWord { limbs, width }
        } else {
            self.masked(LimbWord { limbs, width })
        }
    }

    pub fn extend(&mut self, x: &LimbWord, width: u32) -> LimbWord {
        let mut limbs = x.limbs.clone();
        limbs.resize(count(width), ZERO.to_owned());
        LimbWord { limbs, width }
    }

    pub fn extend_signed(&mut self, x: &LimbWord, width: u32) -> LimbWord {
        let mut extended = self.extend(x, width);
        let sign = self.sign(x);
        let ones = self.all(&sign);
        let top = x.limbs.len() - 1;
        if !x.width.is_multiple_of(64) {
            let limb = &extended.limbs[top];
            extended.limbs[top] = self.define(format!("{limb} | ({ones} << {})", x.width % 64));
        }
        extended.limbs[top + 1..].fill(ones);
        self.masked(extended)
    }

    pub fn concat(&mut self, high: &LimbWord, low: &LimbWord) -> LimbWord {
        let width = high.width + low.width;
        let mut limbs = self.extend(low, width).limbs;
        let (first, bit) = ((low.width / 64) as usize, low.width % 64);
        for (index, limb) in high.limbs.iter().enumerate() {
            if limb == ZERO {
                continue;
            }
            let at = first + index;
            limbs[at] = match (bit, limbs[at] == ZERO) {
                (0, _) => limb.clone(),
                (_, true) => self.define(format!("{limb} << {bit}")),
                (_, false) => {
                    let before = limbs[at].clone();
                    self.define(format!("{before} | ({limb} << {bit})"))
                }
            };
            if bit > 0 && at + 1 < limbs.len() {
                limbs[at + 1] = self.define(format!("{limb} >> {}", 64 - bit));
            }
        }
        LimbWord { limbs, width }
    }

    pub fn equal(&mut self, x: &LimbWord, y: &LimbWord) -> Limb {
        let pairs = x.limbs.iter().zip(&y.limbs).filter(|(x, y)| x != y);
        let parts: Vec<String> = pairs.map(|(x, y)| format!("{x} == {y}")).collect();
        if parts.is_empty() {
            limb_literal(1)
        } else {
            self.define(format!("({}) ? 1 : 0", parts.join(" && ")))
        }
    }

    /// Whether `x` is less than `y`, as a limb that is 1 or 0: the highest limbs that differ
    /// decide.
    pub fn less(&mut self, x: &LimbWord, y: &LimbWord) -> Limb {
        let mut less: Option<Limb> = None;
        for (x, y) in x.limbs.iter().zip(&y.limbs) {
            if x == y {
                continue;
            }
            let here = if y == ZERO {
                ZERO.to_owned()
            } else {
                format!("{x} < {y}")
            };
            less = Some(match less {
                None if here == ZERO => here,
                None => self.define(format!("({here}) ? 1 : 0")),
                Some(below) => self.define(format!(
                    "(({here}) || ({x} == {y} && {below} != 0)) ? 1 : 0"
                )),
            });
        }
        less.unwrap_or_else(|| ZERO.to_owned())
    }

    /// Whether `x` is less than `y` as signed numbers, as a limb that is 1 or 0. This is whether
    /// `x` is less than `y` as unsigned numbers after both sign bits are flipped.
    pub fn less_signed(&mut self, x: &LimbWord, y: &LimbWord) -> Limb {
        let [x, y] = [x, y].map(|word| self.with_other_sign(word));
        self.less(&x, &y)
    }

    fn with_other_sign(&mut self, x: &LimbWord) -> LimbWord {
        let mut flipped = x.clone();
        if let Some(top) = flipped.limbs.last_mut() {
            let sign = limb_literal(1 << ((x.width - 1) % 64));
            *top = self.define(format!("{top} ^ {sign}"));
        }
        flipped
    }
}
