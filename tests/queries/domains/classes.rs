//! Classes of operands with the same assumptions: each register is asked about once.

use mmasmt_core::numbers::float::Format;
use mmasmt_questions::claims::property::{Class, Classes, OperandAssumptions};
use std::cell::Cell;

#[test]
fn a_register_of_a_narrow_format_is_asked_about_once() {
    let said = |format: Format, clauses: &[usize], by_register: bool| OperandAssumptions {
        format,
        clauses: clauses.to_vec(),
        by_register,
    };
    // Two operands of one class, one with other clauses, one whose clauses depend on its place,
    // one of a wide format, one without clauses.
    let all = || {
        vec![
            said(Format::F16, &[0], true),
            said(Format::F16, &[0], true),
            said(Format::F16, &[0, 1], true),
            said(Format::F16, &[2], false),
            said(Format::F32, &[0], true),
            said(Format::F16, &[], true),
        ]
    };
    let count = Cell::new(0);
    let asked = |class: &Class, register: u64| {
        class.admits(register, || {
            count.set(count.get() + 1);
            register % 2 == 1
        })
    };
    let classes = Classes::default();
    for (operand, expected) in [
        (0, 2),
        (1, 0),
        (0, 0),
        (2, 2),
        (2, 0),
        (3, 2),
        (3, 2),
        (4, 2),
        (4, 2),
    ] {
        let class = classes.of(operand, all);
        assert!(asked(class, 1) && !asked(class, 0xfffe) && !class.is_free());
        assert_eq!(count.take(), expected, "{operand}");
    }
    assert!(classes.of(5, all).is_free());
    // A copy has no answers, so it asks again.
    assert!(asked(classes.clone().of(0, all), 1));
    assert_eq!(count.take(), 1);
}

#[test]
fn what_a_register_is_brought_to_and_whether_it_is_admitted_do_not_mix() {
    let all = || {
        vec![OperandAssumptions {
            format: Format::F16,
            clauses: vec![0],
            by_register: true,
        }]
    };
    let classes = Classes::default();
    let class = classes.of(0, all);
    assert_eq!(class.brings(3, || 0xffff), 0xffff);
    assert!(!class.admits(3, || false) && !class.admits(3, || true));
    assert_eq!(class.brings(3, || 0), 0xffff);
    assert!(class.admits(0xffff, || true) && class.admits(0xffff, || false));
    assert_eq!(class.brings(0xffff, || 0), 0);
}
