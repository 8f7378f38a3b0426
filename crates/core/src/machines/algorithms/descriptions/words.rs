//! The steps of a description on machine words, where the result alone is wanted: sums take their terms
//! from registers in one loop for terms that are alike, and what does not depend on content is known
//! before the first run.

use super::elements::{Element, Leaf};
use super::fuse::{Form, of_sum, placed};
use super::number::{Gathered, Number, Signs, Specials, exponent_width};
use super::program::{Action, Aligned, Extent, Fuse, Kind, Node, Program, Slot, SumZeros};
use super::run::{Value, Values};
use crate::machines::algorithms::{Fused, Grid, Operand, Operands, Stages, Step};
use crate::numbers::bits::{Bv, Concrete, Prop, Shape, W64, mux, widest};
use crate::numbers::float::{Format, SpecialTerm};

/// The steps, of which sums take their terms in rows.
#[derive(Clone, Debug)]
pub(super) struct WordProgram {
    program: Program,
    /// For each step the rows of its terms, if it is a sum that takes them so.
    sums: Vec<Option<Rows>>,
}

/// The terms of a sum.
#[derive(Clone, Debug)]
struct Rows {
    all: Vec<Row>,
    form: Width,
}

/// How a sum is made.
#[derive(Clone, Debug)]
enum Width {
    /// A fused sum in 64 bits.
    Fused(Form),
    /// An exact sum in 64 bits.
    Exact,
    /// An exact sum of two sums in 64 bits: exponents from this one on count for the second.
    Halves(u32),
}

/// Terms that are made alike.
#[derive(Clone, Debug)]
struct Row {
    made: Made,
    own: Extent,
    /// Their alignment in a fused sum.
    aligned: Option<Aligned>,
    /// The rows of operands that the registers are in; none for values of steps.
    sources: [Option<Operand>; 2],
    /// The positions of the registers in these.
    places: Vec<[usize; 2]>,
}

/// What terms are made of.
#[derive(Clone, Debug, PartialEq)]
enum Made {
    /// The number of an earlier step.
    Number,
    /// Registers.
    Element(Box<Element>),
}

impl WordProgram {
    /// The steps of a program for a result alone.
    pub(super) fn of(program: &Program) -> WordProgram {
        let slots = 0..program.nodes.len() as Slot;
        let mut sums: Vec<Option<Rows>> = slots.map(|slot| Rows::of(program, slot)).collect();
        let mut program = program.clone();
        let mut live = vec![false; sums.len()];
        live[program.result as usize] = true;
        for slot in (0..sums.len()).rev() {
            if live[slot] {
                each_value(&mut program.nodes[slot], &mut sums[slot], |of| {
                    live[*of] = true
                });
            }
        }
        let mut renamed = Vec::with_capacity(live.len());
        let mut count = 0;
        for is_live in &live {
            renamed.push(count);
            count += usize::from(*is_live);
        }
        for (node, rows) in program.nodes.iter_mut().zip(&mut sums) {
            each_value(node, rows, |of| *of = renamed[*of]);
        }
        let mut kept = live.iter();
        program.nodes.retain(|_| kept.next() == Some(&true));
        let mut kept = live.iter();
        sums.retain(|_| kept.next() == Some(&true));
        program.result = renamed[program.result as usize] as Slot;
        WordProgram { program, sums }
    }
}

/// Calls `visit` for the number of each value that the step takes.
fn each_value(node: &mut Node, rows: &mut Option<Rows>, mut visit: impl FnMut(&mut usize)) {
    let Some(rows) = rows else {
        node.action.each_slot_mut(|slot| {
            let mut value = *slot as usize;
            visit(&mut value);
            *slot = value as Slot;
        });
        return;
    };
    for row in &mut rows.all {
        for places in &mut row.places {
            for (place, source) in places.iter_mut().zip(row.sources) {
                if source.is_none() {
                    visit(place);
                }
            }
        }
    }
}

