//! The program `mmasmt`.

use clap::Parser;
use mmasmt::cli::{Cli, Status, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let status = match run(&Cli::parse()) {
        Ok(status) => status,
        Err(error) if error.is_broken_pipe() => Status::Yes,
        Err(error) => {
            eprintln!("error: {error}");
            Status::Error
        }
    };
    status.into()
}
