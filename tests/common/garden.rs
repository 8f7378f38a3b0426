//! Random expressions, the same ones on every instance.

use mmasmt_numbers::bits::{Bv, Prop, mux};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Widths of inputs.
pub const WIDTHS: [u32; 8] = [1, 3, 4, 7, 8, 31, 33, 64];
/// Wider values are not made any wider.
const WIDEST: u32 = 100;

/// A number of `width` bits, an extreme one more often than not.
pub fn value(rng: &mut impl Rng, width: u32) -> u64 {
    let ones = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    let any = rng.random::<u64>() & ones;
    let small = rng.random_range(0..10) & ones;
    [any, any, small, 0, 1, ones, sign, sign - 1][rng.random_range(0..8)]
}

/// Expressions so far. What is picked depends on nothing but the seed and the widths.
struct Garden<B: Bv> {
    rng: ChaCha8Rng,
    values: Vec<B>,
}

impl<B: Bv> Garden<B> {
    fn pick(&mut self) -> B {
        // Recent ones more often, so that expressions get deep.
        let recent = self.values.len().saturating_sub(5);
        let from = if self.rng.random() { recent } else { 0 };
        self.values[self.rng.random_range(from..self.values.len())].clone()
    }

    fn pick_of(&mut self, width: u32) -> B {
        let value = self.pick();
        match self.rng.random_range(0..3) {
            0 if value.width() <= width => value.sext(width),
            1 => self.constant(width),
            _ => value.resize(width),
        }
    }

    fn constant(&mut self, width: u32) -> B {
        let narrow = width.min(64);
        B::lit(narrow, value(&mut self.rng, narrow)).zext(width)
    }

    fn amount(&mut self) -> B {
        match self.rng.random_range(0..3) {
            0 => B::lit(32, self.rng.random_range(0..70)),
            1 => self.pick_of(3),
            _ => self.pick(),
        }
    }

    fn prop(&mut self) -> B::Bool {
        let a = self.pick();
        let b = self.pick_of(a.width());
        match self.rng.random_range(0..12) {
            0 | 1 => a.ult(&b),
            2 | 3 => a.slt(&b),
            4 => a.ule(&b),
            5 | 6 => a.equals(&b),
            7 => a.bit(self.rng.random_range(0..a.width())),
            8 => a.msb(),
            9 => a.is_zero().xor(&self.prop()),
            10 => self.prop().and(&a.slt(&b).not()),
            _ => mux(&self.prop(), &self.prop(), &a.ult(&b)),
        }
    }

    fn grow(&mut self) {
        let a = self.pick();
        let width = a.width();
        let (b, c) = (self.pick_of(width), self.pick_of(width));
        let wider = self.rng.random_range(width..=width.max(WIDEST));
        let low = self.rng.random_range(0..width);
        let value = match self.rng.random_range(0..30) {
            0 => a.add(&b),
            1 => a.sub(&b),
            2 if width <= 33 => a.mul(&b),
            3 => a.and(&b),
            4 => a.or(&b),
            5 => a.xor(&b),
            6 => a.not(),
            7 => a.shl(&self.amount()),
            8 => a.lshr(&self.amount()),
            9 => a.ashr(&self.amount()),
            10 if 2 * width <= WIDEST => a.concat(&b),
            11 | 12 => a.extract(self.rng.random_range(low..width), low),
            13 => a.zext(wider),
            14 => a.sext(wider),
            15 => B::sum(&[a, b, c.clone(), c]),
            16 => B::sum(&[a.zext(wider), b.zext(wider), c.sext(wider)]),
            17 => B::umax(&[a, b, c]),
            18 => B::umax(&[a.clone(), b, c]).sub(&a),
            19 | 20 => mux(&self.prop(), &a, &b),
            // A choice that speaks of what it chooses.
            21 => mux(&a.equals(&b), &c, &b),
            22 => mux(&a.is_zero(), &b, &a),
            23 => a.neg_if(&self.prop()),
            24 => a.neg_if(&a.msb()),
            25 => a.add_const(self.rng.random_range(-9..9)).neg(),
            26 => a.widen_low(wider - width),
            27 => {
                let (shifted, lost) = a.lshr_sticky(&self.amount());
                shifted.or(&B::from_prop(width, &lost))
            }
            28 => {
                let (shifted, count) = a.normalise(8);
                if self.rng.random() {
                    shifted
                } else {
                    // The count of zero means nothing.
                    mux(&a.is_zero(), &B::lit(8, 0), &count)
                }
            }
            29 if width + 5 <= WIDEST => {
                // What is cut off carries into the rest, or nearly does.
                let top = width + 4;
                let low = b.resize(self.rng.random_range(3..=5));
                let sum = a.widen_low(4).zext(top + 1).add(&low.zext(top + 1));
                sum.extract(top, 4)
            }
            _ => b,
        };
        self.values.push(value);
    }
}

/// New expressions over `inputs`: for the same seed the same ones on every instance.
pub fn expressions<B: Bv>(seed: u64, inputs: &[B]) -> Vec<B> {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let values = inputs.to_vec();
    let mut garden = Garden { rng, values };
    (0..12).for_each(|_| garden.grow());
    garden.values.split_off(inputs.len())
}
