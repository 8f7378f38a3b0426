//! Operands of a dot-add, borrowed or owned.

use super::rows::{Operand, OperandRow};
use super::signature::Signature;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::Format;

/// Operands of a dot-add: as many `a` as `b`, and one `c`, each as wide as its format.
#[derive(Debug)]
pub struct Operands<'x, B> {
    /// Left factors.
    pub a: &'x [B],
    /// Right factors.
    pub b: &'x [B],
    /// The accumulator that the products are added to.
    pub c: &'x B,
    /// Scale factors of blocks of `a`; empty where there are no scales.
    pub a_scales: &'x [B],
    /// Scale factors of blocks of `b`, as many as of `a`.
    pub b_scales: &'x [B],
}

impl<B> Clone for Operands<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B> Copy for Operands<'_, B> {}

impl<'x, B> Operands<'x, B> {
    /// Operands without scales.
    pub fn plain(a: &'x [B], b: &'x [B], c: &'x B) -> Self {
        Operands {
            a,
            b,
            c,
            a_scales: &[],
            b_scales: &[],
        }
    }
}

/// Operands of one dot-add that own their registers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Registers<B> {
    /// Left factors.
    pub a: Vec<B>,
    /// Right factors, as many as left ones.
    pub b: Vec<B>,
    /// The accumulator that the products are added to.
    pub c: B,
    /// Scale factors of blocks of `a`; empty where there are no scales.
    pub a_scales: Vec<B>,
    /// Scale factors of blocks of `b`, as many as of `a`.
    pub b_scales: Vec<B>,
}

impl<B> Registers<B> {
    /// Operands without scales.
    pub fn new(a: Vec<B>, b: Vec<B>, c: B) -> Self {
        Registers {
            a,
            b,
            c,
            a_scales: Vec::new(),
            b_scales: Vec::new(),
        }
    }

    /// The operands, borrowed in the form in which an algorithm takes them.
    pub fn operands(&self) -> Operands<'_, B> {
        Operands {
            a: &self.a,
            b: &self.b,
            c: &self.c,
            a_scales: &self.a_scales,
            b_scales: &self.b_scales,
        }
    }

    /// The operands with each register replaced by what `make` returns for it and its format.
    /// `make` is called in the order of [`each`](Self::each), and last for the `c` of a unit that has none.
    pub fn map<T>(
        &self,
        signature: &Signature,
        mut make: impl FnMut(&Format, &B) -> T,
    ) -> Registers<T> {
        let scale = signature
            .scales
            .map_or(Format::UE8M0, |scales| scales.format);
        let make = &mut make;
        let a = row(&signature.a, &self.a, make);
        let b = row(&signature.b, &self.b, make);
        let c = signature.has_c().then(|| make(&signature.c, &self.c));
        let a_scales = row(&scale, &self.a_scales, make);
        let b_scales = row(&scale, &self.b_scales, make);
        let c = c.unwrap_or_else(|| make(&signature.c, &self.c));
        Registers {
            a,
            b,
            c,
            a_scales,
            b_scales,
        }
    }

    /// Every register with its format: `a`, `b`, `c`, the scales of `a`, the scales of `b`.
    pub fn each<'x>(
        &'x self,
        signature: &'x Signature,
    ) -> impl Iterator<Item = (Format, &'x B)> + Clone {
        let registers = |row: OperandRow| {
            let registers = self.row(row.operand).iter();
            registers.map(move |register| (row.format, register))
        };
        signature.rows().flat_map(registers)
    }

    /// Replaces the registers by what `make` returns for each register of `from` and its format,
    /// and reuses their memory. `from` has the rows of the signature.
    pub fn refill<T>(
        &mut self,
        signature: &Signature,
        from: &Registers<T>,
        make: impl Fn(&Format, &T) -> B,
    ) {
        signature.every_row(|row| {
            let registers = from.row(row.operand).iter();
            let made = registers.map(|register| make(&row.format, register));
            match self.vector_mut(row.operand) {
                Some(vector) => {
                    vector.clear();
                    vector.extend(made);
                }
                None => {
                    let places = self.row_mut(row.operand).iter_mut();
                    places.zip(made).for_each(|(place, value)| *place = value);
                }
            }
            true
        });
    }
}

/// Operands of one dot-add: registers as numbers of 64 bits, in the formats of a signature.
pub type Inputs = Registers<u64>;

impl Inputs {
    /// Inputs with +0 for all factors and `c`, and 1 for all scales.
    pub fn zero(signature: &Signature) -> Inputs {
        let mut inputs = Inputs::new(Vec::new(), Vec::new(), 0);
        inputs.fill_up(signature);
        inputs
    }

    /// Adds missing operands, until each row has the length in the signature. The added operands
    /// are +0, but 1 in rows of scales.
    pub(super) fn fill_up(&mut self, signature: &Signature) {
        for row in signature.rows() {
            if let Some(vector) = self.vector_mut(row.operand) {
                vector.resize(row.length, row.plain);
            }
        }
    }

    /// The inputs as constants of the instance `B` of [`Bv`]; the inputs must fit the signature.
    pub fn lifted<B: Bv>(&self, signature: &Signature) -> Registers<B> {
        self.map(signature, |format, &bits| B::lit(format.width(), bits))
    }

    /// Whether no operand is an infinity or a NaN.
    pub fn is_finite(&self, signature: &Signature) -> bool {
        self.each(signature)
            .all(|(format, &bits)| format.is_finite(bits))
    }
}

impl<B> Registers<B> {
    /// The registers of a row.
    #[inline(always)]
    pub fn row(&self, operand: Operand) -> &[B] {
        match operand {
            Operand::A => &self.a,
            Operand::B => &self.b,
            Operand::C => std::slice::from_ref(&self.c),
            Operand::AScales => &self.a_scales,
            Operand::BScales => &self.b_scales,
        }
    }

    /// The registers of a row, to be changed.
    #[inline(always)]
    pub fn row_mut(&mut self, operand: Operand) -> &mut [B] {
        match operand {
            Operand::A => &mut self.a,
            Operand::B => &mut self.b,
            Operand::C => std::slice::from_mut(&mut self.c),
            Operand::AScales => &mut self.a_scales,
            Operand::BScales => &mut self.b_scales,
        }
    }

    /// The row as a vector, whose length can be changed; `None` for `c`, which has one register.
    #[inline(always)]
    pub fn vector_mut(&mut self, operand: Operand) -> Option<&mut Vec<B>> {
        match operand {
            Operand::A => Some(&mut self.a),
            Operand::B => Some(&mut self.b),
            Operand::C => None,
            Operand::AScales => Some(&mut self.a_scales),
            Operand::BScales => Some(&mut self.b_scales),
        }
    }
}

fn row<B, T>(format: &Format, registers: &[B], make: &mut impl FnMut(&Format, &B) -> T) -> Vec<T> {
    registers.iter().map(|bits| make(format, bits)).collect()
}
