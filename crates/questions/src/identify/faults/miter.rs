//! Inputs that show a fault, by the solver: the circuit beside its copy with a stuck gate.

use super::circuit::{Fault, UnitCircuit};
use crate::claims::query::blasted_inputs;
use crate::solver::engine::SatSolver;
use crate::solver::proof::{ClauseSink, Cnf, encode};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::{Gate, Netlist, Signal, SignalBits, Wire};
use mmasmt_numbers::bits::{Mux, Prop};
use rustc_hash::FxHashMap;

/// The solver's verdict on a fault.
pub(super) enum FaultVerdict {
    Shown(Inputs),
    /// No inputs show it.
    Hidden,
    Open,
}

/// Looks for inputs in the domain of the circuit that show the fault.
pub(super) fn search(circuit: &UnitCircuit, fault: Fault, limits: &Limits) -> FaultVerdict {
    let gates = circuit.netlist.gates();
    let (netlist, (places, root)) = Netlist::of(|| {
        let registers = blasted_inputs(&circuit.signature);
        let inputs: FxHashMap<u32, &SignalBits> = circuit.by_number(&registers).collect();
        let none = Signal::constant(false);
        let input = |number, bit: u32| {
            let register = inputs.get(&number);
            register.map_or(none, |register| register.signals()[bit as usize])
        };
        let mut good: Vec<Signal> = Vec::with_capacity(gates.len());
        for gate in gates {
            good.push(copy(*gate, &good, input));
        }
        let faulty = with_fault(circuit, &good, fault, input);
        let differ = circuit.outputs.iter().map(|wire| {
            let [own, other] = [&good, &faulty].map(|signals| of(*wire, signals));
            own.xor(&other)
        });
        let differ = differ.fold(Signal::constant(false), |any, one| any.or(&one));
        let root = differ.and(&circuit.domain.holds(&registers));
        let places = inputs
            .iter()
            .map(|(number, register)| (*number, register.wires()));
        (places.collect::<FxHashMap<_, _>>(), root.wire())
    });
    if let Some(false) = root.as_constant() {
        return FaultVerdict::Hidden;
    }
    let mut cnf = Cnf::default();
    let variables = encode(&netlist, root, &mut cnf);
    let mut solver = SatSolver::new("default");
    cnf.iter().for_each(|clause| solver.add_clause(clause));
    match solver.solve(Vec::new(), limits) {
        None => FaultVerdict::Open,
        Some(false) => FaultVerdict::Hidden,
        Some(true) => FaultVerdict::Shown(circuit.inputs(|input, bit| {
            let wire = places.get(&input).map(|wires| wires[bit as usize]);
            let literal = wire.map_or(0, |wire| variables.literal(wire));
            literal != 0 && solver.value(literal.abs()) == Some(literal > 0)
        })),
    }
}

/// The signals of a copy in which a gate is stuck: those of the other one where the fault does not reach.
fn with_fault(
    circuit: &UnitCircuit,
    good: &[Signal],
    fault: Fault,
    input: impl Fn(u32, u32) -> Signal + Copy,
) -> Vec<Signal> {
    let mut signals = good.to_vec();
    let mut is_changed = vec![false; good.len()];
    signals[fault.gate] = Signal::constant(fault.is_one);
    is_changed[fault.gate] = true;
    for at in &circuit.needed {
        let gate = circuit.netlist.gates()[*at];
        if *at > fault.gate && gate.operands().any(|wire| is_changed[wire.gate()]) {
            signals[*at] = copy(gate, &signals, input);
            is_changed[*at] = true;
        }
    }
    signals
}

fn of(wire: Wire, signals: &[Signal]) -> Signal {
    let signal = signals[wire.gate()];
    match wire.is_negated() {
        true => signal.not(),
        false => signal,
    }
}

fn copy(gate: Gate, signals: &[Signal], input: impl Fn(u32, u32) -> Signal) -> Signal {
    let of = |wire| of(wire, signals);
    match gate {
        Gate::False => Signal::constant(false),
        Gate::Input { input: number, bit } => input(number, bit),
        Gate::And(a, b) => of(a).and(&of(b)),
        Gate::Xor(a, b) => of(a).xor(&of(b)),
        Gate::Mux(c, t, e) => Signal::mux(&of(c), &of(t), &of(e)),
    }
}
