//! The program `mmasmt`.

use mmasmt::cli::{Status, parse, run};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let status = match run(&parse()) {
        Ok(status) => status,
        Err(error) if error.is_broken_pipe() => Status::Yes,
        Err(error) => {
            // Where nobody reads errors any more, the exit status still tells.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            Status::Error
        }
    };
    status.into()
}
