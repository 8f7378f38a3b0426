//! One file of the source: which modules it declares, which paths it names, and what it passes on.

use crate::tokens::tokens;
use std::collections::{BTreeMap, BTreeSet};

/// The path of a module or an item from the root of the crate.
pub type Path = Vec<String>;

pub struct Source {
    pub module: Path,
    pub children: BTreeSet<String>,
    /// What it imports or names.
    pub used: Vec<Path>,
    /// The names that it passes on (`pub use`), with where they are from.
    pub passed_on: BTreeMap<String, Path>,
    /// Whether it holds more than declarations of modules and imports.
    pub has_content: bool,
}

impl Source {
    pub fn read(module: Path, text: &str) -> Self {
        let tokens = tokens(text);
        let mut source = Source {
            children: children(&tokens),
            module,
            used: Vec::new(),
            passed_on: BTreeMap::new(),
            has_content: false,
        };
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at].as_str();
            let next = tokens.get(at + 1).map(String::as_str);
            match (token, next) {
                ("#", Some("[" | "!")) => at = closing(&tokens, at),
                ("use", _) => {
                    let is_public = at > 0 && matches!(tokens[at - 1].as_str(), "pub" | ")");
                    at = source.import(&tokens, at + 1, is_public);
                }
                ("mod", _) if tokens.get(at + 2).is_some_and(|token| token == ";") => at += 3,
                ("pub", Some("(")) => at = closing(&tokens, at + 1),
                ("pub", Some("use" | "mod")) => at += 1,
                (_, Some("::")) if !follows(&tokens, at) && source.is_local(token) => {
                    source.has_content = true;
                    let mut found = Vec::new();
                    at = tree(&tokens, at, &[], &mut found);
                    let named = found.into_iter().map(|(_, path)| source.absolute(path));
                    let named: Vec<_> = named.collect();
                    source.used.extend(named);
                }
                _ => {
                    source.has_content = true;
                    at += 1;
                }
            }
        }
        source.use_what_is_passed_on(&tokens);
        source
    }

    fn import(&mut self, tokens: &[String], at: usize, is_public: bool) -> usize {
        let mut found = Vec::new();
        let end = tree(tokens, at, &[], &mut found);
        for (name, path) in found {
            if !self.is_local(&path[0]) {
                continue;
            }
            let path = self.absolute(path);
            if is_public {
                self.passed_on.insert(name, path);
            } else {
                self.used.push(path);
            }
        }
        end + 1
    }

    /// What it passes on and names besides is used as well.
    fn use_what_is_passed_on(&mut self, tokens: &[String]) {
        for (name, path) in &self.passed_on {
            let count = tokens.iter().filter(|token| *token == name).count();
            if self.has_content && count > 1 {
                self.used.push(path.clone());
            }
        }
    }

    fn is_local(&self, first: &str) -> bool {
        is_root(first) || matches!(first, "super" | "self") || self.children.contains(first)
    }

    fn absolute(&self, path: Path) -> Path {
        let mut absolute = self.module.clone();
        for segment in path {
            match segment.as_str() {
                root if is_root(root) => absolute.clear(),
                "self" | "*" => (),
                "super" => drop(absolute.pop()),
                _ => absolute.push(segment),
            }
        }
        absolute
    }
}

fn is_root(segment: &str) -> bool {
    matches!(
        segment,
        "crate"
            | "mmasmt_certificates"
            | "mmasmt_columns"
            | "mmasmt_core"
            | "mmasmt_explain"
            | "mmasmt_numbers"
            | "mmasmt_questions"
    )
}

fn children(tokens: &[String]) -> BTreeSet<String> {
    let declared = tokens
        .windows(3)
        .filter(|some| some[0] == "mod" && some[2] == ";");
    declared.map(|some| some[1].clone()).collect()
}

fn follows(tokens: &[String], at: usize) -> bool {
    at > 0 && tokens[at - 1] == "::"
}

/// The place after the bracket that closes the first one from there on.
fn closing(tokens: &[String], at: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(at) {
        match token.as_str() {
            "[" | "(" => depth += 1,
            "]" | ")" => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Every path of the tree of an import, with the name that it gets; the place after the tree.
fn tree(tokens: &[String], at: usize, before: &[String], found: &mut Vec<(String, Path)>) -> usize {
    let mut path = before.to_vec();
    let mut at = at;
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    loop {
        if token(at) == "{" {
            at += 1;
            while !matches!(token(at), "}" | "") {
                at = tree(tokens, at, &path, found);
                at += usize::from(token(at) == ",");
            }
            return at + 1;
        }
        path.push(token(at).into());
        at += 1;
        if token(at) != "::" {
            break;
        }
        at += 1;
    }
    let last = path.iter().rfind(|segment| *segment != "self");
    let mut name = last.cloned().unwrap_or_default();
    if token(at) == "as" {
        name = token(at + 1).into();
        at += 2;
    }
    found.push((name, path));
    at
}
