//! Links of rows by columns, in vector registers: columns are their only memory.

use super::element::Type;
use super::features::{Features, VectorWork};
use super::link::LinkProgram;
use super::narrow::Groups;
use super::run_floats::FloatStrip;
use super::strips::{AnyLinkColumns, ChainStrip, LinkColumns, LinkStrip, Sides};
use std::ops::Range;

/// Links, and what they read of all rows and columns.
pub struct LinkPanel<'x> {
    /// The links.
    pub links: &'x LinkProgram,
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
        match panel.links {
            LinkProgram::Floats(chain) => {
                let strip = |start| FloatStrip::<S>::new(&panel.sides, chain, start);
                elements.each_strip::<V, _, S>(strip);
            }
            LinkProgram::Aligned(links) => {
                let (sides, rows) = (&panel.sides, &elements.rows);
                let columns = links.iter().map(|link| match link.of {
                    Type::U16 => AnyLinkColumns::U16(LinkColumns::new(sides, link, rows)),
                    _ => AnyLinkColumns::U8(LinkColumns::new(sides, link, rows)),
                });
                let columns: Vec<_> = columns.collect();
                elements.each_strip::<V, _, S>(|start| ChainStrip {
                    links: &columns,
                    number: start / S,
                });
            }
        }
    }
}

impl LinkElements<'_> {
    /// Computes all elements, strip by strip; `prepared` gives the strip that begins at a column.
    #[inline(always)]
    fn each_strip<V: Groups, L: LinkStrip<S>, const S: usize>(self, prepared: impl Fn(usize) -> L) {
        let LinkElements {
            rows,
            width,
            c,
            d,
            open,
        } = self;
        for start in (0..width).step_by(S) {
            let strip = prepared(start);
            let count = S.min(width - start);
            for (index, row) in rows.clone().enumerate() {
                if open[index] {
                    continue;
                }
                let at = index * width + start;
                let (c, d) = (&c[at..at + count], &mut d[at..at + count]);
                let is_done = match (c.first_chunk::<S>(), d.first_chunk_mut::<S>()) {
                    (Some(c), Some(d)) => strip.run::<V>(row, c, d),
                    _ => {
                        let (mut all, mut results) = ([0; S], [0; S]);
                        all[..count].copy_from_slice(c);
                        let is_done = strip.run::<V>(row, &all, &mut results);
                        d.copy_from_slice(&results[..count]);
                        is_done
                    }
                };
                open[index] = !is_done;
            }
        }
    }
}
