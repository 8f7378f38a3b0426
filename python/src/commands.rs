//! The commands of the program, inside of Python.

use crate::products::detached;
use mmasmt::cli::{Status, parse_from, report, run, run_inside};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The exit status of a command and what it prints; `--json` and the like stand among the arguments.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<String>) -> PyResult<(i32, String)> {
    let cli = parse_from(&arguments).map_err(|error| PyValueError::new_err(error.text))?;
    let run = |interrupt| {
        let mut out = Vec::new();
        let status = run_inside(&cli, &mut out, interrupt).map_err(|error| error.to_string())?;
        Ok::<_, String>((status as i32, String::from_utf8_lossy(&out).into_owned()))
    };
    detached(py, run)?.map_err(PyValueError::new_err)
}

/// The program itself: prints, and returns its exit status.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<String>) -> i32 {
    let cli = match parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) if error.is_error => {
            eprint!("{}", error.text);
            return Status::Error as i32;
        }
        Err(help) => {
            print!("{}", help.text);
            return Status::Yes as i32;
        }
    };
    py.detach(|| match run(&cli) {
        Ok(status) => status as i32,
        Err(error) if error.is_broken_pipe() => Status::Yes as i32,
        Err(error) => {
            report(cli.is_json(), &error.to_string());
            Status::Error as i32
        }
    })
}
