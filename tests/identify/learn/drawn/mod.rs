//! Units that are drawn at random: a tree of sums, each of which is exact or on a grid, and rounded
//! or not. Nothing here is the program's.

mod evaluate;

use super::numbers::{BF16, E4M3, F16, F32, Form, Way, form};

/// Draws numbers; the same seed draws the same ones.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.next() % all.len() as u64) as usize]
    }

    fn between(&mut self, least: i64, most: i64) -> i64 {
        least + (self.next() % (most - least + 1) as u64) as i64
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.next().is_multiple_of(count)
    }
}

/// A term of a sum.
#[derive(Clone, Debug)]
enum Term {
    Product(usize),
    C,
    Sum(Box<Sum>),
}

/// Terms on a grid of `bits` below the largest exponent of those that are there, which is at least
/// `least`; `sticky`: one more bit says whether any digit was dropped.
#[derive(Clone, Copy, Debug)]
struct Grid {
    bits: i64,
    way: Way,
    sticky: bool,
    least: Option<i64>,
}

/// What a sum does: a grid if it is not exact, and a format if it is rounded.
#[derive(Clone, Copy, Debug)]
struct Rule {
    grid: Option<Grid>,
    to: Option<(Form, Way)>,
}

#[derive(Clone, Debug)]
struct Sum {
    terms: Vec<Term>,
    rule: Rule,
}

/// The sign of a zero that a sum gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ZeroSign {
    Plus,
    /// Negative where all terms are negative; and rounded down, where one is.
    Ieee,
}

/// A unit.
#[derive(Clone, Debug)]
pub struct Drawn {
    formats: [Form; 3],
    names: [&'static str; 3],
    products: usize,
    flushes: [bool; 2],
    /// How products are rounded to f32, if they are.
    rounded: Option<Way>,
    sum: Sum,
    zero: ZeroSign,
    is_ones: bool,
    flushes_results: bool,
}

impl Drawn {
    /// The unit with this number.
    pub fn new(seed: u64) -> Drawn {
        let dice = &mut Dice(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ 0x1405_7b7e_f767_814f);
        let (factor, name) = dice.of(&[
            (F16, "f16"),
            (F16, "f16"),
            (BF16, "bf16"),
            (BF16, "bf16"),
            (E4M3, "e4m3"),
            (E4M3, "e4m3"),
            (F32, "f32"),
        ]);
        let outs = [
            [(F32, "f32"), (F32, "f32")],
            [(F32, "f32"), (F32, "f32")],
            [(F32, "f32"), (F32, "f32")],
            [(F16, "f16"), (F16, "f16")],
            [(F32, "f32"), (F16, "f16")],
            [(F32, "f32"), (BF16, "bf16")],
        ];
        let mut out = dice.of(&outs);
        if (name == "bf16" || name == "f32") && out[1].1 == "f16" {
            out = outs[0];
        }
        let products = match name {
            "f32" => dice.of(&[2, 3, 4, 8]),
            "e4m3" => dice.of(&[4, 8, 16, 32, 32]),
            _ => dice.of(&[2, 4, 4, 8, 8, 16, 32]),
        };
        // Operations of IEEE 754, or sums on grids.
        let is_ieee = dice.one_in(4) || name == "f32" && dice.one_in(2);
        let rounded = (is_ieee && dice.one_in(2)).then(|| dice.of(&[Way::Nearest, Way::Zero]));
        let mut unit = Drawn {
            formats: [factor, out[0].0, out[1].0],
            names: [name, out[0].1, out[1].1],
            products,
            flushes: [dice.one_in(5), dice.one_in(6)],
            rounded,
            sum: Sum {
                terms: Vec::new(),
                rule: Rule {
                    grid: None,
                    to: None,
                },
            },
            zero: if is_ieee || dice.one_in(3) {
                ZeroSign::Ieee
            } else {
                ZeroSign::Plus
            },
            is_ones: dice.one_in(3),
            flushes_results: dice.one_in(6),
        };
        let last = dice.of(&[
            Way::Zero,
            Way::Zero,
            Way::Nearest,
            Way::Nearest,
            Way::Nearest,
            Way::Odd,
            Way::Down,
            Way::Up,
        ]);
        let result = Some((out[1].0, last));
        unit.sum = match is_ieee {
            true => unit.operations(dice, last),
            false => unit.grids(dice, result),
        };
        if unit.sum.rule.to.is_none() {
            unit.sum.rule.to = result;
        }
        unit
    }

