//! Descriptions with simpler rules for the codes of NaNs, where these codes do not matter.

use super::Description;
use super::program::{Action, Nan, Program, Round, Slot, ValueKind};
use mmasmt_numbers::float::NanCode;
use std::sync::Arc;

impl Description {
    /// The same description, except that a NaN result may have any code, so that the codes of NaN operands need not be
    /// kept.
    #[must_use]
    pub fn with_any_nan(&self) -> Description {
        let mut program = Program::clone(&self.program);
        for round in rounds(&mut program) {
            round.nan = Nan::Code(NanCode::Any);
        }
        self.with_program(program)
    }

    /// The steps to the result, with a simpler rule for NaNs where it gives the same results for finite operands: if all
    /// operations make the same NaN, the first NaN among the operands of one of them is that NaN.
    #[must_use]
    pub fn of_finite(&self) -> Description {
        let mut program = Program::clone(&self.program);
        if let Some(code) = only_nan(&program) {
            rounds(&mut program).for_each(|round| round.nan = code.clone());
        }
        self.with_program(read_alone(program))
    }

    fn with_program(&self, program: Program) -> Description {
        Description {
            tree: Arc::clone(&self.tree),
            settings: self.settings.clone(),
            program: Arc::new(program),
            for_result: Arc::default(),
            on_words: Arc::default(),
        }
    }
}

/// The steps that round to a format with NaNs, and give one where their number is one: a register in its place may be an
/// ordinary number, which stays.
fn rounds(program: &mut Program) -> impl Iterator<Item = &mut Round> {
    let nodes = program.nodes.iter_mut();
    nodes.filter_map(|node| match (&mut node.action, node.kind) {
        (Action::Round(round), ValueKind::Register(format)) => {
            let is_shown = match &round.nan {
                Nan::First(_, register) => format.is_nan(*register),
                Nan::Code(_) => true,
            };
            let has_nan = round.specials.of(&format).has_nan();
            (has_nan && is_shown).then_some(round)
        }
        _ => None,
    })
}

/// The steps on which the result depends.
fn read_alone(program: Program) -> Program {
    let mut is_read = vec![false; program.nodes.len()];
    is_read[program.result as usize] = true;
    for (number, node) in program.nodes.iter().enumerate().rev() {
        if is_read[number] {
            node.action.each_slot(|slot| is_read[slot as usize] = true);
        }
    }
    let mut count = 0;
    let numbers: Vec<Slot> = is_read
        .iter()
        .map(|is_read| {
            count += Slot::from(*is_read);
            count.saturating_sub(1)
        })
        .collect();
    let mut nodes = Vec::with_capacity(count as usize);
    for (mut node, is_read) in program.nodes.into_iter().zip(is_read) {
        if is_read {
            node.action
                .each_slot_mut(|slot| *slot = numbers[*slot as usize]);
            nodes.push(node);
        }
    }
    Program {
        nodes,
        result: numbers[program.result as usize],
        ..program
    }
}

/// The rule for the code of the only NaN that steps make of finite operands.
fn only_nan(program: &Program) -> Option<Nan> {
    let mut only = None;
    for node in &program.nodes {
        let (round, format) = match (&node.action, node.kind) {
            (Action::Round(round), ValueKind::Register(format)) => (round, format),
            // Its register may be another NaN.
            (Action::Replace { .. }, _) => return None,
            _ => continue,
        };
        let quiet = format.nan(NanCode::Quiet);
        let made = match &round.nan {
            Nan::First(_, register) if *register == quiet => Nan::Code(NanCode::Quiet),
            Nan::First(_, register) => Nan::First(Vec::new(), *register),
            code => code.clone(),
        };
        let is_quiet = match &made {
            Nan::First(_, register) => format.is_nan(*register) && register & quiet == quiet,
            Nan::Code(code) => *code == NanCode::Quiet,
        };
        let own = (format, made);
        if !is_quiet || only.as_ref().is_some_and(|known| *known != own) {
            return None;
        }
        only = Some(own);
    }
    only.map(|(_, code)| code)
}
