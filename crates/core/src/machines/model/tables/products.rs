//! Products by which people name an architecture: `H100`, `RTX 4090`, `gfx942`, `zen4`.

use super::row::Architecture;

/// Products and compiler targets of each architecture, beside the products that its table names. A
/// product is listed only if, according to the vendor, its matrix unit has this architecture and
/// the same compute capability or target. The evidence of the rows says on which products results
/// were recorded.
const PRODUCTS: &[(&str, &[&str])] = &[
    ("volta", &["Titan V", "Quadro GV100", "sm_70"]),
    (
        "turing",
        &[
            "RTX 2060",
            "RTX 2070",
            "RTX 2080",
            "Titan RTX",
            "Quadro RTX",
            "Quadro RTX 3000",
            "Quadro RTX 4000",
            "Quadro RTX 5000",
            "Quadro RTX 6000",
            "Quadro RTX 8000",
            "sm_75",
        ],
    ),
    (
        "ampere",
        &[
            "A10",
            "A10G",
            "A16",
            "A30",
            "A40",
            "A800",
            "RTX 3050",
            "RTX 3060",
            "RTX 3070",
            "RTX 3080",
            "RTX 3090",
            "RTX A2000",
            "RTX A4000",
            "RTX A5000",
            "A4000",
            "A5000",
            "A6000",
            "sm_80",
            "sm_86",
        ],
    ),
    (
        "ada",
        &[
            "L4",
            "L40",
            "RTX 4050",
            "RTX 4060",
            "RTX 4070",
            "RTX 4080",
            "RTX 6000 Ada",
            "sm_89",
        ],
    ),
    ("hopper", &["H800", "H20", "GH200", "sm_90", "sm_90a"]),
    ("blackwell", &["B100", "GB200", "sm_100", "sm_100a"]),
    (
        "rtx-blackwell",
        &[
            "RTX 5050",
            "RTX 5060",
            "RTX 5070",
            "RTX 5080",
            "RTX 5090",
            "RTX PRO 4000 Blackwell",
            "RTX PRO 5000 Blackwell",
            "RTX PRO 4000",
            "RTX PRO 5000",
            "RTX PRO 6000",
            "sm_120",
            "sm_120a",
        ],
    ),
    ("blackwell-ultra", &["sm_103", "sm_103a"]),
    ("cdna1", &["gfx908"]),
    ("cdna2", &["MI200", "MI250", "gfx90a"]),
    ("cdna3", &["MI300", "MI308X", "MI325X", "gfx942"]),
    ("cdna4", &["MI350", "gfx950"]),
    (
        "rdna3",
        &[
            "RX 7900", "RX 7800", "RX 7700", "RX 7600", "W7900", "W7800", "gfx1100",
        ],
    ),
    ("rdna4", &["RX 9070", "RX 9060", "R9700", "gfx1201"]),
    ("gaudi2", &["HL-225B", "HL-225H"]),
    ("gaudi3", &["HL-325L"]),
    (
        "x86",
        &[
            "Zen 4",
            "Zen 5",
            "EPYC 9004",
            "Sapphire Rapids",
            "Emerald Rapids",
            "Granite Rapids",
        ],
    ),
];

/// Products of which nothing is recorded, by a word of their names: their compute capability, and the
/// architecture with the nearest one.
const NEAR: [(&str, &str, &str); 2] = [
    ("orin", "8.7", "ampere (8.0 and 8.6)"),
    ("gb10", "12.1", "rtx-blackwell (12.0)"),
];

/// Words for vendors and product lines, which do not identify the architecture.
const VENDORS: [&str; 10] = [
    "nvidia",
    "amd",
    "intel",
    "geforce",
    "radeon",
    "instinct",
    "tesla",
    "tenstorrent",
    "graphics",
    "device",
];

/// Vendors: the words that name one, and the architectures of its products.
const MAKERS: [(&[&str], &[&str]); 4] = [
    (
        &["nvidia", "tesla", "geforce", "quadro"],
        &[
            "volta",
            "turing",
            "ampere",
            "ada",
            "hopper",
            "blackwell",
            "rtx-blackwell",
            "blackwell-ultra",
            "cublas",
        ],
    ),
    (
        &["amd", "radeon", "instinct"],
        &[
            "cdna1", "cdna2", "cdna3", "cdna4", "rdna3", "rdna4", "gfx1250", "x86",
        ],
    ),
    (&["intel"], &["x86", "amx-fp8", "gaudi2", "gaudi3"]),
    (&["tenstorrent"], &["wormhole", "blackhole"]),
];

