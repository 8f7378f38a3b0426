//! What the tests say of the dot instructions of processors is true of the parameters of their rows.

use super::answers;
use mmasmt_core::machines::model::{Architecture, architectures};
use mmasmt_questions::identify::probe::TestAnswer;

/// The parameters of a row, from its specification.
struct Parameters {
    keys: Vec<(String, String)>,
}

impl Parameters {
    fn of(spec: &str) -> Self {
        let (name, keys) = spec.split_once(':').unwrap();
        assert_eq!(name, "cpu");
        let keys = keys.split(',').map(|item| item.split_once('=').unwrap());
        let keys = keys.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Parameters {
            keys: keys.collect(),
        }
    }

    /// A key of the row, or what stands where it says nothing.
    fn get(&self, key: &str, otherwise: &'static str) -> &str {
        let found = self.keys.iter().find(|(known, _)| known == key);
        found.map_or(otherwise, |(_, value)| value)
    }

    fn count(&self, key: &str, otherwise: &'static str) -> usize {
        self.get(key, otherwise).parse().unwrap()
    }

    /// What a feature is by the definition of the operations; none where nothing may be said.
    fn expected(&self, feature: &str) -> Option<String> {
        let yes = |holds: bool| Some(if holds { "yes" } else { "no" }.to_owned());
        let kept = |holds: bool| Some(if holds { "kept" } else { "flushed" }.to_owned());
        let text = |text: &str| Some(text.to_owned());
        let order = self.get("order", "");
        let (k, chain) = (self.count("K", "2"), self.count("chain", "1"));
        let wide = self.get("in", "") != "f16";
        let to_nearest = self.get("round", "rne") == "rne";
        let factors = self.get("operands", "all") != "all";
        let addend = self.get("operands", "all") == "keep";
        let results = self.get("results", "after") == "keep";
        // Multiply-adds to `c` itself; then each product meets a sum that is rounded.
        let from_c = ["first-first", "last-first"].contains(&order);
        let multiply_adds = from_c || ["late", "even-odd"].contains(&order);
        match feature {
            "T_si_no" => yes(factors),
            "subnormal-factors" => yes(factors && (results || !wide)),
            "subnormal-a" | "subnormal-b" => kept(factors && (results || !wide)),
            "T_sa" | "subnormal-accumulator" => yes(addend && results),
            "subnormal-c" => kept(addend && results),
            "T_ni_so" => yes(results),
            "subnormal-sum" => kept(results),
            "subnormal-results" | "subnormal-differences" => yes(results || !wide),
            // In a chain a product counts beside the sum so far.
            "subnormal-product" => kept(results || !wide || multiply_adds),
            "subnormals-in-hardware" => text("rounded").filter(|_| factors && to_nearest),
            "T_1_bit" | "exact-products" | "monotonicity" => yes(true),
            "T_rnd_dir" => text(if to_nearest { "RTN-TE" } else { "RO" }),
            "result-rounding" => text(if to_nearest { "RNE" } else { "RO" }),
            "addition-rounding" | "final-rounding" => text("RN").filter(|_| to_nearest),
            "T_3_bits_fin_rnd" => text("3").filter(|_| to_nearest),
            "overflow-rule" => text(if to_nearest { "nearest" } else { "toward zero" }),
            "addition-precision" => text("23"),
            "infinite-sum" => text("infinity"),
            "negative-zero" => yes(!["late", "even-odd"].contains(&order)),
            "product-overflow" => yes(wide && (order == "pairwise" || !from_c && multiply_adds)),
            "sum-overflow" => yes(order == "first-first"),
            "nan-of-zero-times-infinity" | "nan-of-infinities" => {
                text(match self.get("nan", "x86") {
                    "x86" => "ffc00000",
                    _ => "7fc00000",
                })
            }
            // Those that are added up before `c` is.
            "T_blk_fma_width" => match (from_c, to_nearest) {
                (_, false) if chain > 1 => None,
                (_, false) => text(">= 2"),
                (true, _) => text("1"),
                (false, _) if chain > 1 => text(&k.to_string()),
                (false, _) => text(&format!(">= {k}")),
            },
            "T_pres_extra_acc" => yes(!from_c && k > 2),
            "T_acc_order" | "summation-tree" if !to_nearest => None,
            "T_acc_order" => yes(!from_c),
            "summation-tree" => Some(self.tree(order, k, chain)),
            "accumulation-order" => text("as given"),
            "normalised-differences" => text("each sum"),
            // Where every operation is rounded there is no alignment to be described.
            "extra-bits" | "normalised-sums" | "carry-bits" | "product-rounding" | "c-rounding" => {
                None
            }
            // c is added first, or the sum of the products has 24 bits below half an ulp.
            "sum-precision" => text("47").filter(|_| to_nearest && !from_c),
            "product-precision" | "late-product-precision" | "c-precision" => {
                Some(self.precision(feature, order, k, chain))
            }
            other => panic!("what is `{other}` of a dot instruction?"),
        }
    }

