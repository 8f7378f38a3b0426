//! The text of the description of a unit, from its sums and the words that are chosen.

use super::choices::{FLUSH, FLUSH_PLUS, LearnChoice, NORMALISE, sum, unit};
use super::layout::{Child, SumNode, UnitLayout};
use mmasmt_core::machines::algorithms::Signature;

/// The sums of a unit, all choices, and for each choice the number of its word.
pub(super) struct TextWords<'x> {
    pub layout: &'x UnitLayout,
    pub signature: &'x Signature,
    pub choices: &'x [LearnChoice],
    pub chosen: &'x [u16],
}

impl TextWords<'_> {
    fn unit(&self, choice: usize) -> &str {
        &self.choices[choice].words[usize::from(self.chosen[choice])]
    }

    fn of(&self, node: &SumNode, choice: usize) -> &str {
        self.unit(unit::COUNT + node.class * sum::COUNT + choice)
    }

    /// The text on one line.
    pub fn text(&self) -> String {
        let Signature { a, b, c, d, .. } = self.signature;
        let products = self.layout.products;
        let mut lines = vec![
            format!("a: {a}[{products}]"),
            format!("b: {b}[{products}]"),
            format!("c: {c}"),
            format!("d: {d}"),
        ];
        self.operands(&mut lines);
        for (number, node) in self.layout.sums.iter().enumerate() {
            self.sum(number, node, &mut lines);
        }
        format!("unit learned {{ {}; }}", lines.join("; "))
    }

    fn operands(&self, lines: &mut Vec<String>) {
        let flushed = |choice: usize, name: &str| match self.unit(choice) {
            FLUSH => format!("flush({name})"),
            FLUSH_PLUS => format!("flush({name}) sign plus"),
            _ => name.into(),
        };
        let flushes = [
            (unit::FACTORS, "x", "a"),
            (unit::FACTORS, "y", "b"),
            (unit::ADDEND, self.register_of_c(), "c"),
        ];
        for (choice, to, from) in flushes {
            if !self.unit(choice).is_empty() {
                lines.push(format!("{to} = {}", flushed(choice, from)));
            }
        }
        let cut = self.unit(unit::ADDEND_CUT);
        if !cut.is_empty() {
            lines.push(format!("z = cut({}) {cut}", self.register_of_c()));
        }
        let [x, y, _] = self.names();
        if self.unit(unit::NAN).starts_with("nan first") {
            lines.push(format!("nothing = zero() to {}", self.signature.d));
        }
        let (zeros, form) = (self.unit(unit::FACTOR_ZEROS), self.unit(unit::PRODUCTS));
        if form.starts_with("to ") {
            let tiny = self.unit(unit::PRODUCT_TINY);
            let nan = self.nan(&[format!("{x}[k]"), format!("{y}[k]")], &[]);
            lines.push(format!(
                "for k in 0..{} {{ q[k] = round({x}[k] * {y}[k]) {form} {tiny} {nan}; }}",
                self.layout.products
            ));
            lines.push(format!("p = {}", term("q", zeros)));
        } else if self.has_products() {
            let mut product = format!("{x} * {y}");
            if !zeros.is_empty() {
                lines.push(format!("u = {}", term(x, zeros)));
                lines.push(format!("w = {}", term(y, zeros)));
                product = "u * w".into();
            }
            if form == NORMALISE {
                product = format!("normalise({product})");
            }
            let cap = self.unit(unit::CAP);
            if self.has_special() {
                lines.push(format!("r = {product}"));
                product = "r".into();
            }
            lines.push(match cap {
                "" => format!("p = {product}"),
                cap => format!("p = cap({product}) {cap}"),
            });
        }
    }

    /// Whether the infinities and NaNs of the operands come before those of the sum.
    fn has_special(&self) -> bool {
        let is_number = !self.rounds_products() && self.has_products();
        is_number && !self.unit(unit::SPECIAL).is_empty()
    }

    /// The names of the factors and of the addend: those of the operands where nothing is done.
    fn names(&self) -> [&'static str; 3] {
        let names = |choice: usize, plain, made| match self.unit(choice).is_empty() {
            true => plain,
            false => made,
        };
        let c = match self.unit(unit::ADDEND_CUT).is_empty() {
            true => self.register_of_c(),
            false => "z",
        };
        [
            names(unit::FACTORS, "a", "x"),
            names(unit::FACTORS, "b", "y"),
            c,
        ]
    }

    /// The name of the addend before it is cut.
    fn register_of_c(&self) -> &'static str {
        match (self.unit(unit::ADDEND), self.unit(unit::ADDEND_CUT)) {
            ("", _) => "c",
            (_, "") => "z",
            _ => "e",
        }
    }

    /// Whether the text gives products a name; without one, they stand within their sum.
    fn has_products(&self) -> bool {
        let choices = [unit::FACTOR_ZEROS, unit::PRODUCTS, unit::CAP];
        choices.iter().any(|choice| !self.unit(*choice).is_empty())
            || !self.layout.sums.iter().all(|node| self.is_operation(node))
    }

    /// Whether a sum is exact, of two terms, and rounded: an operation of IEEE 754.
    fn is_operation(&self, node: &SumNode) -> bool {
        node.children.len() == 2 && self.of(node, sum::KEEP).is_empty()
    }

    fn sum(&self, number: usize, node: &SumNode, lines: &mut Vec<String>) {
        let is_last = number + 1 == self.layout.sums.len();
        let out = self.of(node, sum::OUT);
        let inner = match self.of(node, sum::KEEP) {
            "" => format!("sum({})", self.terms(node, true)),
            keep => {
                let options = [sum::BY, sum::LEAST, sum::CARRY, sum::NEGATE, sum::STICKY];
                let options = options.map(|choice| self.of(node, choice));
                let terms = self.terms(node, false);
                let fused = format!("fuse({terms}) {keep} {}", options.join(" "));
                if out.is_empty() && !is_last {
                    return lines.push(format!("s{number} = {fused}"));
                }
                lines.push(format!("t{number} = {fused}"));
                format!("t{number}")
            }
        };
        if is_last {
            return self.result(node, &inner, lines);
        }
        let made = match out {
            "" => inner,
            NORMALISE => format!("normalise({inner})"),
            cut if cut.starts_with("bits ") => format!("cut({inner}) {cut}"),
            round => {
                let options = [sum::FRACTION, sum::TINY, sum::OVERFLOW, sum::SIGN];
                let options = options.map(|choice| self.of(node, choice));
                let nan = self.nan_of(node);
                format!("round({inner}) {round} {} {nan}", options.join(" "))
            }
        };
        lines.push(format!("s{number} = {made}"));
    }

    fn result(&self, node: &SumNode, inner: &str, lines: &mut Vec<String>) {
        let options = [unit::FRACTION, unit::TINY, unit::OVERFLOW, unit::SIGN];
        let options = options.map(|choice| self.unit(choice));
        let mut of = inner.to_owned();
        let nan = self.nan_of(node);
        let via = self.unit(unit::VIA);
        if via.starts_with("to ") {
            let [_, tiny, overflow, sign] = options;
            lines.push(format!("v = round({of}) {via} {tiny} {overflow} {sign}"));
            of = "v".into();
        } else if !via.is_empty() {
            lines.push(format!("v = cut({of}) {via}"));
            of = "v".into();
        }
        if self.has_special() && !via.starts_with("to ") {
            of = format!("special({of}, r, {})", self.register_of_c());
        }
        let (d, by) = (self.signature.d, self.unit(unit::BY));
        lines.push(format!(
            "d = round({of}) to {d} {by} {} {nan}",
            options.join(" ")
        ));
    }

    /// The terms of a sum; runs of products with one distance are written as one slice.
    fn terms(&self, node: &SumNode, is_exact: bool) -> String {
        let [x, y, c] = self.names();
        let is_operation = self.is_operation(node);
        let inline = is_operation && !self.names_products();
        let mut terms: Vec<String> = Vec::new();
        let mut run: Vec<usize> = Vec::new();
        for child in &node.children {
            match child {
                Child::Product(k) if inline => terms.push(format!("{x}[{k}] * {y}[{k}]")),
                // An operation of IEEE 754 takes registers, and no terms with exponents of zeros.
                Child::Product(k) if is_operation && self.rounds_products() => {
                    terms.push(format!("q[{k}]"));
                }
                Child::Product(k) => run.push(*k),
                Child::C => terms.push(self.addend(c, is_exact)),
                Child::Sum(number) => {
                    let is_register = self.of(&self.layout.sums[*number], sum::OUT);
                    let name = format!("s{number}");
                    terms.push(match is_register.starts_with("to ") {
                        true => self.addend(&name, is_exact),
                        false => match self.of(node, sum::OF_SUMS) {
                            keep if is_exact || keep.is_empty() => name,
                            keep => format!("align({name}) {keep}"),
                        },
                    });
                }
            }
        }
        terms.extend(slices(&run));
        let far = self.of(node, sum::FAR);
        if !is_exact && !far.is_empty() && self.of(node, sum::BY) != "by rz" {
            let with_far = |term: &String| match term.starts_with("align(") {
                true => format!("{term} {far}"),
                false => format!("align({term}) {far}"),
            };
            terms = terms.iter().map(with_far).collect();
        }
        terms.join(", ")
    }

    fn names_products(&self) -> bool {
        let choices = [unit::FACTOR_ZEROS, unit::PRODUCTS, unit::CAP];
        choices.iter().any(|choice| !self.unit(*choice).is_empty())
    }

    fn rounds_products(&self) -> bool {
        self.unit(unit::PRODUCTS).starts_with("to ")
    }

    /// A register as a term of a sum.
    fn addend(&self, name: &str, is_exact: bool) -> String {
        let (zeros, widen) = (self.unit(unit::ADDEND_ZEROS), self.unit(unit::WIDEN));
        if is_exact || (zeros.is_empty() && widen.is_empty()) {
            return name.into();
        }
        term(name, &format!("{zeros} {widen}"))
    }

    /// The code of a NaN that a sum gives.
    fn nan_of(&self, node: &SumNode) -> String {
        let [x, y, _] = self.names();
        let (mut factors, mut others) = (Vec::new(), Vec::new());
        for child in &node.children {
            match child {
                Child::Product(k) if self.rounds_products() => others.push(format!("q[{k}]")),
                Child::Product(k) => {
                    factors.push(format!("{x}[{k}]"));
                    factors.push(format!("{y}[{k}]"));
                }
                Child::C => others.push(self.register_of_c().into()),
                Child::Sum(number) => {
                    let out = self.of(&self.layout.sums[*number], sum::OUT);
                    if out.starts_with("to ") {
                        others.push(format!("s{number}"));
                    }
                }
            }
        }
        self.nan(&factors, &others)
    }

    /// The code of a NaN from a product of these factors and other terms.
    fn nan(&self, factors: &[String], others: &[String]) -> String {
        let word = self.unit(unit::NAN);
        let Some((order, code)) = word.split_once(' ').filter(|(order, _)| *order != "nan") else {
            return word.into();
        };
        let mut all: Vec<String> = Vec::new();
        let factors_follow = order.contains("ab") || order.contains("ba");
        for (at, letter) in order.char_indices() {
            let side = |side: usize| factors.iter().skip(side).step_by(2).cloned();
            match letter {
                's' => all.extend_from_slice(others),
                't' => all.extend(others.iter().rev().cloned()),
                // The factors of one product come before those of the next one.
                'a' | 'b' if factors_follow => {
                    let is_first = !order[..at].contains(['a', 'b']);
                    let pairs = factors.chunks(2).filter(|_| is_first);
                    pairs.for_each(|pair| match letter {
                        'a' => all.extend_from_slice(pair),
                        _ => all.extend(pair.iter().rev().cloned()),
                    });
                }
                'a' => all.extend(side(0)),
                _ => all.extend(side(1)),
            }
        }
        match &all[..] {
            [] => "nan quiet".into(),
            all => format!("nan first({}) else {code}", all.join(", ")),
        }
    }
}

fn term(name: &str, options: &str) -> String {
    match options.trim() {
        "" => name.into(),
        options => format!("term({name}) {options}"),
    }
}

/// Products by their numbers, in order, as slices of the row `p`.
fn slices(products: &[usize]) -> Vec<String> {
    let mut all = Vec::new();
    let mut from = 0;
    while from < products.len() {
        let first = products[from];
        let next = products.get(from + 1);
        let step = next.map_or(0, |next| next.saturating_sub(first));
        let mut to = from + 1;
        while step > 0
            && products
                .get(to)
                .is_some_and(|next| *next == products[to - 1] + step)
        {
            to += 1;
        }
        all.push(match (to - from, step) {
            (1, _) => format!("p[{first}]"),
            (_, 1) => format!("p[{first}..{}]", products[to - 1] + 1),
            _ => format!("p[{first}..{} step {step}]", products[to - 1] + 1),
        });
        from = to;
    }
    all
}
