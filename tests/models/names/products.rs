//! Products by which people name an architecture.

use mmasmt_core::machines::model::products::{means, names};
use mmasmt_core::machines::model::{architectures, find_architecture};

#[test]
fn products_name_their_architecture_as_people_write_them() {
    for (name, architecture) in [
        ("H100", "hopper"),
        ("a100", "ampere"),
        ("A100-SXM4-80GB", "ampere"),
        ("NVIDIA H100 80GB HBM3", "hopper"),
        ("b200", "blackwell"),
        ("mi300x", "cdna3"),
        ("AMD Instinct MI300X", "cdna3"),
        ("RTX 4090", "ada"),
        ("rtx4090", "ada"),
        ("GeForce RTX 5090", "rtx-blackwell"),
        ("RTX 6000 Ada Generation", "ada"),
        ("zen4", "x86"),
        ("sm_90a", "hopper"),
        ("Hopper", "hopper"),
        ("Ada Lovelace", "ada"),
        ("RX 9070 XT", "rdna4"),
        ("5090", "rtx-blackwell"),
        ("4090", "ada"),
        ("Tesla V100-SXM2-16GB", "volta"),
        ("Tesla T4", "turing"),
        ("Quadro RTX 6000", "turing"),
        ("NVIDIA Quadro RTX 8000", "turing"),
        ("Quadro RTX 5000 with Max-Q Design", "turing"),
        ("Quadro GV100", "volta"),
        ("p100", "blackhole"),
        ("Tenstorrent P100", "blackhole"),
        ("Intel Gaudi 3", "gaudi3"),
        ("AMD Zen 4", "x86"),
        ("Intel Sapphire Rapids", "x86"),
        ("NVIDIA A10G", "ampere"),
        ("A6000", "ampere"),
        ("NVIDIA RTX PRO 6000", "rtx-blackwell"),
    ] {
        let found = find_architecture(name).map(|found| found.name.as_str());
        assert_eq!(found, Ok(architecture), "{name}");
    }
}

#[test]
fn no_product_names_two_architectures() {
    for architecture in architectures().unwrap() {
        for name in names(architecture) {
            let all = architectures().unwrap().iter();
            let meant: Vec<_> = all
                .filter(|one| means(one, name))
                .map(|one| &one.name)
                .collect();
            assert_eq!(meant, [&architecture.name], "{name}");
        }
    }
}

#[test]
fn a_vendor_has_no_product_of_another_one() {
    for (name, said) in [
        ("Tesla P100-PCIE-16GB", "without tensor cores (Pascal)"),
        ("NVIDIA P100", "without tensor cores (Pascal)"),
        ("P100", "the name of two machines"),
        ("Tesla P40", "without tensor cores (Pascal)"),
        ("Quadro M6000", "without tensor cores (Maxwell)"),
        ("Tesla K80", "without tensor cores (Kepler)"),
        (
            "NVIDIA GeForce GTX 1080 Ti",
            "without tensor cores (Pascal)",
        ),
        ("GTX 1660", "Turing of the GTX line"),
        ("NVIDIA MI300X", "unknown architecture"),
        ("AMD H100", "unknown architecture"),
        ("Intel A100", "unknown architecture"),
        ("Radeon RTX 4090", "unknown architecture"),
        ("6000", "unknown architecture"),
        ("NVIDIA GB10", "the nearest that is known is rtx-blackwell"),
        ("Jetson AGX Orin", "compute capability 8.7"),
    ] {
        let error = find_architecture(name).map(|found| &found.name);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(said), "{name}: {error}");
    }
}

#[test]
fn an_instruction_or_two_words_are_no_architecture() {
    for name in [
        "hopper/wgmma",
        "H100/HMMA.16816.F32",
        "arm wrestling",
        "hopper x",
        "",
    ] {
        assert!(find_architecture(name).is_err(), "{name}");
    }
}

#[test]
fn an_unknown_product_gets_near_names() {
    let error = find_architecture("H10").unwrap_err().to_string();
    assert!(error.contains("did you mean `H100`"), "{error}");
}
