//! Other names of formats: those of NumPy and ml_dtypes, PyTorch, OCP, vendors and C.

use super::format::Format;

/// Other names of formats, in lower case and without `_`, `-` and spaces.
pub const OTHER_NAMES: &[(&str, Format)] = &[
    ("fp16", Format::F16),
    ("float16", Format::F16),
    ("half", Format::F16),
    ("binary16", Format::F16),
    ("bfloat16", Format::BF16),
    ("tfloat32", Format::TF32),
    ("fp32", Format::F32),
    ("float32", Format::F32),
    ("float", Format::F32),
    ("single", Format::F32),
    ("binary32", Format::F32),
    ("fp64", Format::F64),
    ("float64", Format::F64),
    ("double", Format::F64),
    ("binary64", Format::F64),
    ("fp8e4m3", Format::E4M3),
    ("e4m3fn", Format::E4M3),
    ("float8e4m3", Format::E4M3),
    ("float8e4m3fn", Format::E4M3),
    ("fp8e5m2", Format::E5M2),
    ("float8e5m2", Format::E5M2),
    ("fp8e4m3fnuz", Format::E4M3FNUZ),
    ("float8e4m3fnuz", Format::E4M3FNUZ),
    ("fp8e5m2fnuz", Format::E5M2FNUZ),
    ("float8e5m2fnuz", Format::E5M2FNUZ),
    ("fp6e2m3", Format::E2M3),
    ("e2m3fn", Format::E2M3),
    ("float6e2m3fn", Format::E2M3),
    ("fp6e3m2", Format::E3M2),
    ("e3m2fn", Format::E3M2),
    ("float6e3m2fn", Format::E3M2),
    ("fp4", Format::E2M1),
    ("fp4e2m1", Format::E2M1),
    ("e2m1fn", Format::E2M1),
    ("float4e2m1fn", Format::E2M1),
    ("float4e2m1fnx2", Format::E2M1),
    ("e8m0", Format::UE8M0),
    ("e8m0fnu", Format::UE8M0),
    ("float8e8m0fnu", Format::UE8M0),
];

/// Formats with block scales: the name, the format of the factors, the format of the scales, and
/// how many factors share one scale (OCP Microscaling 1.0, table 1; NVFP4 as in PTX ISA
/// `kind::mxf4nvf4`, `scale_vec::4X`; AMD's bfp16ebs8; Tenstorrent's block floating point).
const SCALED: &[(&str, Format, Format, u32)] = &[
    ("nvfp4", Format::E2M1, Format::UE4M3, 16),
    ("mxfp4", Format::E2M1, Format::UE8M0, 32),
    ("mxfp6e2m3", Format::E2M3, Format::UE8M0, 32),
    ("mxfp6e3m2", Format::E3M2, Format::UE8M0, 32),
    ("mxfp8", Format::E4M3, Format::UE8M0, 32),
    ("mxfp8e4m3", Format::E4M3, Format::UE8M0, 32),
    ("mxfp8e5m2", Format::E5M2, Format::UE8M0, 32),
    ("mxint8", Format::I2F6, Format::UE8M0, 32),
    ("bfp16ebs8", Format::I2F6, Format::UE8M0, 8),
    ("bfp8", Format::E1M6, Format::UE8M0, 16),
    ("bfp4", Format::E1M2, Format::UE8M0, 16),
    ("bfp2", Format::E1M0, Format::UE8M0, 16),
];

/// Names that stand for several formats, the most common one first.
const FAMILIES: &[(&str, &[Format])] = &[
    (
        "fp8",
        &[
            Format::E4M3,
            Format::E4M3FNUZ,
            Format::E5M2,
            Format::E5M2FNUZ,
        ],
    ),
    ("bf8", &[Format::E5M2, Format::E5M2FNUZ]),
    ("fp6", &[Format::E2M3, Format::E3M2]),
    ("int8", &[Format::S8, Format::U8]),
    ("int4", &[Format::S4, Format::U4]),
];

/// `name` in lower case, with only its letters and digits.
fn bare(name: &str) -> String {
    let kept = name.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|letter| letter.to_ascii_lowercase()).collect()
}

impl Format {
    /// The format with this name, which may be its [name](Format::name) in any case or another name
    /// that is in use, such as `fp16` or `float8_e4m3fn`. A name that stands for several formats,
    /// such as `fp8`, gives `None`.
    pub fn known_as(name: &str) -> Option<Format> {
        let name = bare(name);
        let mut other = OTHER_NAMES.iter();
        Format::named(&name)
            .or_else(|| Format::scale_named(&name))
            .or_else(|| other.find_map(|(known, format)| (*known == name).then_some(*format)))
    }

    /// All formats that this name may stand for, the most common one first: several for a name such
    /// as `fp8`, otherwise the one format that the name is [known as](Format::known_as).
    pub fn all_known_as(name: &str) -> Vec<Format> {
        let bare = bare(name);
        let family = FAMILIES.iter().find(|(known, _)| *known == bare);
        match family {
            Some((_, formats)) => formats.to_vec(),
            None => Format::known_as(name).into_iter().collect(),
        }
    }

    /// The format of the factors, the format of the scales and the number of factors per scale of a
    /// format with block scales, such as `nvfp4` or `mxfp8`.
    pub fn scaled_known_as(name: &str) -> Option<(Format, Format, u32)> {
        let name = bare(name);
        let scaled = SCALED.iter().find(|(known, ..)| *known == name);
        scaled.map(|(_, factors, scales, block)| (*factors, *scales, *block))
    }

    /// The name of the format with block scales that has these factors, scales, and this number of
    /// factors per scale: `nvfp4`.
    pub fn scaled_name(factors: Format, scales: Format, block: u32) -> Option<&'static str> {
        let wanted = (factors, scales, block);
        let mut all = SCALED.iter().rev();
        all.find_map(|&(name, factors, scales, block)| {
            ((factors, scales, block) == wanted).then_some(name)
        })
    }
}