    /// Sums of two terms, each rounded.
    fn operations(&self, dice: &mut Dice, way: Way) -> Sum {
        let to = match self.formats[2] == F16 && self.formats[1] == F16 {
            true => F16,
            false => F32,
        };
        let rule = Rule {
            grid: None,
            to: Some((to, way)),
        };
        let pair = |x: Term, y: Term| {
            Term::Sum(Box::new(Sum {
                terms: vec![x, y],
                rule,
            }))
        };
        let mut row: Vec<Term> = (0..self.products).map(Term::Product).collect();
        let all = match dice.between(0, 3) {
            0 => row.into_iter().fold(Term::C, pair),
            1 => row.into_iter().rev().fold(Term::C, pair),
            // Neighbours in pairs; then halves.
            shape => {
                while row.len() > 1 {
                    let half = row.len().div_ceil(2);
                    row = (0..half)
                        .map(|at| {
                            let (x, y) = match shape {
                                2 => (2 * at, 2 * at + 1),
                                _ => (at, at + half),
                            };
                            match row.get(y) {
                                Some(y) => pair(row[x].clone(), y.clone()),
                                None => row[x].clone(),
                            }
                        })
                        .collect();
                }
                pair(Term::C, row.remove(0))
            }
        };
        match all {
            Term::Sum(sum) if to == self.formats[2] => *sum,
            other => Sum {
                terms: vec![other],
                rule: Rule {
                    grid: None,
                    to: None,
                },
            },
        }
    }

    /// Sums on grids, in two or three levels.
    fn grids(&self, dice: &mut Dice, result: Option<(Form, Way)>) -> Sum {
        let products = self.products;
        let groups = self.groups(dice);
        let rule = |dice: &mut Dice, is_last: bool| self.rule(dice, is_last, result);
        let sum = |terms: Vec<Term>, rule: Rule| Sum { terms, rule };
        let inner = |group: &[usize], rule: Rule| {
            let terms = group.iter().map(|k| Term::Product(*k)).collect();
            Term::Sum(Box::new(sum(terms, rule)))
        };
        let all = || (0..products).map(Term::Product);
        match dice.between(0, 5) {
            0 => sum(all().chain([Term::C]).collect(), rule(dice, true)),
            1 => {
                let first = sum(all().collect(), rule(dice, false));
                sum(vec![Term::C, Term::Sum(Box::new(first))], rule(dice, true))
            }
            2 => {
                let (first, last) = (rule(dice, false), rule(dice, true));
                let terms = groups.iter().map(|group| inner(group, first));
                sum(terms.chain([Term::C]).collect(), last)
            }
            3 => {
                let (first, second, last) =
                    (rule(dice, false), rule(dice, false), rule(dice, true));
                let terms = groups.iter().map(|group| inner(group, first)).collect();
                let middle = Term::Sum(Box::new(sum(terms, second)));
                sum(vec![Term::C, middle], last)
            }
            // One group after another is added to what is there.
            4 => {
                let mut own = rule(dice, true);
                own.to = result;
                let mut so_far = Term::C;
                for group in &groups {
                    let terms = group.iter().map(|k| Term::Product(*k));
                    let terms = std::iter::once(so_far).chain(terms).collect();
                    so_far = Term::Sum(Box::new(sum(terms, own)));
                }
                match so_far {
                    Term::Sum(sum) => *sum,
                    _ => unreachable!("there is a group"),
                }
            }
            _ => {
                let (first, mut own) = (rule(dice, false), rule(dice, true));
                own.to = result;
                let mut so_far = Term::C;
                for group in &groups {
                    so_far = Term::Sum(Box::new(sum(vec![so_far, inner(group, first)], own)));
                }
                match so_far {
                    Term::Sum(sum) => *sum,
                    _ => unreachable!("there is a group"),
                }
            }
        }
    }

