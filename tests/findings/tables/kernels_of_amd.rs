//! The tables against the matrix instructions that the compiler makes of the kernels for AMD:
//! `kernels/hip/table.tsv`.

use mmasmt_core::machines::model::{find_architecture, find_row};

/// A kernel as compiled for an architecture, and its machine instruction with its modifiers.
struct Kernel {
    architecture: &'static str,
    name: &'static str,
    machine: &'static str,
}

fn kernels() -> impl Iterator<Item = Kernel> {
    let text = include_str!("../../../kernels/hip/table.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
        [architecture, _, name, machine] => Kernel {
            architecture,
            name,
            machine,
        },
        _ => panic!("{line}"),
    })
}

impl Kernel {
    fn is_of_cdna(&self) -> bool {
        self.architecture.starts_with("cdna")
    }

    /// The instruction as a row of CDNA may be called.
    fn instruction_of_cdna(&self) -> String {
        match self.name.strip_prefix("sparse_") {
            Some(sparse) => format!("v_smfmac_{sparse}"),
            None => format!("v_mfma_{}", self.name),
        }
    }

    /// The same of RDNA, and the wavefront: `wmma_i32_16x16x16_iu8_s8_u8_clamp.wave32` is
    /// `v_wmma_i32_16x16x16_iu8.s8.u8.clamp`.
    fn instruction_of_rdna(&self) -> (String, &'static str) {
        let (name, wave) = self.name.split_once('.').unwrap();
        let mut dotted = format!("v_{name}");
        for modifier in ["s4", "u4", "s8", "u8", "clamp"] {
            dotted = dotted.replace(&format!("_{modifier}"), &format!(".{modifier}"));
        }
        (dotted, wave)
    }

    /// The rows that this kernel asks: of the name, or of the name in this wavefront.
    fn rows(&self) -> Vec<String> {
        if self.is_of_cdna() {
            return vec![self.instruction_of_cdna()];
        }
        let (name, wave) = self.instruction_of_rdna();
        vec![format!("{name}.{wave}"), name]
    }
}

#[test]
fn a_kernel_of_cdna_holds_the_one_instruction_of_its_name() {
    for kernel in kernels().filter(Kernel::is_of_cdna) {
        let chip = find_architecture(kernel.architecture).unwrap();
        let by_machine = find_row(chip, kernel.machine).unwrap();
        let by_name = find_row(chip, &kernel.instruction_of_cdna()).unwrap();
        assert_eq!(by_machine.name, by_name.name, "{}", kernel.name);
    }
}

#[test]
fn a_kernel_of_rdna_holds_the_one_instruction_of_its_name_with_its_signs_and_clamp() {
    for kernel in kernels().filter(|kernel| !kernel.is_of_cdna()) {
        let (name, _) = kernel.instruction_of_rdna();
        let mut parts = name.split('.');
        let mut expected = parts.next().unwrap().to_string();
        let (mut signed, mut clamp) = (Vec::new(), "");
        for part in parts {
            match part {
                "clamp" => clamp = " clamp",
                sign => signed.push(u8::from(sign.starts_with('s'))),
            }
        }
        // The assembler writes the signs of factors as the bits of a negation, and none if there is none.
        if let [a, b] = signed[..]
            && (a, b) != (0, 0)
        {
            expected += &format!(" neg_lo:[{a},{b},0]");
        }
        assert_eq!(kernel.machine, expected + clamp, "{}", kernel.name);
    }
}

#[test]
fn every_row_of_amd_has_a_kernel_and_every_kernel_a_row() {
    let kernels: Vec<Kernel> = kernels().collect();
    for architecture in ["cdna1", "cdna2", "cdna3", "rdna3", "rdna4"] {
        let chip = find_architecture(architecture).unwrap();
        let of_chip = || {
            kernels
                .iter()
                .filter(|kernel| kernel.architecture == architecture)
        };
        let is_row = |kernel: &Kernel, row: &str| {
            let found = kernel.rows();
            found
                .iter()
                .any(|name| find_row(chip, name).is_ok_and(|found| found.name == row))
        };
        for row in &chip.rows {
            assert!(
                of_chip().any(|kernel| is_row(kernel, &row.name)),
                "{architecture}/{}",
                row.name
            );
        }
        for kernel in of_chip() {
            let has_row = chip.rows.iter().any(|row| is_row(kernel, &row.name));
            assert!(has_row, "{architecture}: {}", kernel.name);
        }
    }
}
