//! Instruction names: brace groups, free dimensions, and the formats in a PTX name.

use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;

/// The most names that a pattern of a table may stand for.
pub(super) const MOST_NAMES: usize = 4096;

/// The number of names that `pattern` stands for, or an upper bound of it.
pub(super) fn count(pattern: &str) -> usize {
    let groups = pattern.split('{').skip(1);
    let choices = groups.map(|group| 2.max(1 + group.matches(',').count()));
    choices.fold(1, usize::saturating_mul)
}

/// The names that `pattern` stands for: one for each combination of choices from its `{x,y}`
/// groups.
pub fn expand(pattern: &str) -> Vec<String> {
    let Some((head, rest)) = pattern.split_once('{') else {
        return vec![pattern.into()];
    };
    let Some((group, tail)) = rest.split_once('}') else {
        return vec![pattern.into()];
    };
    let tails = expand(tail);
    group
        .split(',')
        .flat_map(|choice| {
            tails
                .iter()
                .map(move |tail| format!("{head}{choice}{tail}"))
        })
        .collect()
}

/// The names that each pattern stands for; an error if a pattern stands for more than
/// [`MOST_NAMES`].
pub(super) fn expanded(patterns: &[String]) -> Result<Vec<Vec<String>>, String> {
    let expanded = |pattern: &String| match count(pattern) {
        ..=MOST_NAMES => Ok(expand(pattern)),
        _ => Err(format!(
            "expected at most {MOST_NAMES} names, found `{}`",
            excerpt(pattern)
        )),
    };
    patterns.iter().map(expanded).collect()
}

/// Whether `name` matches `row`, the name of a row of a table. In `row`, an `M` after `m`, or an
/// `N` after `n` or `x`, stands for any number or for itself. Upper and lower case are the same.
pub fn matches(row: &str, name: &str) -> bool {
    let (mut row, mut name) = (row, name);
    let mut before = ' ';
    while let Some(letter) = row.chars().next() {
        row = &row[letter.len_utf8()..];
        if matches!((before, letter), ('m', 'M') | ('n' | 'x', 'N')) {
            let digits = name.chars().take_while(char::is_ascii_digit).count();
            let taken = if name.starts_with(letter) { 1 } else { digits };
            if taken == 0 {
                return false;
            }
            name = &name[taken..];
        } else {
            let first = name.chars().next();
            match first.filter(|first| first.eq_ignore_ascii_case(&letter)) {
                Some(first) => name = &name[first.len_utf8()..],
                None => return false,
            }
        }
        before = letter;
    }
    name.is_empty()
}

/// The formats and sizes in an instruction name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameFields {
    pub d: Format,
    pub a: Format,
    pub b: Format,
    pub c: Format,
    /// The number of products: the K of its shape, or half of it where A is sparse.
    pub products: u32,
    /// The format of the block scales, and the number of factors that share one scale.
    pub scales: Option<(Format, u32)>,
}

impl NameFields {
    /// Reads a PTX or AMD name; `None` if it has another form. A PTX name is `UNIT.SHAPE.d.a.b.c`,
    /// or `UNIT.SHAPE.d.a.b` where `c` has the format of `d`; with block scales, it has `.blockN`
    /// behind the shape and the format of the scales at the end. An AMD name is `v_mfma_d_MxNxKab`,
    /// `v_mfma_d_MxNxK_a_b` or `v_wmma_i32_MxNxK_iu8.a.b`.
    pub fn read(name: &str) -> Option<NameFields> {
        if let Some(rest) = name.strip_prefix("v_smfmac_") {
            let mut sparse = Self::read_amd(rest)?;
            sparse.products /= 2;
            return Some(sparse);
        }
        match name.strip_prefix("v_mfma_") {
            Some(rest) => Self::read_amd(rest),
            None => Self::read_rdna_integer(name).or_else(|| Self::read_ptx(name)),
        }
    }

    /// Reads the name of an integer instruction of RDNA, with the signs that its modifiers give to
    /// its factors: `v_wmma_i32_16x16x16_iu8.s8.u8`, `v_dot4_i32_iu8.u8.s8.clamp`. In `v_swmmac_…`,
    /// A keeps half of its elements.
    fn read_rdna_integer(name: &str) -> Option<NameFields> {
        let (instruction, factors) = name.split_once('.')?;
        let (unit, shape) = instruction.strip_prefix("v_")?.split_once("_i32_")?;
        let products = match unit.strip_prefix("dot") {
            Some(products) => products,
            None => shape.split_once("_iu")?.0.rsplit('x').next()?,
        };
        let products: u32 = products.parse().ok()?;
        let mut factors = factors.split('.').map(Format::named);
        Some(NameFields {
            d: Format::S32,
            a: factors.next()??,
            b: factors.next()??,
            c: Format::S32,
            products: if unit == "swmmac" {
                products / 2
            } else {
                products
            },
            scales: None,
        })
    }

