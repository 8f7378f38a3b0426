//! placeholder
use mmasmt::model::Model;
use mmasmt::vectors::*;
use std::path::Path;
fn run(index: &str, variant: Option<&str>) {
    let entries = read_index(Path::new(index)).unwrap();
    let (mut p, mut f, mut none) = (0, 0, 0);
    for e in entries {
        let Some(row) = e.row().unwrap() else {
            none += 1;
            continue;
        };
        let text = format!(
            "{}/{}{}",
            row.architecture,
            row.name,
            variant.map_or(String::new(), |v| format!("@{v}"))
        );
        let m = match Model::parse(&text) {
            Ok(m) => m,
            Err(x) => {
                println!("{x}");
                continue;
            }
        };
        let r = check_file(
            &m,
            std::io::BufReader::new(std::fs::File::open(&e.path).unwrap()),
            2,
        )
        .unwrap();
        if r.failed > 0 {
            println!(
                "{} {} {}: {} {} {}",
                e.path.display(),
                m,
                m.canonical(),
                r.passed,
                r.failed,
                m.widest()
            );
            for x in &r.failures {
                println!(
                    "   line {} computed {:x} want {:x}",
                    x.line, x.computed, x.vector.d
                );
            }
        }
        p += r.passed;
        f += r.failed;
    }
    println!("{index}: {p} passed {f} failed {none} no row");
}
#[test]
fn hw() {
    run("../shared/hardware-vectors/index.tsv", None);
}
#[test]
fn hwr() {
    run("../shared/hardware-vectors/reported/index.tsv", None);
}
#[test]
fn sim() {
    run("../shared/mma-sim-vectors/index.tsv", Some("mma-sim"));
}
