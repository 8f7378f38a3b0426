//! The operands: their formats, what is given of them, and sums of their products.

use crate::dyadic::{Dyadic, sum};
use crate::json::{CheckResult, Object, list, need};
use crate::numbers::{Format, Numbers};
use serde_json::Value;
use std::collections::HashMap;

/// A row of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    A,
    B,
    C,
    AScales,
    BScales,
}

impl Row {
    const ALL: [(&'static str, Row); 5] = [
        ("a", Row::A),
        ("b", Row::B),
        ("c", Row::C),
        ("a_scales", Row::AScales),
        ("b_scales", Row::BScales),
    ];

    pub(crate) fn named(name: &Value) -> Option<Row> {
        let found = Row::ALL.iter().find(|(own, _)| name.as_str() == Some(own));
        found.map(|(_, row)| *row)
    }
}

/// A sum of products and of c: k stands for the product k, and the number of products for c.
pub(crate) type Sum = Vec<usize>;

/// The operands.
pub(crate) struct Domain {
    pub(crate) formats: HashMap<String, Format>,
    pub(crate) result: Format,
    rows: HashMap<Row, (Format, Vec<Numbers>)>,
    pub(crate) products: usize,
    /// The products that share a scale; all, without scales.
    pub(crate) block: usize,
    pub(crate) has_scales: bool,
    /// p0, p1, ..., c, as they stand in sums.
    names: HashMap<String, usize>,
    /// True for each of them that is always zero.
    zeros: Vec<bool>,
    pub(crate) most_c: Dyadic,
    /// The greatest sum of the magnitudes of all products without their scales.
    pub(crate) most_products: Dyadic,
}

impl Domain {
    pub(crate) fn read(formats: &Value, operands: &Value, given: &Value) -> CheckResult<Domain> {
        let map = formats.as_object();
        let map = map.ok_or("expected an object for formats")?.iter();
        let read = map.map(|(name, one)| Ok((name.clone(), Format::read(one)?)));
        let formats: HashMap<String, Format> = read.collect::<CheckResult<_>>()?;
        let named = |name: &Value| {
            let format = name.as_str().and_then(|name| formats.get(name)).cloned();
            format.ok_or_else(|| format!("unknown format {name}"))
        };
        let known = ["products", "a", "b", "c", "d", "scales"];
        let operands = Object::of(operands, &known, "operands")?;
        let products = operands.integer("products", 0)? as usize;
        let (mut block, mut scale) = (products.max(1), None);
        if let Some(scales) = operands.maybe("scales") {
            let scales = Object::of(scales, &["format", "block"], "scales")?;
            block = scales.integer("block", 1)? as usize;
            scale = Some(named(scales.get("format")?)?);
        }
        let given = Object::of(given, &Row::ALL.map(|(name, _)| name), "given")?;
        let mut rows = HashMap::new();
        for (name, row) in Row::ALL {
            let (count, format, each) = match row {
                Row::C => (1, Some(named(operands.get(name)?)?), {
                    std::slice::from_ref(given.get(name)?)
                }),
                Row::A | Row::B => (
                    products,
                    Some(named(operands.get(name)?)?),
                    given.list(name)?,
                ),
                _ => {
                    let each = given.maybe(name).map(|each| list(each, name));
                    let count = scale.as_ref().map_or(0, |_| products.div_ceil(block));
                    (count, scale.clone(), each.unwrap_or(Ok(&[]))?)
                }
            };
            need(each.len() == count, || {
                format!("expected {count} entries of `{name}` in given")
            })?;
            let each = each.iter().map(|one| Numbers::read(one, name));
            let each = each.collect::<CheckResult<Vec<Numbers>>>()?;
            if let Some(format) = format {
                rows.insert(row, (format, each));
            }
        }
        let names = (0..products).map(|k| (format!("p{k}"), k));
        let mut domain = Domain {
            result: named(operands.get("d")?)?,
            names: names.chain([("c".into(), products)]).collect(),
            formats,
            rows,
            products,
            block,
            has_scales: scale.is_some(),
            zeros: Vec::new(),
            most_c: Dyadic::default(),
            most_products: Dyadic::default(),
        };
        let most = |k: usize| domain.most(Row::A, k).times(&domain.most(Row::B, k));
        let mosts: Vec<Dyadic> = (0..products).map(most).collect();
        domain.most_c = domain.most(Row::C, 0);
        let all = mosts.iter().chain([&domain.most_c]);
        domain.zeros = all.map(Dyadic::is_zero).collect();
        domain.most_products = sum(&mosts);
        Ok(domain)
    }

    /// The format and the numbers of an operand.
    pub(crate) fn operand(&self, row: Row, index: usize) -> Option<(&Format, &Numbers)> {
        let (format, each) = self.rows.get(&row)?;
        Some((format, each.get(index)?))
    }

    pub(crate) fn format(&self, row: Row) -> Option<&Format> {
        self.rows.get(&row).map(|(format, _)| format)
    }

    /// The greatest magnitude of an operand.
    pub(crate) fn most(&self, row: Row, index: usize) -> Dyadic {
        let operand = self.operand(row, index);
        operand.map_or_else(Dyadic::default, |(_, numbers)| numbers.most.clone())
    }

    pub(crate) fn sum(&self, names: &Value, what: &str) -> CheckResult<Sum> {
        let each = list(names, what)?.iter().map(|name| {
            let place = name.as_str().and_then(|name| self.names.get(name));
            place
                .copied()
                .ok_or_else(|| format!("unknown term {name} in {what}"))
        });
        each.collect()
    }

    /// True if both sums have the same terms, equally often, but for those that are always zero.
    pub(crate) fn is_same_sum(&self, one: &Sum, other: &Sum) -> bool {
        let some = |sum: &Sum| {
            let terms = sum.iter().copied();
            let mut terms: Sum = terms
                .filter(|k| self.zeros.get(*k) == Some(&false))
                .collect();
            terms.sort_unstable();
            terms
        };
        some(one) == some(other)
    }

    /// True if this is the sum of c and all products.
    pub(crate) fn is_whole_sum(&self, sum: &Sum) -> bool {
        self.is_same_sum(sum, &(0..=self.products).collect())
    }
}
