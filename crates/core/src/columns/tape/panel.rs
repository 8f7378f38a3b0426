//! Links of rows by columns, in vector registers: columns are their only memory.

use super::element::Type;
use super::features::{Features, VectorWork};
use super::link::Link;
use super::narrow::Groups;
use super::run_link::chain;
use super::strips::{AnyLinkColumns, AnyStrip, LinkColumns, Sides};
use std::ops::Range;

/// Links, and what they read of all rows and columns.
pub struct LinkPanel<'x> {
    /// The links, each of which takes the results of the one before in place of `c`.
    pub links: &'x [Link],
    /// The columns that the programs have prepared.
    pub sides: Sides<'x>,
}

/// The elements of some rows.
pub struct LinkElements<'x> {
    /// The rows.
    pub rows: Range<usize>,
    /// The number of columns.
    pub width: usize,
    /// The registers of `c`, row by row.
    pub c: &'x [u32],
    /// The results, row by row.
    pub d: &'x mut [u32],
    /// For each row, whether a link gave up, so that the results of the row have no meaning.
    pub open: &'x mut [bool],
}

impl LinkPanel<'_> {
    /// True if links can run with these features.
    pub fn can_run(features: Features) -> bool {
        features.has_strips()
    }

    /// Computes the elements with these features, which can run links.
    pub fn run(&self, features: Features, elements: LinkElements<'_>) {
        let panel = self;
        features.with_strips(Run { panel, elements });
    }
}

struct Run<'x> {
    panel: &'x LinkPanel<'x>,
    elements: LinkElements<'x>,
}

impl VectorWork for Run<'_> {
    #[inline(always)]
    fn done<V: Groups, const S: usize>(self) {
        let Run { panel, elements } = self;
        let LinkElements {
            rows,
            width,
            c,
            d,
            open,
        } = elements;
        let mut links = Vec::with_capacity(panel.links.len());
        for link in panel.links {
            links.push(match link.of {
                Type::U16 => AnyLinkColumns::U16(LinkColumns::new(&panel.sides, link)),
                _ => AnyLinkColumns::U8(LinkColumns::new(&panel.sides, link)),
            });
        }
        for start in (0..width).step_by(S) {
            let strips = links.iter().map(|link| match link {
                AnyLinkColumns::U8(link) => AnyStrip::U8(link.strip(start)),
                AnyLinkColumns::U16(link) => AnyStrip::U16(link.strip(start)),
            });
            let strips: Vec<AnyStrip<'_, S>> = strips.collect();
            let count = S.min(width - start);
            for (index, row) in rows.clone().enumerate() {
                if open[index] {
                    continue;
                }
                let at = index * width + start;
                let (c, d) = (&c[at..at + count], &mut d[at..at + count]);
                let is_done = match (c.first_chunk::<S>(), d.first_chunk_mut::<S>()) {
                    (Some(c), Some(d)) => chain::<V, S>(&strips, row, c, d),
                    _ => {
                        let (mut all, mut results) = ([0; S], [0; S]);
                        all[..count].copy_from_slice(c);
                        let is_done = chain::<V, S>(&strips, row, &all, &mut results);
                        d.copy_from_slice(&results[..count]);
                        is_done
                    }
                };
                open[index] = !is_done;
            }
        }
    }
}
