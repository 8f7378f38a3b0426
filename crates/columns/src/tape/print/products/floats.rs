//! Sums of products in floats, each product cut to an integer, without a conversion for each.
//!
//! A product of magnitudes is added to a number whose last place is worth one, rounded toward zero:
//! what is below one is cut, and the low bits of the register are the integer. Where the integer has
//! few bits, f32 does this; else f64, on GPUs that have many units for it. Elsewhere products are
//! converted. The signs of the factors turn all bits of a product, which is one short of its negative:
//! so the negative products of a sum are counted.

use super::plan::{Plan, Role};
use super::scope::{ElementLines, kept};
use super::tile::ThreadTile;
use crate::tape::instruction::{Code, Value};
use crate::tape::print::error::PrintError;
use crate::tape::print::operands::variable;

/// The most bits of a product that f32 cuts so.
const MOST_BITS: u128 = f32::MANTISSA_DIGITS as u128 - 1;

/// The least field of an exponent of a power of two by which f32 cuts so: the number that is added is
/// then below the greatest ones.
const LEAST_FIELD: i128 = 24;

/// A sum of products of a number of each side.
pub(super) struct FloatSum {
    pub(super) value: Value,
    power: Value,
    /// The number of the left and of the right value of each product.
    pub(super) pairs: Vec<[usize; 2]>,
    /// Whether f32 cuts the products.
    pub(super) is_narrow: bool,
}

/// The number of signs in a word.
pub(super) const SIGNS: usize = 32;

impl FloatSum {
    /// The sum that is the value; `None` if it is no sum, or has other factors.
    pub(super) fn new(plan: &Plan<'_>, value: Value) -> Option<FloatSum> {
        let instruction = &plan.tape.instructions[value];
        let [power, factors @ ..] = &instruction.args[..] else {
            return None;
        };
        if instruction.code != Code::SumOfReals || plan.list(value).is_none() {
            return None;
        }
        let pairs = of_sides(plan, factors)?;
        let least_field = match plan.tape.instructions[*power].code {
            Code::Power => {
                let [k, limits] = plan.tape.instructions[*power].constants;
                k as i128 - (limits >> 64) as i128
            }
            _ => 0,
        };
        Some(FloatSum {
            value,
            power: *power,
            pairs,
            is_narrow: instruction.constants[0] <= MOST_BITS && least_field >= LEAST_FIELD,
        })
    }

    /// The words of signs that a side keeps for this sum.
    pub(super) fn sign_words(&self) -> impl Iterator<Item = (String, &[[usize; 2]])> {
        let words = self.pairs.chunks(SIGNS).enumerate();
        words.map(|(word, pairs)| (format!("g{}_{word}", self.value), pairs))
    }

    /// The values of the sides that are read as they are: none but what the power needs.
    pub(super) fn plain_operands(&self) -> Vec<Value> {
        vec![self.power]
    }

    /// The statements of the stage.
    pub(super) fn stage(&self, plan: &Plan<'_>, tile: ThreadTile) -> Result<String, PrintError> {
        if self.is_narrow {
            return self.by_magnitudes(plan, tile, ["narrow", "m", "n", "float"]);
        }
        let [by_f64, by_conversion] = [
            self.by_magnitudes(plan, tile, ["wide", "x", "y", "double"])?,
            self.by_conversion(plan, tile)?,
        ];
        Ok(format!(
            "#ifdef @IN_F64\n{by_f64}#else\n{by_conversion}#endif\n"
        ))
    }

    fn begin(
        &self,
        plan: &Plan<'_>,
        tile: ThreadTile,
        kind: &str,
        function: &str,
    ) -> Result<String, PrintError> {
        let ThreadTile { rows, columns } = tile;
        let (own, power) = (self.value, variable(self.power));
        let mut scope = ElementLines::new(plan);
        scope.need(self.power)?;
        scope.push(format!("f{own}[i][j] = @{function}({power});"));
        scope.push(format!("{}[i][j] = 0;", kept(own)));
        let lines = tile.each(&scope.lines());
        Ok(format!(
            "        {kind} f{own}[{rows}][{columns}];\n{lines}"
        ))
    }

    fn by_magnitudes(
        &self,
        plan: &Plan<'_>,
        tile: ThreadTile,
        [width, magnitude, sign, kind]: [&str; 4],
    ) -> Result<String, PrintError> {
        let (own, array) = (self.value, kept(self.value));
        let mut text = self.begin(plan, tile, kind, &format!("floor_{width}"))?;
        text += &tile.each_of(self.pairs.len(), &[
            format!("const u32 sign = lefts.{sign}{own}[k][row + i] ^ rights.{sign}{own}[k][column + j];"),
            format!(
                "{array}[i][j] += @cut_{width}(lefts.{magnitude}{own}[k][row + i], rights.{magnitude}{own}[k][column + j], f{own}[i][j]) ^ sign;"
            ),
        ]);
        let counts = self.sign_words().map(|(word, _)| {
            format!("(u32)__popc((i32)(lefts.{word}[row + i] ^ rights.{word}[column + j]))")
        });
        let negative = counts.collect::<Vec<_>>().join(" + ");
        let count = self.pairs.len();
        let mut lines = vec![
            format!("const u32 negative = {negative};"),
            format!("{array}[i][j] += negative;"),
        ];
        if self.is_narrow {
            // The bits of the number that products are added to.
            lines.push(format!(
                "{array}[i][j] -= @bits_32(f{own}[i][j]) * ({count} - 2 * negative);"
            ));
        }
        Ok(text + &tile.each(&lines))
    }

    fn by_conversion(&self, plan: &Plan<'_>, tile: ThreadTile) -> Result<String, PrintError> {
        let (own, array) = (self.value, kept(self.value));
        let text = self.begin(plan, tile, "float", "real_32")?;
        Ok(text + &tile.each_of(self.pairs.len(), &[
            format!("const float product = @multiply_32(lefts.x{own}[k][row + i], rights.x{own}[k][column + j]);"),
            format!("{array}[i][j] += @truncated(@multiply_32(product, f{own}[i][j]));"),
        ]))
    }
}

/// The numbers of the values in pairs, the left one of each first; `None` if one is no value that a
/// side keeps, or if both are of one side.
pub(super) fn of_sides(plan: &Plan<'_>, values: &[Value]) -> Option<Vec<[usize; 2]>> {
    let pairs = values.as_chunks().0.iter();
    let sorted = |[one, other]: &[Value; 2]| match [plan.roles[*one], plan.roles[*other]] {
        [Role::Left(x), Role::Right(y)] | [Role::Right(y), Role::Left(x)] => Some([x, y]),
        _ => None,
    };
    pairs.map(sorted).collect()
}