impl Rows {
    /// The terms of the step in rows, if it is a sum, and words of 64 bits hold all on the way to it.
    fn of(program: &Program, slot: Slot) -> Option<Rows> {
        let node = &program.nodes[slot as usize];
        let Kind::Number(extent) = node.kind else {
            return None;
        };
        let terms: Vec<(Slot, Option<Aligned>)> = match &node.action {
            Action::Fuse(step) => {
                let terms = step.terms.iter();
                let terms = terms.map(|term| (term.of, Some(Aligned { of: 0, ..*term })));
                terms.collect()
            }
            Action::Sum { terms, .. } => terms.iter().map(|slot| (*slot, None)).collect(),
            _ => return None,
        };
        let mut all: Vec<Row> = Vec::new();
        for (of, aligned) in &terms {
            let (made, leaves) = match program.element(*of) {
                Some((element, leaves)) => (Made::Element(Box::new(element)), leaves),
                None => (Made::Number, [Leaf::Value(*of); 2]),
            };
            let own = program.extent(*of);
            let [(first, x), (second, y)] = leaves.map(|leaf| match leaf {
                Leaf::Operand(row, index) => (Some(row), index),
                Leaf::Value(slot) => (None, slot as usize),
            });
            let sources = [first, second];
            let is_like = |row: &&mut Row| {
                (&row.made, row.own, row.aligned, row.sources) == (&made, own, *aligned, sources)
            };
            match all.iter_mut().find(is_like) {
                Some(row) => row.places.push([x, y]),
                None => all.push(Row {
                    made,
                    own,
                    aligned: *aligned,
                    sources,
                    places: vec![[x, y]],
                }),
            }
        }
        let form = match &node.action {
            Action::Fuse(step) => {
                let extents: Vec<Extent> =
                    terms.iter().map(|(of, _)| program.extent(*of)).collect();
                Width::Fused(Form::of(step, &extents, &extent))
            }
            _ if extent.width < u64::BITS => Width::Exact,
            _ => Width::Halves(half(&all, &extent)?),
        };
        let rows = Rows { all, form };
        let needed = widest(|| {
            rows.number(node, &extent, &Widths, &mut Stages::for_result());
        });
        (needed <= u64::BITS).then_some(rows)
    }

    /// Calls `take` for each term.
    #[inline(always)]
    fn each<E: Bv>(&self, source: &impl Source<E>, mut take: impl FnMut(&Row, &Number<E>)) {
        for row in &self.all {
            match &row.made {
                Made::Number => {
                    for [place, _] in &row.places {
                        take(row, &source.number(*place, &row.own));
                    }
                }
                Made::Element(element) => {
                    let [left, right] = element.formats();
                    for [x, y] in &row.places {
                        let x = source.register(row.sources[0], *x, &left);
                        let y = source.register(row.sources[1], *y, &right);
                        take(row, &element.number([&x, &y]));
                    }
                }
            }
        }
    }

    /// The sum.
    #[inline(always)]
    fn number<E: Bv>(
        &self,
        node: &Node,
        extent: &Extent,
        source: &impl Source<E>,
        stages: &mut Stages<E>,
    ) -> Summed<E> {
        match (&self.form, &node.action) {
            (Width::Fused(form), Action::Fuse(step)) => {
                let mut stage = stages.begin_fused(Grid::PRODUCTS);
                let number = self.fused(form, step, source, &mut stage);
                stages.push(Step::Fused(stage));
                Summed::Number(number)
            }
            (Width::Halves(half), _) => self.halves(*half, extent, source),
            (_, action) => {
                let mut total = E::lit(extent.width + 1, 0);
                let mut terms = Gathered::none();
                self.each(source, |row, term| {
                    total = total.add(&placed(term, &row.own, extent));
                    terms = terms.with(term);
                });
                let zeros = match action {
                    Action::Sum { zeros, .. } => *zeros,
                    _ => SumZeros::None,
                };
                Summed::Number(of_sum(total, &terms, zeros, extent))
            }
        }
    }

    #[inline(always)]
    fn fused<E: Bv>(
        &self,
        form: &Form,
        step: &Fuse,
        source: &impl Source<E>,
        stage: &mut Fused<E>,
    ) -> Number<E> {
        let mut terms = Gathered::none();
        stage.terms.clear();
        stage.exponents.clear();
        stage.aligned.clear();
        self.each(source, |row, number| {
            terms = terms.with(number);
            let (term, exponent) = form.term(number, &row.own);
            stage.terms.push(term);
            stage.exponents.push(exponent);
        });
        form.find_largest(stage);
        let greatest = stage.max_exponent.clone();
        let mut lost = step.sticky.then(|| E::Bool::constant(false));
        let mut index = 0;
        for row in &self.all {
            let Some(aligned) = &row.aligned else {
                continue;
            };
            for _ in &row.places {
                let term = (&stage.terms[index], &stage.exponents[index]);
                let (value, ones) = form.aligned(step, (aligned, &row.own), term, &greatest);
                lost = lost.zip(ones).map(|(lost, ones)| lost.or(&ones));
                stage.aligned.push(value);
                index += 1;
            }
        }
        stage.sticky = lost;
        form.total(step, stage, &terms)
    }

