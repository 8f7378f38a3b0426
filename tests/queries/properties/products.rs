//! Models whose steps show their products.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::{aligns_products, shows_products};

#[test]
fn stages_tell_which_models_show_products() {
    for (model, shows, aligns) in [
        ("fda:K=4,chain=2", true, true),
        ("gfdrda", true, true),
        ("exact", true, true),
        ("gps", true, false),
        ("ieee:order=pairwise", true, false),
        ("ieee:order=fma", false, false),
        ("sfma", false, false),
        ("gdfs", false, false),
        (
            "unit:{unit u { a, b: f16[2] c, d: f32 d = round(fuse(c, a * b) keep 20) to f32 }}",
            true,
            true,
        ),
        (
            "unit:{unit u { a, b: f16[2] c, d: f32 d = round(fuse(cut(a * b) bits 9, c) keep 20) to f32 }}",
            false,
            false,
        ),
        (
            "unit:{unit u { a, b: f16[2] c, d: f32 d = round(fuse(a[0] * b[1], c) keep 20) to f32 }}",
            false,
            false,
        ),
        // Each half of hmma8 has products of factors that were widened.
        ("hmma8", true, true),
    ] {
        let found = Model::parse(model).unwrap();
        let found = (shows_products(&found), aligns_products(&found));
        assert_eq!(found, (shows, aligns), "{model}");
    }
}
