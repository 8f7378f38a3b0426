//! The tables against the matrix instructions that the compiler makes of the kernels for AMD:
//! `kernels/hip/table.tsv`.

use mmasmt::model::{find_architecture, find_row};

/// Architecture, name of the kernel, machine instruction.
fn kernels() -> Vec<[&'static str; 3]> {
    let text = include_str!("../../../kernels/hip/table.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [architecture, _, kernel, machine] => [architecture, kernel, machine],
            _ => panic!("{line}"),
        })
        .collect()
}

#[test]
fn a_kernel_holds_the_one_instruction_of_its_name() {
    for [architecture, kernel, machine] in kernels() {
        let chip = find_architecture(architecture).unwrap();
        let by_machine = find_row(chip, machine).unwrap();
        let name = match kernel.strip_prefix("sparse_") {
            Some(sparse) => format!("v_smfmac_{sparse}"),
            None => format!("v_mfma_{kernel}"),
        };
        let by_name = find_row(chip, &name).unwrap();
        assert_eq!(
            by_machine.name, by_name.name,
            "{architecture}: {kernel}, {machine}"
        );
    }
}

#[test]
fn every_row_of_amd_has_a_kernel() {
    for architecture in ["cdna1", "cdna2", "cdna3"] {
        let chip = find_architecture(architecture).unwrap();
        for row in &chip.rows {
            let is_row = |kernel: &[&str; 3]| {
                kernel[0] == architecture
                    && find_row(chip, kernel[2]).is_ok_and(|found| found.name == row.name)
            };
            assert!(kernels().iter().any(is_row), "{architecture}/{}", row.name);
        }
    }
}
