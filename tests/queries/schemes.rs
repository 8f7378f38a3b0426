//! Schemes on units: on a unit that is named, and on the row of a machine that fits.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::errors::compare::{needs_unit, on_row, on_unit};

#[test]
fn a_scheme_is_made_of_a_unit() {
    for (scheme, unit, model) in [
        ("markidis", "fda:K=8", "markidis(fda:K=8)"),
        ("promote:every=2", "fda:K=8", "promote(fda:K=8):every=2"),
        ("splitk(_, 4)", "fda", "splitk(fda, 4)"),
        (
            "splitk(repeat(_):K=8, 4)",
            "fda",
            "splitk(repeat(fda):K=8, 4)",
        ),
        (
            "_",
            "cdna3/v_mfma_f32_32x32x8_f16",
            "cdna3/v_mfma_f32_32x32x8_f16",
        ),
        (
            "cdna3/v_mfma_f32_32x32x8_f16",
            "fda",
            "cdna3/v_mfma_f32_32x32x8_f16",
        ),
    ] {
        let made = on_unit(scheme, unit).unwrap();
        assert_eq!(made.to_string(), model, "{scheme} of {unit}");
        Model::parse(model).unwrap();
    }
    assert!(needs_unit("3xtf32") && needs_unit("splitk(_, 4)") && !needs_unit("fda"));
}

#[test]
fn of_an_architecture_a_row_that_fits_is_taken() {
    let (first, _) = on_row("3xtf32", "ampere").unwrap();
    assert!(
        first.to_string().starts_with("3xtf32(ampere/mma."),
        "{first}"
    );
    assert!(on_row("3xtf32", "volta").is_err_and(|error| error.is_about_place()));
    assert!(on_row("3xtf32:x=1", "ampere").is_err_and(|error| !error.is_about_place()));
}

/// On some machines the first row multiplies f64, which few users want.
#[test]
fn of_a_machine_the_instruction_of_f16_with_sums_in_f32_is_meant() {
    for architecture in mmasmt_core::machines::model::architectures().unwrap() {
        let name = &architecture.name;
        let made = on_row("_", name);
        let rows = architecture.rows.iter();
        let signatures = rows.map(|row| {
            Model::parse(&format!("{name}/{}", row.name))
                .unwrap()
                .signature()
        });
        let formats: Vec<_> = signatures
            .map(|of| [of.a, of.b, of.c, of.d].map(|f| f.to_string()))
            .collect();
        let usual = ["f16", "f16", "f32", "f32"].map(String::from);
        let is_known = formats.contains(&usual) || formats.iter().all(|of| *of == formats[0]);
        match made {
            Ok((model, _)) => {
                let of = model.signature();
                let of = [of.a, of.b, of.c, of.d].map(|f| f.to_string());
                assert!(
                    is_known && (of == usual || of == formats[0]),
                    "{name}: {model}"
                );
            }
            Err(error) => {
                let text = error.to_string();
                assert!(
                    !is_known && text.contains("found several"),
                    "{name}: {text}"
                );
            }
        }
    }
    let (model, _) = on_row("promote:every=2", "MI300X").unwrap();
    let model = model.to_string();
    assert!(model.starts_with("promote(cdna3/v_mfma_f32_"), "{model}");
    // The one that `H100/f16` stands for.
    let (model, row) = on_row("_", "H100").unwrap();
    assert_eq!(row.unwrap().name, "wgmma.m64nNk16.f32.f16.f16");
    assert_eq!(model.to_string(), "hopper/wgmma.m64nNk16.f32.f16.f16");
}

#[test]
fn every_model_can_be_made_longer() {
    for text in [
        "fda:K=8",
        "markidis(fda)",
        "promote(fda, every=2)",
        "ieee:K=1,in=f32",
    ] {
        let model = Model::parse(text).unwrap().of_length(32).unwrap();
        assert_eq!(model.signature().products, 32, "{text}");
    }
}
