//! The operators of truth values and bit-vectors in scripts, and their sorts.

use super::apply::{Apply, Result, among};
use super::floats::float_operator;
use super::graph::Id;
use super::kind::{ScriptSort, WIDEST};
use super::reals::real_operator;

/// The operators of scripts, for errors.
const OPERATORS: &str =
    "an operator of bit-vectors, FloatingPoint or Real, a definition or a model";
const INDEXED: &str = "(_ extract HIGH LOW), (_ zero_extend N), (_ sign_extend N), (_ rotate_left N), (_ rotate_right N), (_ repeat N), (_ to_fp E S), (_ to_fp_unsigned E S), (_ fp.to_ubv N) or (_ fp.to_sbv N)";

/// Operators of two words of one width, which give such a word.
const OF_TWO: [&str; 12] = [
    "bvsub", "bvnand", "bvnor", "bvxnor", "bvshl", "bvlshr", "bvashr", "bvudiv", "bvurem",
    "bvsdiv", "bvsrem", "bvsmod",
];
/// The same of two or more.
const OF_MORE: [&str; 5] = ["bvadd", "bvmul", "bvand", "bvor", "bvxor"];
const COMPARISONS: [&str; 8] = [
    "bvult", "bvugt", "bvule", "bvuge", "bvslt", "bvsgt", "bvsle", "bvsge",
];

/// The node of an operator without indices.
pub(super) fn operator(operation: &str, of: &mut Apply<'_, '_>) -> Result<Id> {
    match (operation, of.ids) {
        ("ite", [_, then, _]) => {
            of.is(0, ScriptSort::Truth)?;
            of.are_alike(1)?;
            let kind = of.graph.kind(*then);
            of.make("ite", &[], of.ids.to_vec(), kind)
        }
        ("=", [_, _, ..]) => {
            of.are_alike(0)?;
            of.chained("=")
        }
        ("distinct", [_, _, ..]) => {
            of.are_alike(0)?;
            let ids = of.ids;
            let pairs = (1..ids.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
            let pairs = pairs.map(|(left, right)| vec![ids[left], ids[right]]);
            of.all_of("distinct", pairs.collect())
        }
        ("not", [one]) => {
            of.is(0, ScriptSort::Truth)?;
            of.make("not", &[], vec![*one], ScriptSort::Truth)
        }
        ("and" | "or" | "xor", [_, ..]) => {
            (0..of.ids.len()).try_for_each(|operand| of.is(operand, ScriptSort::Truth))?;
            let name = among(&["and", "or", "xor"], operation).unwrap_or_default();
            of.joined(name)
        }
        ("=>", [before @ .., last]) if !before.is_empty() => {
            (0..of.ids.len()).try_for_each(|operand| of.is(operand, ScriptSort::Truth))?;
            before.iter().rev().try_fold(*last, |then, left| {
                let not = of.make("not", &[], vec![*left], ScriptSort::Truth)?;
                of.make("or", &[], vec![not, then], ScriptSort::Truth)
            })
        }
        ("bvnot" | "bvneg", [one]) => {
            let width = of.width(0)?;
            let name = among(&["bvnot", "bvneg"], operation).unwrap_or_default();
            of.make(name, &[], vec![*one], ScriptSort::Word(width))
        }
        ("concat", [first, rest @ ..]) if !rest.is_empty() => {
            let (mut joined, mut bits) = (*first, of.width(0)?);
            for (operand, low) in rest.iter().enumerate() {
                bits += of.width(operand + 1)?;
                if bits > WIDEST {
                    return of.wrong(format!("at most {WIDEST} bits"));
                }
                joined = of.make("concat", &[], vec![joined, *low], ScriptSort::Word(bits))?;
            }
            Ok(joined)
        }
        (_, [_, _, ..]) if operation.starts_with("bv") => of_words(operation, of),
        _ => match float_operator(operation, of)? {
            Some(id) => Ok(id),
            None => match real_operator(operation, of)? {
                Some(id) => Ok(id),
                None => of.wrong(OPERATORS),
            },
        },
    }
}

/// The node of an operator of words of the same width.
fn of_words(operation: &str, of: &mut Apply<'_, '_>) -> Result<Id> {
    let two = among(&OF_TWO, operation);
    let more = among(&OF_MORE, operation);
    let comparison = among(&COMPARISONS, operation).or_else(|| among(&["bvcomp"], operation));
    let Some(name) = more.or(two).or(comparison) else {
        return of.wrong(OPERATORS);
    };
    let width = of.width(0)?;
    of.are_alike(0)?;
    if more.is_some() {
        return of.joined(name);
    }
    if of.ids.len() > 2 {
        return of.wrong("two operands");
    }
    let kind = match comparison {
        Some("bvcomp") => ScriptSort::Word(1),
        Some(_) => ScriptSort::Truth,
        None => ScriptSort::Word(width),
    };
    of.make(name, &[], of.ids.to_vec(), kind)
}

/// The node of an operator with indices, such as `((_ extract 7 0) x)`.
pub(super) fn indexed(words: &[&str], of: &mut Apply<'_, '_>) -> Result<Id> {
    let Some((&"_", [name, indices @ ..])) = words.split_first() else {
        return of.wrong(INDEXED);
    };
    let indices: Option<Vec<u32>> = indices.iter().map(|index| index.parse().ok()).collect();
    let Some(indices) = indices else {
        return of.wrong(INDEXED);
    };
    if matches!(
        *name,
        "to_fp" | "to_fp_unsigned" | "fp.to_ubv" | "fp.to_sbv"
    ) {
        return match super::floats::conversion(name, &indices, of)? {
            Some(id) => Ok(id),
            None => of.wrong(INDEXED),
        };
    }
    let [_] = of.ids else {
        return of.wrong("one operand");
    };
    let width = of.width(0)?;
    let fits = |bits: u64| u32::try_from(bits).ok().filter(|bits| *bits <= WIDEST);
    let wide = u64::from(width);
    let width = match (*name, &indices[..]) {
        ("extract", [high, low]) if low <= high && *high < width => Some(high - low + 1),
        ("zero_extend" | "sign_extend", [more]) => fits(wide + u64::from(*more)),
        ("repeat", [times]) if *times > 0 => fits(wide * u64::from(*times)),
        ("rotate_left" | "rotate_right", [_]) => Some(width),
        _ => None,
    };
    if let ("extract", [high, low], None) = (*name, &indices[..], width) {
        return of.wrong(format!(
            "(_ extract HIGH LOW) with LOW <= HIGH <= {} of an operand of {wide} bits: HIGH {high} and LOW {low} do not fit",
            wide.saturating_sub(1)
        ));
    }
    let known = [
        "extract",
        "zero_extend",
        "sign_extend",
        "repeat",
        "rotate_left",
        "rotate_right",
    ];
    match (among(&known, name), width) {
        (Some(name), Some(width)) => {
            of.make(name, &indices, of.ids.to_vec(), ScriptSort::Word(width))
        }
        _ => of.wrong(INDEXED),
    }
}
