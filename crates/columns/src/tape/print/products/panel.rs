//! A panel: what the rows or columns of a tile give to one link of the chains, in arrays of as many
//! elements as the tile has rows or columns.

use super::floats::FloatSum;
use super::maxima::GreatestSum;
use super::plan::{Plan, Role, Stage};
use crate::tape::element::Type;
use crate::tape::instruction::Value;
use crate::tape::print::words::name;
use crate::tape::side::Side;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Values that a list reads one after the other, as they are kept.
struct Row {
    /// The list.
    list: Value,
    form: Form,
    /// The numbers of the values.
    numbers: Vec<usize>,
}

/// A way in which values are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Twice in a word on the left side, beside that of the neighbour on the right side.
    Halves,
    /// A number of f32 as its magnitude and its sign.
    Narrow,
    /// The same, the magnitude in f64 if the GPU computes in f64.
    Wide,
}

/// What a side keeps.
pub(super) struct Panel {
    side: Side,
    lanes: usize,
    /// The values that are kept as they are, with their types.
    plain: Vec<(usize, Type)>,
    rows: Vec<Row>,
    /// The name of each word of signs, and the numbers of the values that have them.
    signs: Vec<(String, Vec<usize>)>,
}

impl Panel {
    /// The panel of a side for tiles of `lanes` rows or columns; `types` are the types of the values
    /// that the side gives.
    pub(super) fn new(plan: &Plan<'_>, side: Side, lanes: usize, types: &[Type]) -> Panel {
        let (mut rows, mut signs) = (Vec::new(), Vec::new());
        let place = usize::from(side == Side::Right);
        let own = |pairs: &[[usize; 2]]| pairs.iter().map(|pair| pair[place]).collect();
        for stage in &plan.stages {
            let Stage::List(list) = *stage else { continue };
            if let Some(sum) = FloatSum::new(plan, list) {
                let form = match sum.is_narrow {
                    true => Form::Narrow,
                    false => Form::Wide,
                };
                let words = sum.sign_words();
                signs.extend(words.map(|(word, pairs)| (word, own(pairs))));
                let numbers = own(&sum.pairs);
                rows.push(Row {
                    list,
                    form,
                    numbers,
                });
            }
            if let Some(greatest) = GreatestSum::new(plan, list) {
                let (form, numbers) = (Form::Halves, own(&greatest.pairs));
                rows.push(Row {
                    list,
                    form,
                    numbers,
                });
            }
        }
        let plain = plain(plan, side).into_iter();
        Panel {
            side,
            lanes,
            plain: plain.map(|number| (number, types[number])).collect(),
            rows,
            signs,
        }
    }

    /// The name of the structure.
    pub(super) fn name(&self) -> &'static str {
        match self.side {
            Side::Right => "@right",
            _ => "@left",
        }
    }

    /// The most bytes of the panel.
    pub(super) fn bytes(&self) -> usize {
        let plain = self.plain.iter().map(|(_, of)| of.bits() as usize / 8);
        let rows = self.rows.iter().map(|row| {
            let bytes = match row.form {
                Form::Halves if self.side == Side::Right => 2,
                Form::Halves => 4,
                Form::Narrow => 8,
                Form::Wide => 12,
            };
            bytes * row.numbers.len()
        });
        (plain.chain(rows).sum::<usize>() + 4 * self.signs.len() + 1) * self.lanes
    }

    /// The structure of the panel.
    pub(super) fn structure(&self) -> String {
        let (lanes, name_of) = (self.lanes, self.name());
        let mut text = format!("struct alignas(16) {name_of} {{\n");
        for Row {
            list,
            form,
            numbers,
        } in &self.rows
        {
            let count = numbers.len();
            let array = |kind: &str, prefix: &str, lanes: usize| {
                format!("    {kind} {prefix}{list}[{count}][{lanes}];\n")
            };
            text += &match form {
                Form::Halves if self.side == Side::Right => array("u32", "p", lanes / 2),
                Form::Halves => array("u32", "p", lanes),
                Form::Narrow => array("float", "m", lanes) + &array("u32", "n", lanes),
                Form::Wide => {
                    let signs = array("u32", "y", lanes);
                    format!(
                        "{}#ifdef @IN_F64\n{signs}#endif\n",
                        array("@wide", "x", lanes)
                    )
                }
            };
        }
        for (word, _) in &self.signs {
            let _ = writeln!(text, "    u32 {word}[{lanes}];");
        }
        for (number, of) in &self.plain {
            let _ = writeln!(text, "    {} v{number}[{lanes}];", name(*of));
        }
        let _ = writeln!(text, "    u8 flag[{lanes}];\n}};\n");
        text
    }

    /// The statements that keep the values of a lane, whose variables are given by number.
    pub(super) fn stores(&self, variable: impl Fn(usize) -> String) -> Vec<String> {
        let mut lines = Vec::new();
        for Row {
            list,
            form,
            numbers,
        } in &self.rows
        {
            for (k, number) in numbers.iter().enumerate() {
                let x = variable(*number);
                let put =
                    |array: &str, what: &str| format!("to.{array}{list}[{k}][lane] = {what};");
                let magnitude = format!("@real_32({x} & 0x7fffffffu)");
                let sign = format!("0u - ({x} >> 31)");
                match form {
                    Form::Halves if self.side == Side::Right => {
                        lines.push(format!("((u16 *)to.p{list}[{k}])[lane] = (u16){x};"));
                    }
                    Form::Halves => lines.push(put("p", &format!("(u32){x} << 16 | (u32){x}"))),
                    Form::Narrow => lines.extend([put("m", &magnitude), put("n", &sign)]),
                    Form::Wide => lines.extend([
                        "#ifdef @IN_F64".into(),
                        put("x", &format!("(double){magnitude}")),
                        put("y", &sign),
                        "#else".into(),
                        put("x", &format!("@real_32({x})")),
                        "#endif".into(),
                    ]),
                }
            }
        }
        for (word, numbers) in &self.signs {
            let signs = numbers.iter().enumerate();
            let signs = signs.map(|(place, number)| match place {
                0 => format!("{} >> 31", variable(*number)),
                _ => format!("{} >> 31 << {place}", variable(*number)),
            });
            let signs = signs.collect::<Vec<_>>().join(" | ");
            lines.push(format!("to.{word}[lane] = {signs};"));
        }
        for (number, of) in &self.plain {
            let x = variable(*number);
            lines.push(format!("to.v{number}[lane] = ({}){x};", name(*of)));
        }
        lines
    }
}

/// The numbers of the values of a side that stages read as they are.
fn plain(plan: &Plan<'_>, side: Side) -> BTreeSet<usize> {
    let args = |value: &Value| plan.operands(*value);
    let mut read = plan.tape.results.clone();
    for stage in &plan.stages {
        match stage {
            Stage::Elements(values) => read.extend(values.iter().flat_map(args)),
            Stage::List(value) => match FloatSum::new(plan, *value) {
                Some(sum) => read.extend(sum.plain_operands()),
                None if GreatestSum::new(plan, *value).is_some() => {}
                None => read.extend(args(value)),
            },
        }
    }
    let of_sides = plan.sources(&read, true).into_iter();
    of_sides
        .filter_map(|value| match (plan.roles[value], side) {
            (Role::Left(number), Side::Left) | (Role::Right(number), Side::Right) => Some(number),
            _ => None,
        })
        .collect()
}