/// All names of an architecture: its name, its title, and its products.
pub fn names(architecture: &Architecture) -> impl Iterator<Item = &str> {
    let listed = PRODUCTS.iter().find(|(name, _)| *name == architecture.name);
    let listed = listed.map(|(_, products)| *products).unwrap_or_default();
    let (name, title) = (architecture.name.as_str(), architecture.title.as_str());
    let title = Some(title).filter(|title| !title.eq_ignore_ascii_case(name));
    let products = architecture.gpus.iter().map(String::as_str);
    std::iter::once(name)
        .chain(title)
        .chain(products)
        .chain(listed.iter().copied())
}

/// Whether `name` is one of the [names] of an architecture, in any case and spelling, with or
/// without the vendor. More words may stand behind a product: `NVIDIA H100 80GB HBM3`,
/// `a100-sxm4-80gb`.
pub fn means(architecture: &Architecture, name: &str) -> bool {
    if name.contains(['/', '(', ':', '@']) {
        return false;
    }
    if is_of_another_maker(architecture, name) {
        return false;
    }
    let given = words(name);
    // `5090` is enough for an RTX 5090.
    let is_number =
        |word: &String| word.len() >= 4 && word.bytes().all(|digit| digit.is_ascii_digit());
    names(architecture).any(|known| {
        let known = words(known);
        if given.len() == 1 && is_number(&given[0]) {
            // An RTX 6000 may be a Quadro, of Ada, or a PRO.
            let is_one_of_several = known.iter().any(|word| word == "quadro" || word == "pro");
            return known.last() == given.first() && !is_one_of_several;
        }
        let is_product = known
            .iter()
            .any(|word| word.contains(|letter: char| letter.is_ascii_digit()));
        given.concat() == known.concat() || is_product && given.starts_with(&known)
    })
}

/// Whether the name has a word for a vendor, and the architecture is one of another vendor's.
fn is_of_another_maker(architecture: &Architecture, name: &str) -> bool {
    let of = |makes: &[&str]| makes.contains(&architecture.name.as_str());
    let (mut own, mut any) = (false, false);
    for (words, makes) in MAKERS {
        if all_words(name).any(|word| words.contains(&word.as_str())) {
            any = true;
            own |= of(makes);
        }
    }
    any && !own && MAKERS.iter().any(|(_, makes)| of(makes))
}

/// What is wrong with the name of a GPU of NVIDIA without tensor cores, or with one that such a GPU shares
/// with another machine; `None` if it is no such name.
pub(super) fn without_tensor_cores(name: &str) -> Option<String> {
    if name == "P100" {
        return Some(
            "the name of two machines: expected `blackhole` or `Tenstorrent P100` for that card, as NVIDIA's Tesla P100 (Pascal) has no tensor cores".into(),
        );
    }
    let all: Vec<String> = all_words(name).collect();
    let (makers, _) = MAKERS[0];
    let is_said = all.iter().any(|word| makers.contains(&word.as_str()));
    let mut generations = all.iter().enumerate().filter_map(|(place, word)| {
        let (letter, number) = word.split_at_checked(1)?;
        let number: u32 = number.parse().ok()?;
        match (letter, number) {
            ("p", _) if is_said => Some("Pascal"),
            ("m", _) if is_said => Some("Maxwell"),
            ("k", _) if is_said => Some("Kepler"),
            _ => {
                let is_gtx = place > 0 && all[place - 1] == "gtx";
                let series = word.parse().ok().filter(|_: &u32| is_gtx)?;
                match series {
                    600..800 => Some("Kepler"),
                    900..1000 => Some("Maxwell"),
                    1000..1100 => Some("Pascal"),
                    1600..1700 => Some("Turing of the GTX line"),
                    _ => None,
                }
            }
        }
    });
    let generation = generations.next()?;
    Some(format!(
        "a GPU of NVIDIA without tensor cores ({generation}): expected one of Volta or later (`mmasmt models` lists machines)"
    ))
}

/// Which architecture is nearest to a product of which nothing is recorded.
pub(super) fn without_recordings(name: &str) -> Option<String> {
    let is_named = |(word, ..): &&(&str, &str, &str)| all_words(name).any(|own| own == *word);
    let (_, capability, near) = NEAR.iter().find(is_named)?;
    Some(format!(
        "a GPU of compute capability {capability}, of which nothing is recorded: the nearest that is known is {near}"
    ))
}

/// The words of a name: letters and digits in lower case.
fn all_words(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase)
}

/// The words of a name without the vendor.
fn words(name: &str) -> Vec<String> {
    all_words(name)
        .filter(|word| !VENDORS.contains(&word.as_str()))
        .collect()
}
