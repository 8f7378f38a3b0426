//! The kernel of elements: a block computes a tile along all links, with what its rows and columns give
//! in shared memory. An element that the program is not right for stops at that link, and is left to
//! the kernel for any operands.

use super::floats::FloatSum;
use super::lists;
use super::maxima::GreatestSum;
use super::operands::ProductPrograms;
use super::plan::{Plan, Role, Stage};
use super::scope::{ElementLines, kept, kept_type};
use super::sides::special;
use super::tile::{ACROSS, THREADS, ThreadTile};
use crate::tape::instruction::{Code, Value};
use crate::tape::print::error::PrintError;
use crate::tape::print::operands::{TapeInstruction, variable};
use crate::tape::print::reals::{TOWARD_ZERO, field_of_round};
use std::fmt::Write as _;

/// The least and the greatest field of a power of two in binary64 by which no integer of 53 bits becomes
/// a subnormal number of binary32, or an infinity.
const LEAST_FIELD: u32 = 1023 - 126;
const MOST_FIELD: u32 = 1023 + 127 - 53;

/// The statements of all stages of a link, and what the state becomes.
fn link(plan: &Plan<'_>, tile: ThreadTile, state: u32) -> Result<String, PrintError> {
    let mut text = String::new();
    for value in (0..plan.roles.len()).filter(|value| plan.is_kept(*value)) {
        let ThreadTile { rows, columns } = tile;
        let kind = kept_type(plan, value);
        let _ = writeln!(text, "        {kind} {}[{rows}][{columns}];", kept(value));
    }
    for stage in &plan.stages {
        // The compiler would keep what an earlier stage has read or computed for all elements.
        text += "        @stage();\n";
        text += &match stage {
            Stage::Elements(values) => {
                let lines = elements(plan, values)?;
                rounded(plan, tile, values, &lines)?.unwrap_or_else(|| tile.each(&lines))
            }
            Stage::List(value) => list(plan, tile, *value)?,
        };
    }
    let mut last = ElementLines::new(plan);
    if let Some(result) = plan.tape.results.first() {
        last.need(*result)?;
        last.push(format!("state[i][j] = (u{state}){};", variable(*result)));
    }
    Ok(text + &tile.each(&last.lines()))
}

/// The statements of a link for one element.
pub(super) fn statements(plan: &Plan<'_>) -> Result<usize, PrintError> {
    let text = link(plan, ThreadTile::ALL[0], u32::BITS)?;
    Ok(text.lines().filter(|line| line.ends_with(';')).count())
}

fn elements(plan: &Plan<'_>, values: &[Value]) -> Result<Vec<String>, PrintError> {
    let mut scope = ElementLines::new(plan);
    for value in values {
        scope.compute(*value)?;
    }
    for value in values.iter().filter(|value| plan.is_kept(**value)) {
        scope.push(format!("{}[i][j] = {};", kept(*value), variable(*value)));
    }
    Ok(scope.lines())
}

/// The lines of a stage that rounds one sum toward zero, twice: most results are neither subnormal nor
/// infinite, and the exponents say so for all elements of a thread. `None` for other stages.
fn rounded(
    plan: &Plan<'_>,
    tile: ThreadTile,
    values: &[Value],
    lines: &[String],
) -> Result<Option<String>, PrintError> {
    let [anywhere, in_range] = TOWARD_ZERO;
    let is_round =
        |value: &&Value| matches!(plan.tape.instructions[**value].code, Code::Round { .. });
    let mut rounds = values.iter().filter(is_round);
    let (Some(round), None) = (rounds.next(), rounds.next()) else {
        return Ok(None);
    };
    let exponent = plan.operands(*round)[0];
    let is_toward_zero = lines.iter().any(|line| line.contains(anywhere));
    if !is_toward_zero || values.contains(&exponent) {
        return Ok(None);
    }
    let mut scope = ElementLines::new(plan);
    scope.need(exponent)?;
    let field = field_of_round(&TapeInstruction::new(plan.tape, *round));
    scope.push(format!("odd = max(odd, {field} - {LEAST_FIELD}u);"));
    let quick: Vec<_> = lines
        .iter()
        .map(|line| line.replace(anywhere, in_range))
        .collect();
    Ok(Some(format!(
        "        u32 odd = 0;\n{}        if (odd <= {}u) {{\n{}        }} else {{\n{}        }}\n",
        tile.each(&scope.lines()),
        MOST_FIELD - LEAST_FIELD,
        tile.each(&quick),
        tile.each(lines)
    )))
}

