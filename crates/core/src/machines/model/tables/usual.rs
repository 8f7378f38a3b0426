//! The instruction that programs use for a format: the row that `H100/fp8` stands for.

use super::row::{Architecture, Row, Translation};
use crate::machines::algorithms::{BlockScales, DotAdd, Signature};
use crate::machines::model::Algorithm;
use mmasmt_numbers::float::Format;

/// Of the rows that multiply two factors of the format `name`, the row with the widest result,
/// which a library uses. `None` if `name` is no format, or the architecture has no dense
/// instruction for it.
pub fn usual_row(architecture: &'static Architecture, name: &str) -> Option<&'static Row> {
    if let Some((factors, format, block)) = Format::scaled_known_as(name) {
        let scales = Some(BlockScales { format, block });
        return widest(&usual_rows(architecture), |signature| {
            signature.a == factors && signature.b == factors && signature.scales == scales
        });
    }
    let formats = Format::all_known_as(name);
    if formats.is_empty() {
        return None;
    }
    let rows = usual_rows(architecture);
    formats.into_iter().find_map(|format| {
        widest(&rows, |signature| {
            signature.a == format && signature.b == format && signature.scales.is_none()
        })
    })
}

/// For each combination of formats, the row that programs use, with its signature, in the order of
/// the table. Rows with
/// compressed operands, and instructions that the assembler does not know, are left out.
pub fn usual_rows(architecture: &'static Architecture) -> Vec<(Signature, &'static Row)> {
    let mut usual: Vec<(Signature, &'static Row)> = Vec::new();
    for row in &architecture.rows {
        let known = row.spec(None).and_then(|spec| Algorithm::of(&spec));
        let is_dense = row.sparsity.is_none() && row.compiled != Some(Translation::Absent);
        let Some(signature) = known.ok().filter(|_| is_dense).map(|one| one.signature()) else {
            continue;
        };
        let same =
            |(other, _): &&mut (Signature, &'static Row)| have_same_formats(other, &signature);
        match usual.iter_mut().find(same) {
            None => usual.push((signature, row)),
            Some(other) if rank(&signature, row) > rank(&other.0, other.1) => {
                *other = (signature, row);
            }
            Some(_) => {}
        }
    }
    usual
}

/// Of the rows whose signature is wanted, the best one: rows of one machine instruction come first,
/// then the widest result counts.
fn widest(
    rows: &[(Signature, &'static Row)],
    wanted: impl Fn(&Signature) -> bool,
) -> Option<&'static Row> {
    let all = rows.iter().filter(|(signature, _)| wanted(signature));
    // Of equally good rows, the first one is taken.
    let best = all.rev().max_by_key(|(signature, row)| {
        let Signature { c, d, .. } = signature;
        (row.compiled.is_none(), d.width(), c.width())
    });
    best.map(|(_, row)| *row)
}

/// Whether two instructions differ at most in their number of products.
pub fn have_same_formats(left: &Signature, right: &Signature) -> bool {
    let of_one_product = |signature: &Signature| Signature {
        products: 1,
        ..*signature
    };
    of_one_product(left) == of_one_product(right)
}

/// The rank of a row: of several rows, programs use the one with the greatest rank. An instruction
/// of the machine itself counts most, then the newer unit, then the most products.
fn rank(signature: &Signature, row: &Row) -> (bool, u8, u32) {
    let unit = match row.name.split(['.', '_']).next() {
        Some("tcgen05" | "wgmma") => 2,
        Some("wmma") => 0,
        _ => 1,
    };
    (row.compiled.is_none(), unit, signature.products)
}
