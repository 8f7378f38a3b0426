//! Keys of the matrix engine of Gaudi.

use super::doc::bad_value;
use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::{Gaudi, GaudiGeneration, Parameters};
use crate::machines::model::ModelError;
use crate::numbers::float::Format;

const GENERATION: &[(&str, GaudiGeneration)] = &[
    ("gaudi2", GaudiGeneration::Gaudi2),
    ("gaudi3", GaudiGeneration::Gaudi3),
];
const FACTORS: Formats = Formats::Of(&[Format::F16, Format::BF16, Format::TF32, Format::F32]);

pub(super) fn gaudi() -> Table<Gaudi, Parameters> {
    Table {
        name: "gaudi",
        summary: "the matrix engine of Gaudi: products cut on a grid of 46 bits, c added to their sum, rounded once (Gaudi 2, rne); parts of \
             products of eight bits by eight cut on a grid of 24 bits with c (Gaudi 3, rz)",
        source: "HabanaAI/Intel_Gaudi3_Software@e6cef1c3 fs_fma.cpp of Gaudi 2 and 3",
        base: Gaudi {
            generation: GaudiGeneration::Gaudi2,
            a: Format::F16,
            b: Format::F16,
            products: 8,
        },
        keys: Keys::products(1, 16, |p: &mut Gaudi| &mut p.products)
            .factors(FACTORS, |p| &mut p.a, |p| &mut p.b)
            .factors_shown()
            .choice("unit", GENERATION, |p| &mut p.generation)
            .means("the generation; gaudi2 takes f16, bf16 and tf32, gaudi3 f16, tf32 and f32")
            .shown(),
        check,
        make: Parameters::Gaudi,
        params: |parameters| match parameters {
            Parameters::Gaudi(gaudi) => Some(*gaudi),
            _ => None,
        },
    }
}

fn check(p: &Gaudi) -> Result<(), ModelError> {
    let (absent, unit) = match p.generation {
        GaudiGeneration::Gaudi2 => (Format::F32, "gaudi2"),
        GaudiGeneration::Gaudi3 => (Format::BF16, "gaudi3"),
    };
    for (key, format) in [("a", &p.a), ("b", &p.b)] {
        if *format == absent {
            let expected = format!("another format for unit={unit}");
            return Err(bad_value(key, &format.to_string(), &expected));
        }
    }
    Ok(())
}