fn list(plan: &Plan<'_>, tile: ThreadTile, value: Value) -> Result<String, PrintError> {
    debug_assert_eq!(plan.roles[value], Role::Once);
    if let Some(sum) = FloatSum::new(plan, value) {
        return sum.stage(plan, tile);
    }
    if let Some(greatest) = GreatestSum::new(plan, value) {
        return Ok(greatest.stage(plan, tile));
    }
    match plan.list(value) {
        Some(list) => lists::stage(plan, tile, value, &list),
        None => Ok(String::new()),
    }
}

/// The kernel.
pub(super) fn kernel(
    products: &ProductPrograms<'_>,
    plan: &Plan<'_>,
    tile: ThreadTile,
) -> Result<String, PrintError> {
    let (state, d) = (products.state_bits(), products.result.bits());
    let ThreadTile { rows, columns } = tile;
    let [down, across] = tile.of_block();
    let accumulator = products.accumulator().map(|(_, operand)| operand);
    let c = accumulator.map_or(8, |operand| operand.array.bits());
    let taken = accumulator.map_or("0".into(), |operand| operand.array.cut("c[at]".into()));
    let is_special = accumulator.and_then(|operand| special(operand, "state[i][j]"));
    let is_special = is_special.unwrap_or("0".into());
    let place = [
        "const u64 own_row = first_row + i, own_column = first_column + j;".to_string(),
        "const u64 at = own_row * columns + own_column;".to_string(),
        "const bool is_inside = own_row < rows && own_column < columns;".to_string(),
        format!("const u32 element = 1u << (i * {columns} + j);"),
    ];
    let with_place = |lines: &[&str], of: &[usize]| {
        let places = of.iter().map(|number| place[*number].clone());
        let lines = lines.iter().map(|line| line.to_string());
        tile.each(&places.chain(lines).collect::<Vec<_>>())
    };
    let start = format!("state[i][j] = is_inside ? (u{state})({taken}) : (u{state})0;");
    let start = with_place(&[&start], &[0, 1, 2]);
    let looks = tile.each(&[format!(
        "suspect |= (u32)(lefts.flag[row + i] | rights.flag[column + j] | ({is_special}));"
    )]);
    let keep = format!("d[at] = (u{d})state[i][j];");
    let is_stopped = format!(
        "const bool is_left = lefts.flag[row + i] | rights.flag[column + j] | ({is_special});"
    );
    let stops = with_place(
        &[
            &is_stopped,
            "if (is_left && is_inside && !(halted & element)) {",
            "    halted |= element;",
            "    stopped[at] = link;",
            &format!("    {keep}"),
            "}",
        ],
        &[0, 1, 2, 3],
    );
    let end = with_place(
        &[
            "if (is_inside && !(halted & element)) {",
            "    stopped[at] = 0xffffffffu;",
            &format!("    {keep}"),
            "}",
        ],
        &[0, 1, 2, 3],
    );
    let link = link(plan, tile, state)?;
    Ok(format!(
        "extern \"C\" __global__ void __launch_bounds__({THREADS}) @chain(u64 rows, u64 columns, u32 links, const @left *left, const @right *right, const u{c} *c, u{d} *d, u32 *stopped)
{{
    const u32 row = threadIdx.x / {ACROSS} * {rows}, column = threadIdx.x % {ACROSS} * {columns};
    const u64 first_row = (u64)blockIdx.y * {down} + row, first_column = (u64)blockIdx.x * {across} + column;
    @left *const left_buffers = (@left *)@memory;
    @right *const right_buffers = (@right *)(left_buffers + @BUFFERS);
    left += (u64)blockIdx.y * links;
    right += (u64)blockIdx.x * links;
    u{state} state[{rows}][{columns}];
    u32 halted = 0;
{start}    if (@BUFFERS == 2 && links > 0) {{
        @copy(left_buffers, left, sizeof *left);
        @copy(right_buffers, right, sizeof *right);
    }}
#pragma unroll 1
    for (u32 link = 0; link < links; link++) {{
        if (@BUFFERS == 1) {{
            __syncthreads();
            @copy(left_buffers, left + link, sizeof *left);
            @copy(right_buffers, right + link, sizeof *right);
        }}
        @copied();
        __syncthreads();
        if (@BUFFERS == 2 && link + 1 < links) {{
            @copy(left_buffers + (link + 1) % 2, left + link + 1, sizeof *left);
            @copy(right_buffers + (link + 1) % 2, right + link + 1, sizeof *right);
        }}
        const @left &lefts = left_buffers[link % @BUFFERS];
        const @right &rights = right_buffers[link % @BUFFERS];
        u32 suspect = 0;
{looks}        if (suspect) {{
{stops}        }}
{link}    }}
{end}}}

"
    ))
}
