//! The JSON Schema of all that `--json` prints, made of the types of the answers.

use super::json::VectorLine;
use super::{
    agree, atlas, bench, certificate_file, check, check_proof, check_runner, compare, diff,
    distinguish, domains, engines, error_answer, eval, explained, export, fault_coverage, generate,
    identify, learn, least, library, matmul, models, number_formats, plan, probe, queries, run,
    sample, score, scripts, separated, shards, timeouts, tolerance, verdicts, worst,
};
use mmasmt_questions::vectors::write::{LinesHead, SCHEMA};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A name among `$defs`, and the type that it is of.
type Definition = (&'static str, fn(&mut SchemaGenerator) -> Schema);

/// The answers of the commands, which stand in the frame of `schema` and `version`.
const ANSWERS: &[Definition] = &[
    ("distinguish", of::<verdicts::DifferenceAnswer>),
    ("distinguish-asked", of::<distinguish::AskedAnswer>),
    ("diff", of::<diff::DiffAnswer>),
    ("agree", of::<agree::AgreeAnswer>),
    ("atlas", of::<atlas::AtlasAnswer>),
    ("prove", of::<verdicts::ClaimAnswer>),
    ("prove-domains", of::<domains::DomainsAnswer>),
    ("prove-sample", of::<sample::SampleAnswer>),
    ("prove-claim", of::<scripts::ScriptObject>),
    ("prove-queries", of::<library::QueriesAnswer>),
    ("prove-list", of::<queries::ListAnswer>),
    ("least", of::<least::LeastAnswer>),
    ("worst", of::<worst::WorstAnswer>),
    ("worst-drop", of::<worst::FallAnswer>),
    ("compare", of::<compare::ErrorsAnswer>),
    ("compare-bias", of::<compare::BiasAnswer>),
    ("tolerance", of::<tolerance::ToleranceAnswer>),
    ("tolerance-matrices", of::<tolerance::MatricesAnswer>),
    ("eval", of::<eval::EvalAnswer>),
    ("eval-any-bits", of::<eval::AnyBitsAnswer>),
    ("explain", of::<explained::ExplainAnswer>),
    ("check", of::<check::CheckAnswer>),
    ("check-runner", of::<check_runner::RunnerAnswer>),
    ("check-recorded", of::<check::RecordedAnswer>),
    ("check-proof", of::<check_proof::ProofAnswer>),
    (
        "check-certificate",
        of::<certificate_file::CertificateAnswer>,
    ),
    ("probe", of::<probe::ProbeAnswer>),
    ("probe-inputs", of::<probe::InputsAnswer>),
    ("probe-tree", of::<probe::TreeAnswer>),
    ("probe-table", of::<probe::TableAnswer>),
    ("gen", of::<generate::GenAnswer>),
    ("separate", of::<separated::SeparateAnswer>),
    ("mutants", of::<score::MutantsAnswer>),
    ("mutants-faults", of::<fault_coverage::FaultsAnswer>),
    ("identify", of::<identify::IdentifyAnswer>),
    ("learn", of::<learn::LearnAnswer>),
    ("models", of::<models::ModelsAnswer>),
    ("models-show", of::<models::ShowAnswer>),
    ("models-unit", of::<models::UnitAnswer>),
    ("models-variant", of::<models::VariantAnswer>),
    ("algorithms", of::<models::AlgorithmsAnswer>),
    ("engines", of::<engines::EnginesAnswer>),
    ("formats", of::<number_formats::FormatsAnswer>),
    ("run-list", of::<run::TargetsAnswer>),
    ("run-emit-ptx", of::<run::PtxAnswer>),
    ("export", of::<export::ExportAnswer>),
    ("bench", of::<bench::BenchAnswer>),
    ("matmul", of::<matmul::MatmulAnswer>),
    ("plan", of::<plan::PlanAnswer>),
    ("unknown", of::<timeouts::UnknownAnswer>),
    ("error", of::<error_answer::ErrorAnswer>),
];

/// The lines of JSON Lines, which have no frame.
const LINES: &[Definition] = &[
    ("head", of::<LinesHead>),
    ("line", of::<VectorLine>),
    ("stopped", of::<run::StoppedLine>),
    ("share", of::<shards::ShareHeader>),
];

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The schema as JSON.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.with_transform(plain).into_generator();
    let mut names = BTreeMap::new();
    for (name, make) in ANSWERS.iter().chain(LINES) {
        let made = make(&mut generator);
        names.insert(definition_of(made.as_value()), *name);
    }
    let is_answer = |of_type: &str| {
        let name = names.get(of_type);
        name.is_some_and(|name| ANSWERS.iter().any(|(answer, _)| answer == name))
    };
    let mut all: Map<String, Value> = Map::new();
    for (of_type, mut definition) in generator.take_definitions(true) {
        if is_answer(&of_type) {
            frame(&mut definition);
        }
        rename(&mut definition, &names);
        all.insert(named(&of_type, &names), definition);
    }
    all.insert(
        "version".into(),
        json!({ "description": "The program and its version.", "type": "string" }),
    );
    let any = ANSWERS
        .iter()
        .map(|(name, _)| json!({ "$ref": format!("#/$defs/{name}") }));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The objects that `mmasmt --json` prints, by command",
        "anyOf": any.collect::<Vec<_>>(),
        "$defs": all,
    })
}

