//! Maps the ports of a design to operands, and computes the result after the operands were held for
//! some cycles.

use super::btor2::{Btor2Kind, Btor2Word, File, Reference};
use super::error::DesignError;
use super::operations::read;
use mmasmt_core::machines::algorithms::{Operand, OperandRow, Signature};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::bits::circuit::{Circuit, CircuitBits, Port, literal};
use num_bigint::BigUint;
use num_traits::Num;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The most cycles that a pipeline may take.
const MOST_CYCLES: u32 = 64;

/// The names of the ports, the ports that are held at a value, and the number of cycles until the
/// result is ready.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignPorts {
    rows: BTreeMap<String, String>,
    held: BTreeMap<String, BigUint>,
    latency: u32,
}

/// The result's name in port maps.
const RESULT: &str = "d";

/// The ports of a design that hold a row of operands.
enum Place {
    /// One port, with the first operand in the low bits.
    Packed(usize),
    /// One port for each operand.
    Each(Vec<usize>),
}

impl DesignPorts {
    /// Parses `ROW=PORT`, `PORT=NUMBER` (decimal, or hexadecimal after `0x`) and `latency=CYCLES`,
    /// separated by commas.
    ///
    /// # Errors
    /// If the text does not follow this grammar.
    pub fn parse(text: &str) -> Result<DesignPorts, DesignError> {
        let mut ports = DesignPorts::default();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let wrong = || DesignError::Map(part.trim().into());
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let (name, value) = (name.trim(), value.trim());
            if name.is_empty() || value.is_empty() {
                return Err(wrong());
            }
            if name == "latency" {
                let cycles = value.parse().ok().filter(|cycles| *cycles <= MOST_CYCLES);
                ports.latency = cycles.ok_or_else(wrong)?;
            } else if name == RESULT || Operand::named(name).is_some() {
                ports.rows.insert(name.into(), value.into());
            } else {
                let number = match value.strip_prefix("0x") {
                    Some(digits) => BigUint::from_str_radix(digits, 16),
                    None => BigUint::from_str_radix(value, 10),
                };
                ports.held.insert(name.into(), number.map_err(|_| wrong())?);
            }
        }
        Ok(ports)
    }

    /// The circuit that computes the result from the registers of the operands.
    pub(super) fn circuit(
        &self,
        file: &File,
        signature: &Signature,
    ) -> Result<Circuit, DesignError> {
        file.check()?;
        let mut places = Vec::new();
        let mut registers = Vec::new();
        for row in signature.rows() {
            places.push((row, self.place(file, &row)?));
            let name = |index| format!("{}{index}", row.operand.name());
            let ports = (0..row.length).map(|index| Port::new(name(index), row.format.width()));
            registers.extend(ports);
        }
        let result = self.result(file, signature)?;
        // The inputs of the circuit are the operands' registers, then the other free words of the
        // file: inputs and states.
        let mut others = Vec::new();
        let mut named = registers.clone();
        for (index, word) in file.words.iter().enumerate() {
            let is_free = match word.kind {
                Btor2Kind::Input => {
                    !is_placed(&places, index) && !self.held.contains_key(&word.symbol)
                }
                Btor2Kind::State => true,
                _ => false,
            };
            if is_free {
                others.push(index);
                named.push(Port::new(format!("other{index}"), word.width));
            }
        }
        let circuit = Circuit::record(named, |inputs| {
            let (given, free) = inputs.split_at(registers.len());
            let free: FxHashMap<usize, CircuitBits> =
                others.iter().copied().zip(free.iter().copied()).collect();
            let d = self.after_cycles(file, &given_at(&places, given), &free, result);
            vec![(RESULT.to_owned(), d.id())]
        })
        .simplified();
        let (_, root) = circuit.outputs()[0];
        for input in circuit.inputs_of(root) {
            if let Some(index) = (input as usize).checked_sub(registers.len()) {
                return Err(self.depends(&file.words[others[index]]));
            }
        }
        Ok(circuit.with_inputs(registers))
    }

    /// The result after the operands were held for `latency` cycles.
    fn after_cycles(
        &self,
        file: &File,
        given: &FxHashMap<usize, CircuitBits>,
        free: &FxHashMap<usize, CircuitBits>,
        result: Reference,
    ) -> CircuitBits {
        let mut registers: FxHashMap<usize, CircuitBits> = FxHashMap::default();
        let mut values = Vec::new();
        for cycle in 0..=self.latency {
            values = file.values(|index, word| {
                let known = registers.get(&index).or_else(|| given.get(&index));
                let known = known.or_else(|| free.get(&index)).copied();
                known.unwrap_or_else(|| {
                    let nothing = BigUint::ZERO;
                    let held = self.held.get(&word.symbol).unwrap_or(&nothing);
                    let all = BigUint::from(1u32) << word.width;
                    literal(word.width, &(held % all))
                })
            });
            if cycle < self.latency {
                let next = file.next.iter();
                registers = next
                    .map(|(state, of)| (*state, read(&values, *of)))
                    .collect();
            }
        }
        read(&values, result)
    }

    fn depends(&self, word: &Btor2Word) -> DesignError {
        let symbol = word.symbol.trim_start_matches('\\').to_owned();
        match word.kind {
            Btor2Kind::State => DesignError::State {
                register: if symbol.is_empty() {
                    format!("of line {}", word.line)
                } else {
                    symbol
                },
                latency: self.latency,
            },
            _ if symbol.is_empty() => DesignError::Free(format!("an input (line {})", word.line)),
            _ => DesignError::Free(symbol),
        }
    }

    /// Finds the ports of a row of operands.
    fn place(&self, file: &File, row: &OperandRow) -> Result<Place, DesignError> {
        let name = row.operand.name();
        let base = self.rows.get(name).map_or(name, String::as_str);
        let (length, width) = (row.length as u32, row.format.width());
        let find = |name: &str| {
            let mut words = file.words.iter();
            words.position(|word| matches!(word.kind, Btor2Kind::Input) && word.symbol == name)
        };
        let check = |index: usize, expected: u32| {
            let Btor2Word { width, symbol, .. } = &file.words[index];
            if *width == expected {
                Ok(())
            } else {
                Err(DesignError::Width {
                    port: symbol.clone(),
                    row: name.into(),
                    expected,
                    found: *width,
                })
            }
        };
        if let Some(index) = find(base) {
            check(index, length * width)?;
            return Ok(Place::Packed(index));
        }
        let spellings = [
            |base: &str, k: u32| format!("{base}{k}"),
            |base: &str, k: u32| format!("{base}_{k}"),
            |base: &str, k: u32| format!("{base}[{k}]"),
        ];
        for spelling in spellings {
            let each: Option<Vec<usize>> = (0..length).map(|k| find(&spelling(base, k))).collect();
            if let Some(each) = each {
                each.iter().try_for_each(|index| check(*index, width))?;
                return Ok(Place::Each(each));
            }
        }
        let inputs = file.words.iter();
        let inputs = inputs.filter(|word| matches!(word.kind, Btor2Kind::Input));
        let found: Vec<String> = inputs
            .map(|word| format!("{} ({} bits)", word.symbol, word.width))
            .collect();
        Err(DesignError::NoPort {
            row: name,
            expected: format!(
                "{base} of {} bits, or {base}0 to {base}{} of {width} bits",
                length * width,
                length - 1
            ),
            found: listed(found),
        })
    }

    /// The output that holds the result: the output with the name of the result, or else the only
    /// output.
    fn result(&self, file: &File, signature: &Signature) -> Result<Reference, DesignError> {
        let name = self.rows.get(RESULT).map_or(RESULT, String::as_str);
        let named = file.outputs.iter().find(|(symbol, _)| symbol == name);
        let only = match (&file.outputs[..], self.rows.contains_key(RESULT)) {
            ([only], false) => Some(only),
            _ => None,
        };
        let expected = signature.d.width();
        let Some((symbol, of)) = named.or(only) else {
            let found = file.outputs.iter();
            let found =
                found.map(|(symbol, of)| format!("{symbol} ({} bits)", file.words[of.index].width));
            return Err(DesignError::NoPort {
                row: RESULT,
                expected: format!("an output {name} of {expected} bits"),
                found: listed(found.collect()),
            });
        };
        let found = file.words[of.index].width;
        if found == expected {
            Ok(*of)
        } else {
            Err(DesignError::Width {
                port: symbol.clone(),
                row: RESULT.into(),
                expected,
                found,
            })
        }
    }
}

fn listed(names: Vec<String>) -> String {
    if names.is_empty() {
        "none".into()
    } else {
        names.join(", ")
    }
}

fn is_placed(places: &[(OperandRow, Place)], index: usize) -> bool {
    places.iter().any(|(_, place)| match place {
        Place::Packed(port) => *port == index,
        Place::Each(ports) => ports.contains(&index),
    })
}

/// The values of the operands at the ports, by the index of the port.
fn given_at(
    places: &[(OperandRow, Place)],
    registers: &[CircuitBits],
) -> FxHashMap<usize, CircuitBits> {
    let mut given = FxHashMap::default();
    let mut rest = registers;
    for (row, place) in places {
        let (own, others) = rest.split_at(row.length);
        rest = others;
        match place {
            Place::Each(ports) => given.extend(ports.iter().copied().zip(own.iter().copied())),
            Place::Packed(port) => {
                let all = own[1..].iter();
                let packed = all.fold(own[0], |low, high| high.concat(&low));
                given.insert(*port, packed);
            }
        }
    }
    given
}
