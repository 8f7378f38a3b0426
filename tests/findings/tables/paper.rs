//! Tables III and IV of Xie et al., typed from the paper: no cell that is not N/A is forgotten.
//!
//! A row whose reading differs from the paper's has that as its variant `@paper`.
//! A cell that the paper leaves blank belongs to the one above it or, in the rows that §IV-D names,
//! below it. `FDA(F=13)` and `CoFDA(F=13)` of FP8 cut f32 results to 13 fraction bits (§IV-C step 5).

use mmasmt_core::machines::model::{Model, find_architecture, find_row};

/// Instructions, and for each architecture the algorithm of their cell.
type Rows = &'static [(
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
)];

const SFMA: &str = "SFMA";
const NVIDIA_F64: &[(&str, &str)] = &[
    ("ampere", SFMA),
    ("ada", SFMA),
    ("hopper", SFMA),
    ("blackwell", SFMA),
    ("rtx-blackwell", SFMA),
];

/// By the names of machine instructions, `f8type` and `f8f6f4type` written out by [`types`].
const TABLE_3: Rows = &[
    (
        &["HMMA.884.F32.F32", "HMMA.884.F32.F16", "HMMA.884.F16.F16"],
        &[("volta", "FDA(F=23)"), ("turing", "FDA(F=24)")],
    ),
    (
        &["HMMA.1688.F32", "HMMA.1688.F16"],
        &[
            ("turing", "FDA(F=24)"),
            ("ampere", "FDA(F=24)"),
            ("ada", "FDA(F=24)"),
            ("hopper", "FDA(F=25)"),
            ("blackwell", "FDA(F=25)"),
            ("rtx-blackwell", "FDA(F=25)"),
        ],
    ),
    (
        &[
            "HMMA.1688.F32.TF32",
            "HMMA.16816.F32",
            "HMMA.16816.F16",
            "HMMA.16816.F32.BF16",
        ],
        &[
            ("ampere", "CoFDA(F=24)"),
            ("ada", "CoFDA(F=24)"),
            ("hopper", "FDA(F=25)"),
            ("blackwell", "FDA(F=25)"),
            ("rtx-blackwell", "FDA(F=25)"),
        ],
    ),
    (
        &["HMMA.1684.F32.TF32", "HMMA.1688.F32.BF16"],
        &[
            ("ampere", "FDA(F=24)"),
            ("ada", "FDA(F=24)"),
            ("hopper", "FDA(F=25)"),
            ("blackwell", "FDA(F=25)"),
            ("rtx-blackwell", "FDA(F=25)"),
        ],
    ),
    (
        &["QMMA.16832.F32.{8}.{8}", "QMMA.16832.F16.{8}.{8}"],
        &[("ada", "CoFDA(F=13)"), ("rtx-blackwell", "FDA(F=25)")],
    ),
    (
        &["QMMA.16816.F32.{8}.{8}", "QMMA.16816.F16.{8}.{8}"],
        &[("ada", "FDA(F=13)"), ("rtx-blackwell", "FDA(F=25)")],
    ),
    (
        &["DMMA.16x8x16", "DMMA.16x8x8", "DMMA.16x8x4"],
        &[("hopper", SFMA)],
    ),
    (
        &[
            "HGMMA.64x8x8.F32.TF32",
            "HGMMA.64x8x16.F32",
            "HGMMA.64x8x16.F16",
            "HGMMA.64x8x16.F32.BF16",
        ],
        &[("hopper", "FDA(F=25)")],
    ),
    (
        &["QGMMA.64x8x32.F32.{8}.{8}", "QGMMA.64x8x32.F16.{8}.{8}"],
        &[("hopper", "FDA(F=13)")],
    ),
    (
        &[
            "QMMA.16832.F32.{864}.{864}",
            "QMMA.16832.F16.{864}.{864}",
            "QMMA.SF.16832.F32.{864}.{864}.E8",
        ],
        &[("rtx-blackwell", "FDA(F=25)")],
    ),
    (
        &[
            "OMMA.SF.16864.F32.E2M1.E2M1.E8",
            "OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X",
        ],
        &[("rtx-blackwell", "GDFS")],
    ),
];

/// The UTC instructions, whose types are in a descriptor, by PTX names and the data types that
/// Appendix B gives them.
const UTC: Rows = &[
    (
        &[
            "tcgen05.mma.m128n8k16.f32.f16.f16",
            "tcgen05.mma.m128n8k16.f16.f16.f16",
            "tcgen05.mma.m128n8k16.f32.bf16.bf16",
            "tcgen05.mma.m128n8k8.f32.tf32.tf32",
            "tcgen05.mma.m128n8k32.f32.{864l}.{864l}",
            "tcgen05.mma.m128n8k32.f16.{864l}.{864l}",
            "tcgen05.mma.block_scale.m128n8k32.block32.f32.{864l}.{864l}.ue8m0",
        ],
        &[("blackwell", "FDA(F=25)")],
    ),
    (
        &[
            "tcgen05.mma.block_scale.m128n8k64.block32.f32.e2m1.e2m1.ue8m0",
            "tcgen05.mma.block_scale.m128n8k64.block16.f32.e2m1.e2m1.ue4m3",
        ],
        &[("blackwell", "GDFS")],
    ),
];

