//! A machine that answers as an argument, `run:COMMAND`, `cpu:INSTRUCTION`, `gpu:NUMBER:INSTRUCTION` or `model:MODEL`: the same
//! as with `--runner`; and the options that named one before, which go with the next release.

use super::runner::answers;
use clap::Command;
use std::ffi::OsString;

/// The commands that ask a machine.
const COMMANDS: [&str; 5] = ["check", "identify", "learn", "probe", "run"];

/// The arguments of the program with `--runner` before a machine that is an argument.
pub(super) fn with_runner(command: &Command, arguments: Vec<OsString>) -> Vec<OsString> {
    let found = positional(command, &arguments, 1).into_iter().next();
    let own = found.and_then(|place| {
        let name = arguments[place].to_str()?;
        Some((place, command.find_subcommand(name)?))
    });
    let Some((place, own)) = own.filter(|(_, own)| COMMANDS.contains(&own.get_name())) else {
        return arguments;
    };
    let arguments = without_former(own, arguments, place + 1);
    let machines = positional(own, &arguments, place + 1);
    let machines = machines.into_iter().filter(|place| {
        let text = arguments[*place].to_str().unwrap_or_default();
        answers(text)
    });
    let mut machines: Vec<usize> = machines.collect();
    // `learn` asks the last of two machines; the first is its reference.
    if own.get_name() == "learn" {
        machines = machines.last().copied().into_iter().collect();
    }
    let mut all: Vec<OsString> = Vec::with_capacity(arguments.len() + 2);
    for (place, argument) in arguments.into_iter().enumerate() {
        if machines.contains(&place) {
            all.push("--runner".into());
        }
        all.push(argument);
    }
    all
}

/// The arguments from a place on with machines in place of the options that named them before: `--hidden MODEL` and
/// `--software MODEL` are model:MODEL, and `--device` with the instruction is cpu:INSTRUCTION or gpu:NUMBER:INSTRUCTION.
/// A machine is asked without `--closed-loop`.
fn without_former(own: &Command, mut arguments: Vec<OsString>, from: usize) -> Vec<OsString> {
    let options = arguments.iter().take_while(|word| *word != "--");
    let needless = options
        .enumerate()
        .position(|(place, word)| place >= from && word == "--closed-loop");
    if let Some(place) = needless.filter(|_| own.get_name() == "identify") {
        arguments.remove(place);
    }
    for former in ["hidden", "software"] {
        if let Some((place, model)) = take(&mut arguments, from, former) {
            arguments.insert(place, format!("model:{model}").into());
        }
    }
    let Some((place, device)) = take(&mut arguments, from, "device") else {
        return arguments;
    };
    let instruction = take(&mut arguments, from, "instruction").or_else(|| {
        let place = *positional(own, &arguments, from).first()?;
        let is_named = own.get_name() == "probe";
        let name = arguments[place].to_str().filter(|_| is_named)?.to_owned();
        arguments.remove(place);
        Some((place, name))
    });
    let name = instruction.map_or(String::new(), |(_, name)| name);
    let machine = match device == "cpu" {
        true => format!("cpu:{name}"),
        false => format!("gpu:{device}:{name}"),
    };
    arguments.insert(place.min(arguments.len()), machine.into());
    arguments
}

/// Takes an option with its value out of the arguments from a place on, up to `--`. Returns where it was, and the value.
fn take(arguments: &mut Vec<OsString>, from: usize, long: &str) -> Option<(usize, String)> {
    let option = format!("--{long}");
    let end = arguments.iter().position(|word| word == "--");
    let end = end.unwrap_or(arguments.len());
    let (place, value) = (from..end).find_map(|place| {
        let word = arguments[place].to_str()?.strip_prefix(&option)?;
        match word.strip_prefix('=') {
            Some(value) => Some((place, Some(value.to_owned()))),
            None => word.is_empty().then_some((place, None)),
        }
    })?;
    let value = match value {
        Some(value) => value,
        None if place + 1 < end => arguments.remove(place + 1).into_string().ok()?,
        None => return None,
    };
    arguments.remove(place);
    Some((place, value))
}

/// The places of the arguments that are neither options nor values of them, up to `--`.
fn positional(command: &Command, arguments: &[OsString], from: usize) -> Vec<usize> {
    let mut all = Vec::new();
    let mut is_value = false;
    for (place, argument) in arguments.iter().enumerate().skip(from) {
        let text = argument.to_str().unwrap_or_default();
        let is_option = text.starts_with('-') && text.len() > 1 && !is_value;
        if text == "--" {
            break;
        }
        if !is_option && !is_value {
            all.push(place);
        }
        is_value = is_option && takes_value(command, text);
    }
    all
}

/// True if the next argument is the value of this option.
fn takes_value(command: &Command, option: &str) -> bool {
    let is_it = |argument: &&clap::Arg| match option.strip_prefix("--") {
        Some(long) => {
            argument
                .get_long_and_visible_aliases()
                .is_some_and(|all| all.contains(&long))
                || argument
                    .get_all_aliases()
                    .is_some_and(|all| all.contains(&long))
        }
        None => argument
            .get_short()
            .is_some_and(|short| option == format!("-{short}")),
    };
    let found = command.get_arguments().find(is_it);
    found.is_some_and(|argument| argument.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use super::with_runner;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::ffi::OsString;

    #[test]
    fn a_machine_that_is_an_argument_is_a_runner() {
        let mut command = Cli::command();
        command.build();
        for (line, expected) in [
            (
                "learn cpu:x86/vdpbf16ps",
                "learn --runner cpu:x86/vdpbf16ps",
            ),
            (
                "--memory 1G check fda:K=4 run:./mine --count 3",
                "--memory 1G check fda:K=4 --runner run:./mine --count 3",
            ),
            (
                "identify run:./mine --formats f16 --products 4",
                "identify --runner run:./mine --formats f16 --products 4",
            ),
            ("identify --closed-loop cpu:x", "identify --runner cpu:x"),
            ("learn --runner run:./mine", "learn --runner run:./mine"),
            ("learn -o cpu:x v.txt", "learn -o cpu:x v.txt"),
            (
                "learn --hidden fda:K=4 --json",
                "learn --runner model:fda:K=4 --json",
            ),
            (
                "identify --closed-loop --hidden=fda:K=4 --model fda",
                "identify --runner model:fda:K=4 --model fda",
            ),
            ("run --software fda v.txt", "run --runner model:fda v.txt"),
            (
                "run --device 1 --instruction hopper/x v.txt",
                "run --runner gpu:1:hopper/x v.txt",
            ),
            (
                "learn --instruction x86/y --device cpu",
                "learn --runner cpu:x86/y",
            ),
            ("probe x86/y --device cpu", "probe --runner cpu:x86/y"),
            (
                "learn model:fda run:./mine --json",
                "learn model:fda --runner run:./mine --json",
            ),
            ("learn --hidden", "learn --hidden"),
            ("run -- --software x", "run -- --software x"),
            ("eval run:x", "eval run:x"),
            ("check cpu:in=bf16 v.txt", "check cpu:in=bf16 v.txt"),
            ("run -- run:x", "run -- run:x"),
        ] {
            let words = |line: &str| -> Vec<OsString> {
                ["mmasmt"]
                    .into_iter()
                    .chain(line.split(' '))
                    .map(OsString::from)
                    .collect()
            };
            assert_eq!(
                with_runner(&command, words(line)),
                words(expected),
                "{line}"
            );
        }
    }
}