    #[inline(always)]
    fn halves<E: Bv>(&self, half: u32, extent: &Extent, source: &impl Source<E>) -> Summed<E> {
        let nothing = E::lit(u64::BITS, 0);
        let (mut low, mut high) = (nothing.clone(), nothing);
        let mut terms = Gathered::none();
        let none = E::lit(AMOUNT, u64::BITS.into());
        self.each(source, |row, term| {
            let amount = term
                .exponent
                .resize(AMOUNT)
                .add_const(lowest(&row.own, extent));
            let is_low = amount.ult(&E::lit(AMOUNT, half.into()));
            let less = mux(&is_low, &amount, &none);
            let more = mux(&is_low, &none, &amount.add_const(-i64::from(half)));
            let number = term.significand.zext(u64::BITS).neg_if(&term.special.sign);
            low = low.add(&number.shl(&less));
            high = high.add(&number.shl(&more));
            terms = terms.with(term);
        });
        Summed::Halves([low, high], terms)
    }
}

/// The width of shift amounts in a sum of two halves.
const AMOUNT: u32 = 16;

/// The shift amount of a term of an exact sum for its lowest exponent.
fn lowest(own: &Extent, extent: &Extent) -> i64 {
    own.lowest - own.fraction + extent.fraction
}

/// The shift amount from which on terms count for the second of two sums in 64 bits, if both fit.
fn half(rows: &[Row], extent: &Extent) -> Option<u32> {
    let most = |row: &Row| lowest(&row.own, extent) + row.own.highest - row.own.lowest;
    let most = rows.iter().map(most).max()?;
    let bits = rows.iter().map(|row| row.own.width).max()?;
    let terms: usize = rows.iter().map(|row| row.places.len()).sum();
    let half = most / 2 + 1;
    let needed = half + i64::from(bits + usize::BITS - terms.leading_zeros());
    (needed < i64::from(u64::BITS)).then_some(half as u32)
}

/// A sum, or the two halves of it with what it keeps of its terms.
enum Summed<E: Bv> {
    Number(Number<E>),
    Halves([E; 2], Gathered<E>),
}

/// Where terms come from.
trait Source<E: Bv> {
    /// The register at a position in a row of operands, or of a step.
    fn register(&self, row: Option<Operand>, place: usize, format: &Format) -> E;
    /// The number of a step.
    fn number(&self, place: usize, own: &Extent) -> Number<E>;
}

/// Terms of which only the widths are known.
struct Widths;

impl Source<Shape> for Widths {
    fn register(&self, _: Option<Operand>, _: usize, format: &Format) -> Shape {
        Shape::lit(format.width(), 0)
    }
    fn number(&self, _: usize, own: &Extent) -> Number<Shape> {
        let no = || Prop::constant(false);
        Number {
            significand: Shape::lit(own.width, 0),
            exponent: Shape::lit(exponent_width(own), 0),
            zero: no(),
            special: SpecialTerm {
                nan: no(),
                infinite: no(),
                sign: no(),
            },
            absent: no(),
            signs: Signs {
                all: no(),
                any: no(),
                zeros: no(),
            },
            complement: None,
            sticky: None,
        }
    }
}

/// Terms of operands and of earlier steps.
struct Words<'x, 'v, 'p, B: Bv> {
    operands: Operands<'x, B>,
    values: &'v Values<'p, B>,
}

