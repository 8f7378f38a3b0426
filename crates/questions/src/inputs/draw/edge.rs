//! Edge cases of formats, and ties.

use super::close::{centre, split};
use super::encodings::{edges, near, power_of_two};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

/// The edge cases of a format. One list has all of them, the other list has only the finite ones.
struct FormatEdges {
    format: Format,
    all: Vec<u64>,
    finite: Vec<u64>,
}

/// The edge cases of the formats of a signature.
pub(super) struct Edges {
    a: FormatEdges,
    b: FormatEdges,
    c: FormatEdges,
    scale: Option<FormatEdges>,
}

impl FormatEdges {
    fn new(format: &Format) -> Self {
        let all = edges(format);
        let finite = all.iter().copied().filter(|&bits| format.is_finite(bits));
        FormatEdges {
            format: *format,
            finite: finite.collect(),
            all,
        }
    }

    fn any(&self, rng: &mut impl Rng) -> u64 {
        self.all.choose(rng).copied().unwrap_or(0)
    }

    fn finite(&self, rng: &mut impl Rng) -> u64 {
        self.finite.choose(rng).copied().unwrap_or(0)
    }
}

impl Edges {
    pub(super) fn new(signature: &Signature) -> Self {
        Edges {
            a: FormatEdges::new(&signature.a),
            b: FormatEdges::new(&signature.b),
            c: FormatEdges::new(&signature.c),
            scale: signature
                .scales
                .map(|scales| FormatEdges::new(&scales.format)),
        }
    }

    /// Draws edge cases in all operands, edge cases in a few products, or a tie.
    pub(super) fn draw(&self, signature: &Signature, rng: &mut impl Rng) -> Inputs {
        let mut inputs = Inputs::zero(signature);
        if let (Some(row), true) = (&self.scale, rng.random_bool(0.5)) {
            let specials = rng.random_bool(0.25);
            for scale in inputs.a_scales.iter_mut().chain(&mut inputs.b_scales) {
                *scale = if specials {
                    row.any(rng)
                } else {
                    row.finite(rng)
                };
            }
        }
        match rng.random_range(0..8) {
            0 => {
                inputs.a.iter_mut().for_each(|a| *a = self.a.any(rng));
                inputs.b.iter_mut().for_each(|b| *b = self.b.any(rng));
                inputs.c = self.c.any(rng);
            }
            1 | 2 => {
                inputs.a.iter_mut().for_each(|a| *a = self.a.finite(rng));
                inputs.b.iter_mut().for_each(|b| *b = self.b.finite(rng));
                inputs.c = self.c.finite(rng);
            }
            3..6 => self.few(rng, &mut inputs),
            _ => self.tie(signature, rng, &mut inputs),
        }
        inputs
    }

    /// Sets one to three products and `c` to edge cases, which include infinities and NaNs. The
    /// other products stay +0.
    fn few(&self, rng: &mut impl Rng, inputs: &mut Inputs) {
        for _ in 0..rng.random_range(1..=3) {
            let k = rng.random_range(0..inputs.a.len());
            inputs.a[k] = self.a.any(rng);
            inputs.b[k] = if rng.random() {
                self.b.any(rng)
            } else {
                self.b.format.one()
            };
        }
        inputs.c = self.c.any(rng);
    }

    /// Sets `c`, and one product to half an ulp of a result near `c`, or to a quarter of an ulp or
    /// a whole ulp. Usually also sets another product, far below the first one, which breaks the
    /// tie.
    fn tie(&self, signature: &Signature, rng: &mut impl Rng, inputs: &mut Inputs) {
        let exponent = centre(signature, rng);
        inputs.c = near(rng, &signature.c, exponent);
        let half = exponent - signature.d.precision() as i32 + rng.random_range(-1..=1);
        let first = rng.random_range(0..inputs.a.len());
        self.power(signature, rng, inputs, first, half);
        let second = rng.random_range(0..inputs.a.len());
        if second != first {
            let below = half - rng.random_range(1..=12);
            self.power(signature, rng, inputs, second, below);
        }
    }

    /// Sets product `k` to `2^exponent`, with a random sign.
    fn power(
        &self,
        signature: &Signature,
        rng: &mut impl Rng,
        inputs: &mut Inputs,
        k: usize,
        exponent: i32,
    ) {
        let (for_a, for_b) = split(signature, rng, exponent);
        inputs.a[k] = power_of_two(&signature.a, for_a);
        inputs.b[k] = power_of_two(&signature.b, for_b);
        if rng.random() && inputs.a[k] != 0 {
            inputs.a[k] |= signature.a.sign_mask();
        }
    }
}