    /// Neighbours, or products a step apart.
    fn groups(&self, dice: &mut Dice) -> Vec<Vec<usize>> {
        let products = self.products;
        let counts: Vec<usize> = [2, 4, 8]
            .into_iter()
            .filter(|count| 2 * count <= products && products.is_multiple_of(*count))
            .collect();
        let count = match counts.is_empty() {
            true => 1,
            false => dice.of(&counts),
        };
        let size = products / count;
        match dice.one_in(3) {
            true => (0..count)
                .map(|first| (first..products).step_by(count).collect())
                .collect(),
            false => (0..count)
                .map(|at| (at * size..(at + 1) * size).collect())
                .collect(),
        }
    }

    fn rule(&self, dice: &mut Dice, is_last: bool, result: Option<(Form, Way)>) -> Rule {
        let fewest = if self.names[0] == "e4m3" { 7 } else { 10 };
        let factor = self.formats[0];
        let least = [
            F32.least(),
            F32.least() - 7,
            2 * factor.least(),
            self.formats[2].least(),
        ];
        let mut grid = Grid {
            bits: dice.between(fewest, 30),
            way: dice.of(&[
                Way::Zero,
                Way::Zero,
                Way::Zero,
                Way::Down,
                Way::Nearest,
                Way::Odd,
            ]),
            sticky: false,
            least: dice.one_in(4).then(|| dice.of(&least)),
        };
        let ways = [Way::Nearest, Way::Nearest, Way::Zero, Way::Odd];
        let to = match is_last {
            true => result,
            false => match dice.between(0, 5) {
                0 => Some((F32, dice.of(&ways))),
                1 => Some((form(8, dice.between(9, 22) as u32, false), dice.of(&ways))),
                _ => None,
            },
        };
        let is_nearest = to.is_some_and(|(_, way)| way == Way::Nearest);
        grid.sticky = is_nearest && grid.way == Way::Zero && dice.one_in(2);
        // An exact sum is rounded at once.
        let is_exact = to.is_some() && dice.one_in(6);
        Rule {
            grid: (!is_exact).then_some(grid),
            to,
        }
    }

    /// The operands, as the command line has them.
    pub fn signature(&self) -> String {
        let [factor, c, d] = self.names;
        format!(
            "{} products {factor} x {factor}, c {c}, result {d}",
            self.products
        )
    }

    /// The unit in short.
    pub fn describe(&self) -> String {
        let [factors, addend] = self.flushes;
        let products = self
            .rounded
            .map_or("exact".into(), |way| format!("f32 {way:?}"));
        format!(
            "{}; products {products}; {}; zero {:?}; flush factors {factors}, c {addend}, results {}",
            self.signature(),
            self.sum.describe(),
            self.zero,
            self.flushes_results
        )
    }
}

impl Sum {
    fn describe(&self) -> String {
        let terms = self.terms.iter().map(|term| match term {
            Term::Product(k) => format!("{k}"),
            Term::C => "c".into(),
            Term::Sum(sum) => sum.describe(),
        });
        let terms: Vec<String> = terms.collect();
        let grid = self.rule.grid.map_or("exact".into(), |grid| {
            let sticky = if grid.sticky { " sticky" } else { "" };
            let least = grid
                .least
                .map_or(String::new(), |least| format!(" least {least}"));
            format!("F{} {:?}{sticky}{least}", grid.bits, grid.way)
        });
        let to = self.rule.to.map_or(String::new(), |(form, way)| {
            format!(" to e{}m{} {way:?}", form.exponent, form.fraction)
        });
        format!("({} | {grid}{to})", terms.join(" "))
    }
}