impl<B: Bv> Source<W64> for Words<'_, '_, '_, B> {
    #[inline(always)]
    fn register(&self, row: Option<Operand>, place: usize, _: &Format) -> W64 {
        word(match row {
            Some(Operand::A) => &self.operands.a[place],
            Some(Operand::B) => &self.operands.b[place],
            Some(Operand::C) => self.operands.c,
            Some(Operand::AScales) => &self.operands.a_scales[place],
            Some(Operand::BScales) => &self.operands.b_scales[place],
            None => self.values.register(place as Slot).0,
        })
    }
    #[inline(always)]
    fn number(&self, place: usize, _: &Extent) -> Number<W64> {
        let number = self.values.number(place as Slot).0;
        // A sum of these takes the significand and the sign.
        Number {
            significand: word(&number.significand),
            exponent: word(&number.exponent),
            zero: truth::<B>(&number.zero),
            special: SpecialTerm {
                nan: truth::<B>(&number.special.nan),
                infinite: truth::<B>(&number.special.infinite),
                sign: truth::<B>(&number.special.sign),
            },
            absent: truth::<B>(&number.absent),
            signs: Signs {
                all: truth::<B>(&number.signs.all),
                any: truth::<B>(&number.signs.any),
                zeros: truth::<B>(&number.signs.zeros),
            },
            complement: None,
            sticky: None,
        }
    }
}

/// The word as one of 64 bits, which hold it.
#[inline(always)]
fn word<B: Bv>(of: &B) -> W64 {
    W64::lit(of.width(), of.as_word().unwrap_or(0))
}

#[inline(always)]
fn truth<B: Bv>(of: &B::Bool) -> bool {
    B::from_prop(1, of).as_word() == Some(1)
}

#[inline(always)]
fn same<B: Bv>(of: bool) -> B::Bool {
    B::Bool::constant(of)
}

#[inline(always)]
fn wide<B: Bv>(of: &W64) -> B {
    B::lit(of.width(), of.to_u64())
}

fn wide_special<B: Bv>(of: &SpecialTerm<W64>) -> SpecialTerm<B> {
    SpecialTerm {
        nan: same::<B>(of.nan),
        infinite: same::<B>(of.infinite),
        sign: same::<B>(of.sign),
    }
}

fn wide_signs<B: Bv>(of: &Signs<W64>) -> Signs<B> {
    Signs {
        all: same::<B>(of.all),
        any: same::<B>(of.any),
        zeros: same::<B>(of.zeros),
    }
}

fn wide_number<B: Bv>(of: &Number<W64>) -> Number<B> {
    Number {
        significand: wide(&of.significand),
        exponent: wide(&of.exponent),
        zero: same::<B>(of.zero),
        special: wide_special(&of.special),
        absent: same::<B>(of.absent),
        signs: wide_signs(&of.signs),
        complement: of.complement.as_ref().map(wide),
        sticky: of.sticky.map(same::<B>),
    }
}

impl WordProgram {
    /// The register of the result, on machine words.
    pub(super) fn run<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut values = Values::of(&self.program);
        for (node, rows) in self.program.nodes.iter().zip(&self.sums) {
            let value = match (node.kind, rows) {
                (Kind::Register(format), _) => {
                    Value::Register(values.make_register(&node.action, &format, operands))
                }
                (Kind::Number(extent), Some(rows)) => {
                    let source = Words {
                        operands,
                        values: &values,
                    };
                    let sum = rows.number(node, &extent, &source, stages.words());
                    Value::Number(match sum {
                        Summed::Number(number) => wide_number(&number),
                        Summed::Halves(sums, terms) => rows.joined(node, sums, &terms, &extent),
                    })
                }
                (Kind::Number(extent), None) => {
                    Value::Number(values.make_sum(node, &extent, stages))
                }
            };
            values.all.push(value);
        }
        values.register(self.program.result).0.clone()
    }
}

impl Rows {
    /// The exact sum of two halves.
    fn joined<B: Bv>(
        &self,
        node: &Node,
        [low, high]: [W64; 2],
        terms: &Gathered<W64>,
        extent: &Extent,
    ) -> Number<B> {
        let half = match self.form {
            Width::Halves(half) => half,
            Width::Fused(_) | Width::Exact => 0,
        };
        let zeros = match &node.action {
            Action::Sum { zeros, .. } => *zeros,
            _ => SumZeros::None,
        };
        let [low, high] = [low, high].map(|sum| wide::<B>(&sum).sext(extent.width + 1));
        let total = low.add(&high.shl(&B::lit(u32::BITS, half.into())));
        let terms = Gathered {
            specials: Specials {
                nan: same::<B>(terms.specials.nan),
                up: same::<B>(terms.specials.up),
                down: same::<B>(terms.specials.down),
            },
            signs: wide_signs(&terms.signs),
            absent: same::<B>(terms.absent),
        };
        of_sum(total, &terms, zeros, extent)
    }
}
