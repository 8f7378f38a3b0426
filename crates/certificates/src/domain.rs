//! The operands: the format and the numbers of each, and the products.

use crate::atoms::{Atom, Atoms, Part, Row, Scaled};
use crate::dyadic::Dyadic;
use crate::format::Format;
use crate::given::Numbers;
use crate::json::{Object, list};
use crate::places::Places;
use crate::{Fails, need};
use serde_json::Value;
use std::collections::HashMap;

/// What the steps may read.
pub(crate) struct Domain {
    pub(crate) formats: HashMap<String, Format>,
    pub(crate) result: Format,
    rows: HashMap<Row, (Format, Vec<Numbers>)>,
    pub(crate) products: usize,
    /// The products that share a scale; all, without scales.
    pub(crate) block: usize,
    pub(crate) has_scales: bool,
    /// The exact product of each place, with its scales.
    pub(crate) atoms: Atoms,
    /// The place of each atom that is a product.
    pub(crate) places: HashMap<Atom, usize>,
    /// The greatest magnitude of c, and the greatest sum of the magnitudes of all products, which are scaled in four ways.
    pub(crate) most_c: Dyadic,
    pub(crate) most_products: [Dyadic; 4],
    /// The products that are always zero.
    pub(crate) zero_products: Places,
}

impl Domain {
    pub(crate) fn read(formats: &Value, operands: &Value, given: &Value) -> Fails<Domain> {
        let map = formats
            .as_object()
            .ok_or("expected an object for formats")?;
        let read = |(name, one): (&String, &Value)| Ok((name.clone(), Format::read(one)?));
        let formats: HashMap<String, Format> = map.iter().map(read).collect::<Fails<_>>()?;
        let named = |name: &Value| {
            let format = name.as_str().and_then(|name| formats.get(name));
            format
                .cloned()
                .ok_or_else(|| format!("unknown format {name}"))
        };
        let object = Object::of(
            operands,
            &["products", "a", "b", "c", "d", "scales"],
            "operands",
        )?;
        let products = object.integer("products", 0)? as usize;
        let mut block = products;
        let mut rows = vec![
            (Row::A, "a", products),
            (Row::B, "b", products),
            (Row::C, "c", 1),
        ];
        let mut scale = None;
        if let Some(scales) = object.maybe("scales") {
            let scales = Object::of(scales, &["format", "block"], "scales")?;
            block = scales.integer("block", 1)? as usize;
            let count = products.div_ceil(block);
            rows.extend([
                (Row::AScales, "a_scales", count),
                (Row::BScales, "b_scales", count),
            ]);
            scale = Some(named(scales.get("format")?)?);
        }
        let given = Object::of(given, &["a", "b", "c", "a_scales", "b_scales"], "given")?;
        let is_extra = |key: &str| {
            given
                .maybe(key)
                .is_some_and(|row| row.as_array().is_none_or(|row| !row.is_empty()))
        };
        need(
            scale.is_some() || !is_extra("a_scales") && !is_extra("b_scales"),
            || "there are no scales".into(),
        )?;
        let mut all = HashMap::new();
        for (row, key, count) in rows {
            let format = match (&scale, row.is_scale()) {
                (Some(scale), true) => scale.clone(),
                _ => named(object.get(key)?)?,
            };
            let value = given.get(key)?;
            let each = if row == Row::C {
                std::slice::from_ref(value)
            } else {
                list(value, key)?
            };
            need(each.len() == count, || {
                format!("expected {count} entries of `{key}` in given")
            })?;
            let finite = format.finite();
            let each = each
                .iter()
                .map(|one| Ok(Numbers::read(one, key)?.both(&finite)));
            let each = each.collect::<Fails<Vec<Numbers>>>()?;
            all.insert(row, (format, each));
        }
        let mut domain = Domain {
            result: named(object.get("d")?)?,
            formats,
            rows: all,
            products,
            block: block.max(1),
            has_scales: scale.is_some(),
            atoms: Vec::new(),
            places: HashMap::new(),
            most_c: Dyadic::zero(),
            most_products: [(); 4].map(|()| Dyadic::zero()),
            zero_products: Places::none(),
        };
        domain.atoms = (0..products).map(|k| domain.atom(k)).collect();
        domain.places = domain
            .atoms
            .iter()
            .enumerate()
            .map(|(k, atom)| (atom.clone(), k))
            .collect();
        domain.most_c = domain.most(Part::Operand(Row::C, 0));
        let mosts = |scaled: Scaled| -> Vec<Dyadic> {
            let of = |atom: &Atom| {
                let parts = atom
                    .iter()
                    .filter(|part| scaled.has(part))
                    .map(|part| domain.most(*part));
                parts.fold(Dyadic::power(0), |all, one| all.times(&one))
            };
            domain.atoms.iter().map(of).collect()
        };
        let whole = mosts(Scaled::Yes);
        let zeros = (0..products).filter(|k| whole.get(*k).is_some_and(Dyadic::is_zero));
        let zeros = zeros.fold(Places::none(), |mut all, k| {
            all.add(k);
            all
        });
        let sums = [Scaled::No, Scaled::A, Scaled::B, Scaled::Yes]
            .map(|scaled| crate::dyadic::sum(&mosts(scaled)));
        (domain.zero_products, domain.most_products) = (zeros, sums);
        Ok(domain)
    }

