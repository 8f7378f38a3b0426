//! The names of schemes in words, for pictures: `promoted every 4 instructions`.

use super::table::{CompareRow, asked};

/// The rows of a table, whose names say the unit only if they have several.
pub(super) struct SpokenRows<'x> {
    unit: Option<&'x str>,
}

impl<'x> SpokenRows<'x> {
    pub(super) fn of(rows: &'x [CompareRow]) -> SpokenRows<'x> {
        let units = || rows.iter().map(unit);
        let first = units().next().flatten();
        let are_alike = units().all(|unit| unit == first);
        SpokenRows {
            unit: first.filter(|_| are_alike),
        }
    }

    /// The unit of all rows; `None` if they have several, or none.
    pub(super) fn unit(&self) -> Option<&'x str> {
        self.unit
    }

    /// The name of a row in words.
    pub(super) fn name(&self, row: &CompareRow) -> String {
        let words = match (row.scheme.as_str(), &row.outcome) {
            ("_", _) => Some("the unit alone".to_owned()),
            (_, Ok((model, _))) => in_words(&model.canonical()),
            _ => None,
        };
        match (words, unit(row)) {
            (Some(words), None) => words,
            (Some(words), Some(_)) if self.unit.is_some() => words,
            (Some(words), Some(unit)) => format!("{unit}, {words}"),
            (None, _) => asked([&row.scheme, &row.on]),
        }
    }
}

/// The unit that a scheme was made of, as the request names it.
fn unit(row: &CompareRow) -> Option<&str> {
    if !row.on.is_empty() {
        return Some(&row.on);
    }
    let (_, inside) = row.scheme.split_once('(')?;
    let mut depth = 0;
    let end = inside.find(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && letter == ','
    });
    end.map(|end| &inside[..end])
}

/// A composition in words; `None` if the model is none.
fn in_words(canonical: &str) -> Option<String> {
    let (name, rest) = canonical.split_once('(')?;
    let (_, keys) = rest.rsplit_once("):")?;
    let keys = keys.split(',').filter(|key| !key.starts_with("K="));
    let mut keys: Vec<&str> = keys.collect();
    let mut take = |key: &str| {
        let at = keys.iter().position(|given| {
            given
                .strip_prefix(key)
                .is_some_and(|rest| rest.starts_with('='))
        })?;
        keys.remove(at).split_once('=').map(|(_, value)| value)
    };
    let words = match name {
        "promote" => match take("every") {
            Some("1") => "promoted after each instruction".into(),
            Some(every) => format!("promoted every {every} instructions"),
            None => "one sum outside".into(),
        },
        "splitk" => format!("split-K, {} parts", take("S").unwrap_or("2")),
        "repeat" => "one instruction after the other".into(),
        "markidis" => "Markidis et al.".into(),
        "ootomo-yokota" => "Ootomo and Yokota".into(),
        "3xtf32" => "3xTF32".into(),
        name => name.into(),
    };
    Some(
        std::iter::once(words.as_str())
            .chain(keys)
            .collect::<Vec<_>>()
            .join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn a_composition_is_said_in_words() {
        for (canonical, words) in [
            (
                "promote(fda:K=8,F=13):K=64,every=4",
                Some("promoted every 4 instructions"),
            ),
            (
                "promote(fda:K=8):K=64,every=1,round=rz",
                Some("promoted after each instruction, round=rz"),
            ),
            (
                "splitk(fda:K=8,chain=2,F=24):K=64,S=8",
                Some("split-K, 8 parts"),
            ),
            ("markidis(fda:K=8):K=64", Some("Markidis et al.")),
            ("fda:K=8", None),
        ] {
            assert_eq!(in_words(canonical).as_deref(), words);
        }
    }
}
