//! The algorithms that are descriptions: the texts of `models/units`, in the order of the documentation.

/// Names and texts.
pub(super) const ALGORITHMS: &[(&str, &str)] = &[
    ("fda", include_str!("../../../../models/units/fda.unit")),
    ("hmma8", include_str!("../../../../models/units/hmma8.unit")),
    ("sfma", include_str!("../../../../models/units/sfma.unit")),
    ("gps", include_str!("../../../../models/units/gps.unit")),
    ("gdfs", include_str!("../../../../models/units/gdfs.unit")),
    ("fdrda", include_str!("../../../../models/units/fdrda.unit")),
    (
        "gfdrda",
        include_str!("../../../../models/units/gfdrda.unit"),
    ),
    ("exact", include_str!("../../../../models/units/exact.unit")),
    ("ieee", include_str!("../../../../models/units/ieee.unit")),
    ("cpu", include_str!("../../../../models/units/cpu.unit")),
    ("rdna", include_str!("../../../../models/units/rdna.unit")),
    ("gaudi", include_str!("../../../../models/units/gaudi.unit")),
    ("int", include_str!("../../../../models/units/int.unit")),
];
