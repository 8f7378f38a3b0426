//! The program `mmasmt`.

use mmasmt::cli::{Status, parse, report, run};
use mmasmt_numbers::base::allocator::LimitedAllocator;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: LimitedAllocator = LimitedAllocator;

fn main() -> ExitCode {
    let cli = parse();
    let status = match run(&cli) {
        Ok(status) => status,
        Err(error) if error.is_broken_pipe() => Status::Yes,
        Err(error) => {
            report(cli.is_json(), &error.to_string());
            Status::Error
        }
    };
    status.into()
}