    fn atom(&self, k: usize) -> Atom {
        let mut atom = vec![Part::Operand(Row::A, k), Part::Operand(Row::B, k)];
        if self.has_scales {
            atom.extend([Row::AScales, Row::BScales].map(|row| Part::Operand(row, k / self.block)));
        }
        atom
    }

    /// The format and the numbers of an operand.
    pub(crate) fn operand(&self, row: Row, index: usize) -> Option<(&Format, &Numbers)> {
        let (format, each) = self.rows.get(&row)?;
        Some((format, each.get(index)?))
    }

    /// The greatest magnitude of an operand.
    fn most(&self, part: Part) -> Dyadic {
        match part {
            Part::Operand(row, index) => {
                let most = self
                    .operand(row, index)
                    .and_then(|(_, numbers)| numbers.most.clone());
                most.unwrap_or_else(Dyadic::zero)
            }
            Part::Rounded(_) | Part::Zero => Dyadic::zero(),
        }
    }

    /// The greatest magnitude of an operand that is read.
    pub(crate) fn most_of(&self, row: Row, index: usize) -> Dyadic {
        self.most(Part::Operand(row, index))
    }

    /// Whether the operands of each row are alike.
    pub(crate) fn is_alike(&self) -> bool {
        let mut rows = self.rows.values();
        rows.all(|(_, each)| each.windows(2).all(|pair| pair[0] == pair[1]))
    }

    /// The atoms that are not always zero.
    pub(crate) fn some<'a>(&'a self, atoms: &'a [Atom]) -> impl Iterator<Item = &'a Atom> {
        let is_zero = |part: &Part| match part {
            Part::Operand(row, index) => self
                .operand(*row, *index)
                .is_some_and(|(_, one)| one.is_zero()),
            Part::Rounded(_) => false,
            Part::Zero => true,
        };
        atoms.iter().filter(move |atom| !atom.iter().any(is_zero))
    }

    /// Whether an atom is a product with all its scales, c, or a rounding.
    pub(crate) fn is_whole(&self, atom: &Atom) -> bool {
        match atom.first() {
            Some(Part::Operand(Row::C, _) | Part::Rounded(_) | Part::Zero) => true,
            _ => atom.len() == if self.has_scales { 4 } else { 2 },
        }
    }

    /// c and all products.
    pub(crate) fn whole_sum(&self) -> Atoms {
        let c = vec![Part::Operand(Row::C, 0)];
        self.atoms.iter().cloned().chain([c]).collect()
    }
}
