//! The tables `models/*.toml`: every row is a model, says what it stands on, and is named once.

mod kernels_of_amd;
mod machine_code;
mod pages;
mod paper;

use mmasmt_core::machines::model::{Model, architectures, find_architecture, find_row, unmodelled};
use std::collections::HashSet;

#[test]
fn every_row_and_every_variant_of_it_is_a_model() {
    for row in architectures().unwrap().iter().flat_map(|arch| &arch.rows) {
        let name = format!("{}/{}", row.architecture, row.name);
        Model::parse(&name).unwrap();
        for variant in row.variants.keys() {
            Model::parse(&format!("{name}@{variant}")).unwrap();
        }
    }
}

/// Nothing is computed of an instruction of which the formats alone are known.
#[test]
fn what_is_not_known_is_no_model_and_says_so() {
    let mut seen = HashSet::new();
    for architecture in unmodelled().unwrap() {
        assert!(architecture.rows.is_empty(), "{}", architecture.name);
    }
    for architecture in architectures().unwrap().iter().chain(unmodelled().unwrap()) {
        for unknown in &architecture.unknown {
            let name = format!("{}/{}", architecture.name, unknown.name);
            assert!(seen.insert(name.to_lowercase()), "{name} twice");
            let documented = |line: &String| line.starts_with("documentation: ");
            assert!(unknown.evidence.iter().all(documented), "{name}");
            let error = Model::parse(&name).unwrap_err().to_string();
            let said = format!("the arithmetic of `{name}` is not known");
            assert!(error.starts_with(&said), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
    assert!(seen.len() > 40, "{}", seen.len());
}

#[test]
fn every_row_cites_evidence_of_a_known_kind_best_first() {
    let kinds = [
        "recorded",
        "reported",
        "machine code",
        "vendor",
        "documentation",
        "emulator",
        "mma-sim",
        "program",
        "paper",
    ];
    for row in architectures().unwrap().iter().flat_map(|arch| &arch.rows) {
        let ranks: Vec<_> = row
            .evidence
            .iter()
            .map(|evidence| {
                let (kind, source) = evidence.split_once(": ").expect(evidence);
                assert!(!source.is_empty(), "{evidence}");
                kinds
                    .iter()
                    .position(|known| *known == kind)
                    .expect(evidence)
            })
            .collect();
        assert!(
            !ranks.is_empty() && ranks.is_sorted(),
            "{}: {:?}",
            row.name,
            row.evidence
        );
    }
}

#[test]
fn no_name_is_given_twice_on_an_architecture() {
    for architecture in architectures().unwrap() {
        let mut seen = HashSet::new();
        for row in &architecture.rows {
            for name in row.sass.iter().chain([&row.name]) {
                // The wmma form of an instruction shares its machine instruction.
                let shared = row.name.starts_with("wmma") && row.sass.contains(name);
                assert!(
                    shared || seen.insert(name),
                    "{} on {}",
                    name,
                    architecture.name
                );
            }
        }
    }
}

#[test]
fn ptx_and_sass_names_of_an_operation_name_one_row() {
    let same = [
        ("volta", "mma.m8n8k4.f32.f16.f16.f32", "HMMA.884.F32.F32"),
        (
            "ampere",
            "mma.m16n8k16.f32.bf16.bf16.f32",
            "HMMA.16816.F32.BF16",
        ),
        (
            "ada",
            "mma.m16n8k32.f16.e5m2.e4m3.f16",
            "QMMA.16832.F16.E5M2.E4M3",
        ),
        (
            "hopper",
            "wgmma.m64n128k32.f32.e4m3.e5m2",
            "QGMMA.64xNx32.F32.E4M3.E5M2",
        ),
    ];
    for (architecture, ptx, sass) in same {
        let architecture = find_architecture(architecture).unwrap();
        let (by_ptx, by_sass) = (find_row(architecture, ptx), find_row(architecture, sass));
        assert_eq!(by_ptx.unwrap().name, by_sass.unwrap().name);
    }
}

#[test]
fn canonical_specifications_name_the_same_model() {
    for row in architectures().unwrap().iter().flat_map(|arch| &arch.rows) {
        let model = Model::parse(&row.model).unwrap();
        let again = Model::parse(&model.canonical()).unwrap();
        assert_eq!(
            model.algorithm(),
            again.algorithm(),
            "{}",
            model.canonical()
        );
        assert_eq!(model.canonical(), again.canonical());
    }
}
