//! The rows of operands of a signature.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_core::machines::model::Model;

#[test]
fn every_way_to_iterate_meets_the_same_rows() {
    for operand in Operand::ALL {
        assert_eq!(Operand::named(operand.name()), Some(operand));
    }
    for (spec, count) in [("fda:K=6", 3), ("fda:K=6,in=e2m1,scale=ue8m0,block=4", 5)] {
        let signature = Model::parse(spec).unwrap().signature();
        let rows: Vec<_> = signature.rows().collect();
        assert_eq!(rows.len(), count);
        let mut sorted: Vec<_> = signature.rows_in_line().collect();
        sorted.sort_by_key(|row| Operand::ALL.iter().position(|known| *known == row.operand));
        assert_eq!(sorted, rows);
        assert_eq!(signature.further_rows().collect::<Vec<_>>(), rows[3..]);
        let inputs = Inputs::zero(&signature);
        let all = rows.iter().map(|row| (row.format, inputs.row(row.operand)));
        let all = all.flat_map(|(format, row)| row.iter().map(move |bits| (format, bits)));
        assert!(all.eq(inputs.each(&signature)));
    }
}