const DEFINITIONS: &str = "#/$defs/";

/// The name of the definition that a schema refers to.
fn definition_of(schema: &Value) -> String {
    let reference = schema["$ref"].as_str().unwrap_or_default();
    reference.trim_start_matches(DEFINITIONS).to_owned()
}

/// The name of a type in the schema: that of its command, or its own in small letters, without the
/// word that says that it is one of JSON.
fn named(of_type: &str, names: &BTreeMap<String, &str>) -> String {
    if let Some(name) = names.get(of_type) {
        return (*name).to_owned();
    }
    let mut text = String::new();
    for letter in of_type.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    let short = text.strip_suffix("-object").or(text.strip_suffix("-text"));
    short.map_or(text.clone(), str::to_owned)
}

/// Renames the definitions that a schema refers to.
fn rename(schema: &mut Value, names: &BTreeMap<String, &str>) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("$ref") {
                let name = named(&definition_of(&Value::Object(map.clone())), names);
                map.insert("$ref".into(), format!("{DEFINITIONS}{name}").into());
            }
            map.values_mut().for_each(|value| rename(value, names));
        }
        Value::Array(all) => all.iter_mut().for_each(|value| rename(value, names)),
        _ => {}
    }
}

/// Adds the keys that stand around an answer.
fn frame(definition: &mut Value) {
    let around = |list: Value, first: Value, last: Value| match list {
        Value::Array(mut all) => {
            all.insert(0, first);
            all.push(last);
            Value::Array(all)
        }
        other => other,
    };
    let required = definition["required"].take();
    definition["required"] = around(required, "schema".into(), "version".into());
    let mut properties = Map::new();
    properties.insert("schema".into(), json!({ "const": SCHEMA }));
    if let Value::Object(own) = definition["properties"].take() {
        properties.extend(own);
    }
    properties.insert("version".into(), json!({ "$ref": "#/$defs/version" }));
    definition["properties"] = properties.into();
}

/// Makes a schema of a type strict and short: no other keys, no null for a key that is left out, no
/// format of a number. The description comes first, the properties last.
fn plain(schema: &mut Schema) {
    transform_subschemas(&mut plain, schema);
    let Some(map) = schema.as_object_mut() else {
        return;
    };
    map.remove("format");
    if let Some(one) = map.remove("oneOf") {
        map.insert("anyOf".into(), one);
    }
    if let Some(Value::String(text)) = map.get("description") {
        let text = text.replace('\n', " ").replace("`None`", "null");
        map.shift_insert(0, "description".into(), text.into());
    }
    let Some(Value::Object(mut properties)) = map.remove("properties") else {
        return;
    };
    let required = map.get("required").cloned().unwrap_or_default();
    let required = required.as_array().map_or(&[][..], Vec::as_slice);
    for (key, property) in properties.iter_mut() {
        if let Value::Object(property) = property
            && property.remove("nullable").is_none()
            && !required.iter().any(|one| one == key)
        {
            without_null(property);
        }
    }
    map.insert("additionalProperties".into(), false.into());
    map.insert("properties".into(), properties.into());
}

/// Takes null out of a schema of a value or null.
fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &kinds[..] {
            let kind = kind.clone();
            schema.insert("type".into(), kind);
        }
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
        if let [Value::Object(only)] = &any[..] {
            let only = only.clone();
            schema.shift_remove("anyOf");
            schema.extend(only);
        }
    }
}