/// By the names without `v_mfma_`, those of CDNA3 unless CDNA3 has none.
const TABLE_4: Rows = &[
    (
        &[
            "f64_16x16x4_f64",
            "f64_4x4x4_4b_f64",
            "f32_32x32x1_2b_f32",
            "f32_16x16x1_4b_f32",
            "f32_4x4x1_16b_f32",
            "f32_32x32x2_f32",
            "f32_16x16x4_f32",
        ],
        &[("cdna2", SFMA), ("cdna3", SFMA)],
    ),
    (&["f32_16x16x8_xf32"], &[("cdna3", "CoFDRDA")]),
    (&["f32_32x32x4_xf32"], &[("cdna3", "FDRDA")]),
    (
        &[
            "f32_32x32x4_2b_{16}",
            "f32_16x16x4_4b_{16}",
            "f32_4x4x4_16b_{16}",
            "f32_32x32x8_{16}",
        ],
        &[("cdna2", "GPS(G=4)"), ("cdna3", "FDRDA")],
    ),
    (
        &["f32_16x16x16_{16}"],
        &[("cdna2", "GPS(G=4)"), ("cdna3", "CoFDRDA")],
    ),
    (
        &[
            "f32_32x32x2bf16",
            "f32_16x16x2bf16",
            "f32_4x4x2bf16",
            "f32_32x32x4bf16",
            "f32_16x16x8bf16",
        ],
        &[("cdna2", "GPS(G=2)")],
    ),
    (&["f32_16x16x32_{amd8}_{amd8}"], &[("cdna3", "CoGFDRDA")]),
    (&["f32_32x32x16_{amd8}_{amd8}"], &[("cdna3", "GFDRDA")]),
];

/// What stands for several types.
fn types(group: &str) -> &'static [&'static str] {
    match group {
        "{8}" => &["E4M3", "E5M2"],
        "{864}" => &["E4M3", "E5M2", "E2M3", "E3M2", "E2M1"],
        "{864l}" => &["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"],
        "{16}" => &["f16", "bf16"],
        "{amd8}" => &["bf8", "fp8"],
        _ => panic!("{group}"),
    }
}

fn expand(pattern: &str) -> Vec<String> {
    let Some(start) = pattern.find('{') else {
        return vec![pattern.to_owned()];
    };
    let end = pattern.find('}').expect(pattern) + 1;
    let choices = types(&pattern[start..end]).iter();
    choices
        .flat_map(|choice| expand(&format!("{}{choice}{}", &pattern[..start], &pattern[end..])))
        .collect()
}

/// What the paper calls the algorithm of a model, written as in its tables.
fn paper_name(model: &Model) -> String {
    let text = model.canonical();
    let (name, keys) = text.split_once(':').unwrap_or((&text, ""));
    let value = |key: &str| {
        let mut pairs = keys.split(',').filter_map(|item| item.split_once('='));
        pairs
            .find(|(known, _)| *known == key)
            .map(|(_, value)| value)
    };
    let chain = if value("chain").is_some() { "Co" } else { "" };
    let name = name.to_uppercase();
    match name.as_str() {
        "FDA" => format!("{chain}FDA(F={})", value("F").expect("F is always said")),
        "GPS" => format!("GPS(G={})", value("G").expect("G is always said")),
        "GDFS" => {
            assert_eq!(value("F"), Some("35"), "§IV-E step 4");
            name
        }
        _ => format!("{chain}{name}"),
    }
}

/// Checks every cell and returns how many there are.
fn check(rows: Rows, prefix: &str) -> usize {
    let mut cells = 0;
    for (patterns, columns) in rows {
        for instruction in patterns.iter().flat_map(|pattern| expand(pattern)) {
            for (architecture, expected) in *columns {
                let name = format!("{prefix}{instruction}");
                let chip = find_architecture(architecture).unwrap();
                let row = find_row(chip, &name).unwrap_or_else(|error| panic!("{error}"));
                let has_paper = row.variants.contains_key("paper");
                let variant = if has_paper { "@paper" } else { "" };
                let model = Model::parse(&format!("{architecture}/{name}{variant}")).unwrap();
                assert_eq!(paper_name(&model), *expected, "{architecture}/{name}");
                let fp8_on_13_bits = expected.contains("F=13") && instruction.contains("F32");
                let cut = model.canonical().contains("frac=13");
                assert_eq!(cut, fp8_on_13_bits, "{architecture}/{name}");
                let cites = |table: &str| row.evidence.iter().any(|line| line.contains(table));
                assert!(
                    cites("Table III") || cites("Table IV"),
                    "{architecture}/{name}"
                );
                cells += 1;
            }
        }
    }
    cells
}

#[test]
fn every_cell_of_table_3_has_its_row() {
    // DMMA.884 is called DMMA.8x8x4 from Hopper on.
    for (architecture, expected) in NVIDIA_F64 {
        let old = ["ampere", "ada"].contains(architecture);
        let name = if old { "DMMA.884" } else { "DMMA.8x8x4" };
        let model = Model::parse(&format!("{architecture}/{name}")).unwrap();
        assert_eq!(paper_name(&model), *expected);
    }
    assert_eq!(
        check(TABLE_3, ""),
        6 + 12 + 20 + 10 + 16 + 16 + 3 + 4 + 8 + 75 + 2
    );
    assert_eq!(check(UTC, ""), 4 + 75 + 2);
}

#[test]
fn every_cell_of_table_4_has_its_row() {
    assert_eq!(check(TABLE_4, "v_mfma_"), 14 + 2 + 16 + 4 + 5 + 8);
}