    fn read_ptx(name: &str) -> Option<NameFields> {
        let mut parts: Vec<&str> = name.split('.').collect();
        let block = parts
            .iter()
            .find_map(|part| part.strip_prefix("block")?.parse().ok());
        let scale = parts.last().copied().and_then(Format::scale_named);
        if scale.is_some() {
            parts.pop();
        }
        // The names of bit operations stand behind the formats.
        parts.retain(|part| !matches!(*part, "xor" | "and" | "popc"));
        let products = parts.iter().find_map(|part| {
            let (shape, products) = part.rsplit_once('k')?;
            shape.starts_with('m').then(|| products.parse().ok())?
        })?;
        let scales = match (scale, block) {
            (Some(format), Some(block)) => Some((format, block)),
            _ => None,
        };
        // A sparse A keeps half of its elements.
        let products = match parts.contains(&"sp") {
            true => products / 2,
            false => products,
        };
        let [d, a, b, c] = Self::formats(&parts.join("."))?;
        Some(NameFields {
            d,
            a,
            b,
            c,
            products,
            scales,
        })
    }

    /// The formats of d, a, b and c, read from the end of a name: `d.a.b.c`, or `d.a.b` where `c`
    /// has the format of `d`.
    pub(super) fn formats(name: &str) -> Option<[Format; 4]> {
        let mut formats: Vec<Format> = name.rsplit('.').map_while(Format::named).collect();
        formats.reverse();
        match formats[..] {
            [d, a, b] => Some([d, a, b, d]),
            [d, a, b, c] => Some([d, a, b, c]),
            _ => None,
        }
    }

    fn read_amd(rest: &str) -> Option<NameFields> {
        let (d, shape) = rest.split_once('_')?;
        let d = Format::named(d)?;
        // M x N x K come first, then the formats, one of which may also begin with an x.
        let (_, behind_m) = shape.split_once('x')?;
        let (_, tail) = behind_m.split_once('x')?;
        let digits = tail.chars().take_while(char::is_ascii_digit).count();
        let (products, tail) = (tail[..digits].parse().ok()?, &tail[digits..]);
        // Older names have no number of blocks; `_1k` marks the newer bf16 instructions.
        let tail = tail.strip_suffix("_1k").unwrap_or(tail);
        let factors = tail
            .split('_')
            .filter(|part| !part.is_empty() && !is_block_count(part));
        let factors = factors.map(amd_format).collect::<Option<Vec<_>>>()?;
        let [a, b] = match factors[..] {
            [both] => [both, both],
            [a, b] => [a, b],
            _ => return None,
        };
        Some(NameFields {
            d,
            a,
            b,
            c: d,
            products,
            scales: None,
        })
    }
}

/// Whether a part of a name is a number of blocks (the matrix products of one instruction): `2b`,
/// `16b`.
fn is_block_count(part: &str) -> bool {
    let count = part.strip_suffix('b').unwrap_or("");
    !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
}

/// The format that AMD gives this name on CDNA3, where `fp8` and `bf8` are the formats without -0.
fn amd_format(name: &str) -> Option<Format> {
    match name {
        "fp8" => Some(Format::E4M3FNUZ),
        "bf8" => Some(Format::E5M2FNUZ),
        _ => Format::named(name),
    }
}

/// A PTX name in the spelling of the tables: without the parts that do not affect the arithmetic,
/// and with the block size in place of `scale_vec`.
pub fn table_spelling(name: &str) -> String {
    let mut block = None;
    let mut parts = Vec::new();
    for part in name.split('.') {
        let part = part.strip_suffix("::ordered_metadata").unwrap_or(part);
        match part {
            "sync" | "aligned" | "row" | "col" | "mma_async" => {}
            "scale_vec::1X" | "scale_vec::2X" | "block32" => block = Some("block32"),
            "scale_vec::4X" | "block16" => block = Some("block16"),
            _ if part.starts_with("kind::") || part.starts_with("cta_group::") => {}
            _ => parts.push(part),
        }
    }
    let shape = parts
        .iter()
        .position(|part| part.starts_with('m') && part.contains('k'));
    if let (Some(block), Some(shape)) = (block, shape) {
        parts.insert(shape + 1, block);
    }
    parts.join(".")
}
