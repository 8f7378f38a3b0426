//! Formats and signatures by name, and registers as text.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, parse_value, show};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An error that says what was wrong with a value.
pub(crate) fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Models by their names, as of a number of tables.
#[derive(Default)]
struct ModelCache {
    tables: usize,
    models: VecDeque<(String, Arc<Model>)>,
}

thread_local! {
    /// The last models of this thread. No other thread has to be there after a fork.
    static MODELS: RefCell<ModelCache> = RefCell::default();
}

/// How many models a thread keeps.
const MOST_MODELS: usize = 64;

/// How often tables were added: the same name may then be another model.
pub(crate) static TABLES: AtomicUsize = AtomicUsize::new(0);

/// The model of that name, or of that specification.
pub(crate) fn model(name: &str) -> PyResult<Arc<Model>> {
    let tables = TABLES.load(Ordering::Acquire);
    MODELS.with_borrow_mut(|cache| {
        if cache.tables != tables {
            *cache = ModelCache {
                tables,
                ..ModelCache::default()
            };
        }
        let models = &mut cache.models;
        if let Some((_, model)) = models.iter().find(|(one, _)| one == name) {
            return Ok(Arc::clone(model));
        }
        let model = Model::parse(name).map_err(|error| wrong(format!("model: {error}")))?;
        let model = Arc::new(model);
        // A description or a table in a file may be edited.
        if !["unit:", "plan:"].iter().any(|file| name.contains(file)) {
            models.push_front((name.to_owned(), Arc::clone(&model)));
            models.truncate(MOST_MODELS);
        }
        Ok(model)
    })
}

/// The format of that name.
pub(crate) fn format(name: &str) -> PyResult<Format> {
    let found = Format::named(name).or_else(|| Format::scale_named(name));
    found.ok_or_else(|| wrong(format!("format: expected the name of one, found `{name}`")))
}

/// What a model takes and gives: names of formats with their widths, number of products, block of a scale; its algorithm with all parameters.
#[pyfunction]
pub(crate) fn signature<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let model = model(name)?;
    let signature = model.signature();
    let found = PyDict::new(py);
    let formats = [
        ("a", signature.a),
        ("b", signature.b),
        ("c", signature.c),
        ("d", signature.d),
    ];
    for (key, format) in formats {
        found.set_item(key, (format.to_string(), format.width()))?;
    }
    let scales = signature.scales.map(|scales| {
        (
            scales.format.to_string(),
            scales.format.width(),
            scales.block,
        )
    });
    found.set_item("scales", scales)?;
    found.set_item("products", signature.products)?;
    found.set_item("canonical", model.canonical())?;
    let (algorithm, parameters) = model.algorithm().parameters();
    found.set_item("algorithm", algorithm)?;
    found.set_item("parameters", parameters)?;
    Ok(found)
}

/// The register of a value in text: bits, a C99 hexadecimal float, a decimal, inf or nan.
#[pyfunction]
pub(crate) fn parse(format_name: &str, text: &str) -> PyResult<u64> {
    parse_value(&format(format_name)?, text).map_err(wrong)
}

/// The value of a register as text.
#[pyfunction]
pub(crate) fn show_register(format_name: &str, bits: u64) -> PyResult<String> {
    Ok(show(&format(format_name)?, bits))
}
