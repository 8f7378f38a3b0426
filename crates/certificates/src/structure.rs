//! The conclusion that exchanging neighbouring products gives the same graph of steps.
//!
//! Each step has a key, made of its options and the keys of the steps that it takes, in any order where that does not
//! matter. After an exchange, only steps whose keys change are looked at again.

use crate::atoms::Row;
use crate::steps::{Action, Source, Step};
use crate::unit::Unit;
use crate::{Fails, need};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

/// What a step does, what it takes in this order, and what it takes in any order, with the options of each.
#[derive(Clone)]
struct Shape {
    label: String,
    operand: Option<(Row, usize)>,
    ordered: Vec<usize>,
    loose: Vec<(usize, usize)>,
}

/// The label, the operand, and the keys of what a step takes.
type Key = (
    String,
    Option<(Row, usize)>,
    Vec<usize>,
    Vec<(usize, usize)>,
);

struct Graph {
    shapes: Vec<Shape>,
    users: Vec<Vec<usize>>,
    keys: HashMap<Key, usize>,
    /// The key of each step.
    names: Vec<usize>,
}

impl Graph {
    fn number(&mut self, key: Key) -> usize {
        let next = self.keys.len();
        *self.keys.entry(key).or_insert(next)
    }

    fn key(&self, shape: &Shape, name: impl Fn(usize) -> usize) -> Key {
        let ordered = shape.ordered.iter().map(|of| name(*of)).collect();
        let mut loose: Vec<(usize, usize)> = shape
            .loose
            .iter()
            .map(|(how, of)| (*how, name(*of)))
            .collect();
        loose.sort_unstable();
        (shape.label.clone(), shape.operand, ordered, loose)
    }

    fn name(&self, changed: &HashMap<usize, usize>, of: usize) -> usize {
        changed
            .get(&of)
            .or(self.names.get(of))
            .copied()
            .unwrap_or(usize::MAX)
    }

    /// Fails unless the result has the same key where two products are exchanged.
    fn exchange(
        &mut self,
        result: usize,
        k: usize,
        starts: &HashMap<(Row, usize), Vec<usize>>,
    ) -> Fails<()> {
        let mut changed: HashMap<usize, usize> = HashMap::new();
        let mut todo: BTreeSet<usize> = BTreeSet::new();
        for (one, other) in [(k, k + 1), (k + 1, k)] {
            for row in [Row::A, Row::B] {
                for step in starts.get(&(row, one)).into_iter().flatten() {
                    let Some(shape) = self.shapes.get(*step) else {
                        continue;
                    };
                    let key = (
                        shape.label.clone(),
                        Some((row, other)),
                        Vec::new(),
                        Vec::new(),
                    );
                    let name = self.number(key);
                    changed.insert(*step, name);
                    todo.extend(self.users.get(*step).into_iter().flatten());
                }
            }
        }
        while let Some(step) = todo.pop_first() {
            let Some(shape) = self.shapes.get(step) else {
                continue;
            };
            let is_same = shape
                .ordered
                .iter()
                .all(|of| Some(&self.name(&changed, *of)) == self.names.get(*of));
            let moved: Vec<(usize, usize)> = shape
                .loose
                .iter()
                .filter(|(_, of)| changed.contains_key(of))
                .copied()
                .collect();
            let sorted = |name: &dyn Fn(usize) -> usize| {
                let mut names: Vec<(usize, usize)> =
                    moved.iter().map(|(how, of)| (*how, name(*of))).collect();
                names.sort_unstable();
                names
            };
            let none = HashMap::new();
            if is_same
                && sorted(&|of| self.name(&none, of)) == sorted(&|of| self.name(&changed, of))
            {
                continue;
            }
            need(step != result, || {
                format!(
                    "exchanging products {k} and {} gives another graph of steps",
                    k + 1
                )
            })?;
            let key = self.key(shape, |of| self.name(&changed, of));
            let name = self.number(key);
            changed.insert(step, name);
            todo.extend(self.users.get(step).into_iter().flatten());
        }
        Ok(())
    }
}

/// The text of options without the steps that are taken.
fn options(text: &Value) -> Value {
    let mut text = text.clone();
    if let Some(map) = text.as_object_mut() {
        for key in [
            "of", "x", "y", "terms", "from", "row", "index", "facts", "name",
        ] {
            map.remove(key);
        }
        if let Some(nan) = map.get_mut("nan").and_then(Value::as_object_mut) {
            nan.remove("first");
        }
    }
    text
}

fn shape(step: &Step, text: &Value, labels: &mut HashMap<String, usize>) -> Shape {
    let mut label = options(text).to_string();
    let takes = &step.takes;
    let any = |slots: &[usize]| slots.iter().map(|slot| (0, *slot)).collect::<Vec<_>>();
    let (mut ordered, mut loose) = (Vec::new(), any(takes));
    let mut operand = None;
    match &step.action {
        Action::Operand { row, index } => operand = Some((*row, *index)),
        Action::Special | Action::Replace => {
            ordered = takes.first().copied().into_iter().collect();
            loose = any(takes.get(1..).unwrap_or_default());
        }
        Action::Fuse { against_last, .. } => {
            let terms = text.get("terms").and_then(Value::as_array);
            let each = terms.into_iter().flatten().zip(takes).map(|(term, of)| {
                let next = labels.len();
                (
                    *labels.entry(options(term).to_string()).or_insert(next),
                    *of,
                )
            });
            loose = each.collect();
            ordered = takes
                .last()
                .copied()
                .filter(|_| *against_last)
                .into_iter()
                .collect();
        }
        Action::Round(round) => {
            label += &format!("{:?} {}", round.source, round.first.len());
            ordered = round.first.clone();
            let of = takes.get(..round.source.count()).unwrap_or_default();
            let how = |k: usize| usize::from(round.source == Source::Fma && k == 2);
            loose = of.iter().enumerate().map(|(k, of)| (how(k), *of)).collect();
        }
        _ => {}
    }
    Shape {
        label,
        operand,
        ordered,
        loose,
    }
}

pub(crate) fn check(unit: &Unit<'_>) -> Fails<()> {
    let mut labels = HashMap::new();
    let mut starts: HashMap<(Row, usize), Vec<usize>> = HashMap::new();
    let mut graph = Graph {
        shapes: Vec::new(),
        users: vec![Vec::new(); unit.steps.len()],
        keys: HashMap::new(),
        names: Vec::new(),
    };
    for (number, (step, text)) in unit.steps.iter().zip(unit.texts).enumerate() {
        let shape = shape(step, text, &mut labels);
        if let Some(operand) = shape.operand {
            starts.entry(operand).or_default().push(number);
        }
        for of in &step.takes {
            if let Some(users) = graph
                .users
                .get_mut(*of)
                .filter(|users| users.last() != Some(&number))
            {
                users.push(number);
            }
        }
        let key = graph.key(&shape, |of| graph.name(&HashMap::new(), of));
        let name = graph.number(key);
        graph.names.push(name);
        graph.shapes.push(shape);
    }
    let block = unit.domain.block;
    let pairs = (1..unit.domain.products)
        .map(|k| k - 1)
        .filter(|k| k / block == (k + 1) / block);
    pairs
        .into_iter()
        .try_for_each(|k| graph.exchange(unit.result, k, &starts))
}
