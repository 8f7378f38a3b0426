//! The papers' tables: each cell as published, or with the reason why not.

use super::is;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::probe::{Cell, PublishedTable, published_tables};

fn table(name: &str) -> PublishedTable {
    let mut tables = published_tables().unwrap().into_iter();
    tables.find(|table| table.name == name).unwrap()
}

/// How many cells agree and how many differ; a cell that differs has a reason, and no other has.
fn compare(name: &str) -> (usize, usize) {
    let table = table(name);
    let (mut agree, mut differ) = (0, 0);
    for row in &table.rows {
        assert_eq!(
            row.cells.len(),
            table.columns.len(),
            "{} {}",
            row.inputs,
            row.gpu
        );
        let cells = table.cells(row).unwrap();
        assert_eq!(cells.len(), table.columns.len());
        for (column, cell) in table.columns.iter().zip(&cells) {
            let place = format!("{name}: {} {}, {column}: {cell:?}", row.inputs, row.gpu);
            assert_ne!(cell.computed, "inconsistent", "{place}");
            assert_eq!(!cell.agrees(), row.differs.contains_key(column), "{place}");
            match cell.agrees() {
                true => agree += 1,
                false => differ += 1,
            }
        }
        for column in row.differs.keys() {
            assert!(table.columns.contains(column), "{column}");
        }
    }
    (agree, differ)
}

#[test]
fn fttn_table_4() {
    assert_eq!(compare("fttn"), (93, 12));
}

/// `wmma` of H100 is two instructions of four products in TF32; `mma` is one of eight, and not what Table IV
/// is of.
#[test]
fn the_width_of_tf32_on_h100_is_that_of_wmma() {
    is(
        "hopper/wmma.m16n16k8.f32.tf32.tf32.f32",
        "T_blk_fma_width",
        "4",
    );
    is(
        "hopper/mma.m16n8k8.f32.tf32.tf32.f32",
        "T_blk_fma_width",
        ">= 8",
    );
}

#[test]
fn conclusions_of_fasi_and_others() {
    assert_eq!(compare("fasi"), (49, 5));
}

#[test]
fn what_mma_sim_says_of_its_algorithms() {
    assert_eq!(compare("mma-sim"), (84, 0));
}

#[test]
fn cells_with_a_bound_agree_from_it_on() {
    let cell = |published: &str, computed: &str| Cell {
        published: published.into(),
        computed: computed.into(),
    };
    assert!(cell(">= 2", "2").agrees() && cell(">= 2", ">= 16").agrees());
    assert!(!cell(">= 2", "1").agrees() && !cell(">= 2", "N.A.").agrees());
    assert!(cell("-", "anything").agrees() && !cell("yes", "no").agrees());
    assert!(!cell("3", ">= 4").agrees());
}

/// Another model in place of the right one is noticed.
#[test]
fn a_wrong_model_differs() {
    let mut table = table("fttn");
    for wrong in ["fda:F=24,K=4,chain=4", "fda:F=25,K=4,chain=4", "gps:K=16"] {
        let row = &mut table.rows[0];
        row.model = wrong.into();
        assert!(Model::parse(wrong).is_ok());
        let row = table.rows[0].clone();
        assert!(
            table.cells(&row).unwrap().iter().any(|cell| !cell.agrees()),
            "{wrong}"
        );
    }
}
