//! A machine that answers as an argument, `run:COMMAND`, `cpu:INSTRUCTION`, `gpu:NUMBER:INSTRUCTION` or `model:MODEL`: the same
//! as with `--runner`.

use super::runner::answers;
use clap::Command;
use std::ffi::OsString;

/// The commands that ask a machine.
const COMMANDS: [&str; 5] = ["check", "identify", "learn", "probe", "run"];

/// The arguments of the program with `--runner` before a machine that is an argument; `identify` then asks it.
pub(super) fn with_runner(command: &Command, arguments: Vec<OsString>) -> Vec<OsString> {
    let positional = |command: &Command, from: usize| positional(command, &arguments, from);
    let found = positional(command, 1).into_iter().next();
    let own = found.and_then(|place| {
        let name = arguments[place].to_str()?;
        Some((place, command.find_subcommand(name)?))
    });
    let Some((place, own)) = own.filter(|(_, own)| COMMANDS.contains(&own.get_name())) else {
        return arguments;
    };
    let machines = positional(own, place + 1).into_iter().filter(|place| {
        let text = arguments[*place].to_str().unwrap_or_default();
        answers(text)
    });
    let machines: Vec<usize> = machines.collect();
    let asks = arguments.iter().any(|word| word == "--closed-loop");
    let mut all: Vec<OsString> = Vec::with_capacity(arguments.len() + 2);
    for (place, argument) in arguments.into_iter().enumerate() {
        if machines.contains(&place) {
            if own.get_name() == "identify" && !asks {
                all.push("--closed-loop".into());
            }
            all.push("--runner".into());
        }
        all.push(argument);
    }
    all
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
                "identify --closed-loop --runner run:./mine --formats f16 --products 4",
            ),
            (
                "identify --closed-loop cpu:x",
                "identify --closed-loop --runner cpu:x",
            ),
            ("learn --runner run:./mine", "learn --runner run:./mine"),
            ("learn -o cpu:x v.txt", "learn -o cpu:x v.txt"),
            ("eval run:x", "eval run:x"),
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