    /// The tree as formula.
    fn tree(&self, order: &str, k: usize, chain: usize) -> String {
        let sequence = |first: String, products: &mut dyn Iterator<Item = usize>| {
            products.fold(first, |sum, k| format!("({sum} #{k})"))
        };
        let alone = |products: Vec<usize>| {
            let (first, others) = products.split_first().unwrap();
            sequence(format!("#{first}"), &mut others.iter().copied())
        };
        match order {
            "first-first" => sequence("c".into(), &mut (0..k)),
            "last-first" => sequence("c".into(), &mut (0..k).rev()),
            "late" => format!("(c {})", alone((0..k).collect())),
            "even-odd" => {
                let even = alone((0..k).step_by(2).collect());
                let odd = alone((1..k).step_by(2).collect());
                format!("(c ({even} {odd}))")
            }
            "pairwise" | "fused" => (0..chain).fold("c".to_owned(), |sum, link| {
                format!("({sum} (#{} #{}))", 2 * link, 2 * link + 1)
            }),
            other => panic!("{other}"),
        }
    }

    /// How many bits of something small count beside -1 and 1: as many as a sum with one of them has, or all
    /// where the two meet first.
    fn precision(&self, feature: &str, order: &str, k: usize, chain: usize) -> String {
        let all = ">= 64";
        match (feature, order) {
            ("c-precision", "last-first") => "23".into(),
            ("c-precision", "first-first") => "24".into(),
            ("c-precision", _) => all.into(),
            ("product-precision", "last-first") => "24".into(),
            ("product-precision", "first-first") => all.into(),
            ("product-precision", _) if chain > 1 => format!("23 (#1), {all} (#2..#3)"),
            ("product-precision", _) => "23".into(),
            // The even ones are -1 and the small one.
            ("late-product-precision", "even-odd") => "24".into(),
            ("late-product-precision", _) => {
                assert!(k > 2 || chain > 1);
                all.into()
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The rows of floating point of the processors that the tables have.
fn rows() -> Vec<(String, String)> {
    let of = |architecture: &'static Architecture| {
        let rows = architecture.rows.iter();
        let floats = rows.filter(|row| row.model.starts_with("cpu:"));
        floats.map(|row| {
            (
                format!("{}/{}", row.architecture, row.name),
                row.model.clone(),
            )
        })
    };
    let rows: Vec<_> = architectures().unwrap().iter().flat_map(of).collect();
    assert!(rows.len() >= 15, "{rows:?}");
    rows
}

#[test]
fn what_is_said_of_processors_is_true_of_their_parameters() {
    let (mut said, mut wrong) = (0, Vec::new());
    for (row, spec) in rows() {
        let parameters = Parameters::of(&spec);
        for outcome in answers(&row, &[]).0 {
            let test = outcome.test.name;
            let found = match outcome.answer {
                TestAnswer::Found(found) => found,
                TestAnswer::Undecided(_) | TestAnswer::NotApplicable(_) => continue,
                other => panic!("{row}: {test}: {other:?}"),
            };
            said += 1;
            let shown = match &found.tree {
                Some(_) => found.shows.replace("summands are added as ", ""),
                None => found.value.to_string(),
            };
            let expected = parameters.expected(test);
            if Some(&shown) != expected.as_ref() {
                wrong.push(format!("{row}: {test} is {shown}, expected {expected:?}"));
            }
            assert!(!found.shows.contains("payload"), "{row}: {}", found.shows);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(said > 300, "{said}");
}
