//! Translates entries of a scheme index. An entry names a vector file and the scheme that computed
//! its results; it becomes the text of a composition that gives the same results.

/// The positions of the columns in a scheme index.
pub(super) struct SchemeColumns {
    scheme: usize,
    unit: usize,
    spec: usize,
    unit_format: usize,
    step: usize,
    products: usize,
}

impl SchemeColumns {
    /// Finds each column by its name.
    pub(super) fn of<E>(column: impl Fn(&'static str) -> Result<usize, E>) -> Result<Self, E> {
        Ok(SchemeColumns {
            scheme: column("scheme")?,
            unit: column("unit")?,
            spec: column("spec")?,
            unit_format: column("unit_format")?,
            step: column("step")?,
            products: column("K")?,
        })
    }

    pub(super) fn scheme<'x>(&self, fields: &[&'x str]) -> &'x str {
        fields[self.scheme]
    }

    pub(super) fn unit<'x>(&self, fields: &[&'x str]) -> &'x str {
        fields[self.unit]
    }
}

/// For each scheme: its name in indices, its name in this program, and its keys in this program.
const SCHEMES: &[(&str, &str, &str)] = &[
    ("markidis", "markidis", ""),
    ("markidis-small-first", "markidis", "order=small-first"),
    ("markidis-interleaved", "markidis", "order=interleaved"),
    ("ootomo-yokota", "ootomo-yokota", ""),
    ("ootomo-yokota-rz", "ootomo-yokota", "main=inside"),
    ("ootomo-yokota-tf32", "ootomo-yokota", ""),
    ("eq24", "eq24", ""),
    ("eq24-low-low", "eq24", "low=kept"),
    ("cutlass-3xtf32", "cutlass-3xtf32", ""),
    ("cutlass-4xtf32", "cutlass-3xtf32", "low=kept"),
    ("triton-tf32x3", "triton-tf32x3", ""),
    ("triton-tf32x3-bk16", "triton-tf32x3", "block=16"),
    ("triton-tf32x3-old", "triton-tf32x3", "c=inside,nan=kept"),
    ("triton-bf16x3", "triton-bf16x3", ""),
    ("triton-bf16x6", "triton-bf16x6", ""),
    ("xla-bf16x3", "xla-bf16x3", "c=none"),
    ("xla-bf16x6", "xla-bf16x6", "c=none"),
    ("xla-bf16x9", "xla-bf16x9", "c=none"),
    ("xla-tf32x3", "xla-tf32x3", "c=none"),
    ("plain-f16", "plain", ""),
    ("plain-bf16", "plain", ""),
    ("plain-tf32-rz", "plain", "round=rz"),
    ("plain-tf32-rna", "plain", "round=rna"),
];

/// The text of the composition that an entry names; `None` if the scheme or its unit is unknown.
pub(super) fn composition(columns: &SchemeColumns, fields: &[&str]) -> Option<String> {
    let (scheme, products) = (columns.scheme(fields), fields[columns.products]);
    if scheme == "f32-fma" {
        return Some(format!("ieee:in=f32,order=fma,K={products},nan=any"));
    }
    let unit = unit(
        fields[columns.spec],
        fields[columns.unit_format],
        fields[columns.step],
    )?;
    if let Some(every) = scheme.strip_prefix("promote-") {
        return Some(format!("promote({unit}):K={products},every={every}"));
    }
    let (_, name, keys) = SCHEMES.iter().find(|(known, _, _)| *known == scheme)?;
    let comma = if keys.is_empty() { "" } else { "," };
    Some(format!("{name}({unit}):K={products}{comma}{keys}"))
}

/// The text of the model of one instruction, which sums `step` products of `format` by a chain of
/// fused dot-adds of the unit `spec`; `None` if `spec` or `step` is not understood.
fn unit(spec: &str, format: &str, step: &str) -> Option<String> {
    let mut products = None;
    let mut keys = Vec::new();
    for key in spec.strip_prefix("fda:")?.split(',') {
        keys.push(match key.split_once('=')? {
            ("floor", exponent) => format!("emin={exponent}"),
            ("out", "e8m13") => "out=f32,frac=13".into(),
            ("K", count) => {
                products = Some(count.parse::<u32>().ok()?);
                format!("K={count}")
            }
            (key, value) => format!("{key}={value}"),
        });
    }
    let links = step.parse::<u32>().ok()?.checked_div(products?)?;
    Some(format!("fda:in={format},chain={links},{}", keys.join(",")))
}
