//! The ways in which a command works, each with the options that it uses: an option that is given is used or refused.

mod command_line;
mod table;

use super::error::Error;
use super::notes::note;
pub(super) use command_line::CommandLine;
use mmasmt_numbers::base::excerpt::excerpt;
use std::path::Path;
use table::MODES;

/// The fields of arguments that name a file to write.
const FILES: [&str; 10] = [
    "csv", "dump_cnf", "dump_smt", "html", "next", "out", "proof", "record", "resume", "svg",
];

/// Refuses an option that has no use in the way that the command is called, and one that names a file in no folder.
///
/// # Errors
/// If there is such an option.
pub(super) fn check(given: &CommandLine) -> Result<(), Error> {
    note(given.former.iter().map(|[former, name]| {
        format!("--{former} is {name} now, and goes with the next release")
    }))?;
    refuse_useless(given)?;
    for (id, (long, values)) in &given.all {
        let (Some(long), true) = (long, FILES.contains(&id.as_str())) else {
            continue;
        };
        let goes_out = ["export", "gen", "merge"].contains(&given.command.as_str()) && id == "out";
        if values.iter().any(|value| value == "-") && !goes_out {
            return Err(Error::Usage(format!(
                "--{long}: expected the name of a file, found `-`: standard output has the answer"
            )));
        }
        let folder = values.first().and_then(|value| Path::new(value).parent());
        let folder = folder.filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let folder = excerpt(&folder.display().to_string());
            return Err(Error::Usage(format!(
                "--{long}: expected a file in a folder, found no folder `{folder}`; make it first"
            )));
        }
    }
    Ok(())
}

fn refuse_useless(given: &CommandLine) -> Result<(), Error> {
    let mut modes = MODES.iter().filter(|mode| mode.command == given.command);
    let Some(mode) = modes.find(|mode| (mode.is_meant)(given)) else {
        return Ok(());
    };
    let is_used = |long: &str| {
        let always = ["memory", "tables", "quiet", "help"].contains(&long);
        always || mode.has(long) || long == "json" && !mode.has("no-json")
    };
    let longs = given.all.values().filter_map(|(long, _)| long.as_deref());
    match longs.into_iter().find(|long| !is_used(long)) {
        None => Ok(()),
        Some(long) => {
            let others = MODES.iter().filter(|other| other.command == mode.command);
            let users = others.filter(|other| other.has(long));
            let users: Vec<String> = users.map(|user| format!("`{}`", user.name)).collect();
            let advice = match &users[..] {
                [] => "leave it out".to_owned(),
                _ => format!("it goes with {}", users.join(", ")),
            };
            let found = mode.name;
            Err(Error::Usage(format!(
                "--{long} has no use in `{found}`: {advice}"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::table::MODES;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    /// Every option of a command is one of some way in which it works, and no way has another.
    #[test]
    fn the_ways_of_a_command_have_its_options() {
        let all = Cli::command();
        let commands: BTreeSet<&str> = MODES.iter().map(|mode| mode.command).collect();
        for name in commands {
            let command = all.find_subcommand(name).unwrap();
            let options = command.get_arguments().filter_map(|one| one.get_long());
            let options: BTreeSet<&str> = options.collect();
            let modes = MODES.iter().filter(|mode| mode.command == name);
            let used: BTreeSet<&str> = modes.flat_map(|mode| mode.uses.split(' ')).collect();
            let unknown: Vec<_> = used.difference(&options).collect();
            assert!(
                unknown.iter().all(|one| **one == "no-json"),
                "{name}: {unknown:?}"
            );
            let unused: Vec<_> = options.difference(&used).collect();
            assert!(unused.is_empty(), "{name}: {unused:?}");
        }
    }
}
