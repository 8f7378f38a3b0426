//! `serve`: interactive pages of evaluations and differences, for a browser on this machine.

mod answer;
mod connections;
mod request;

use super::Status;
use super::json::write_json;
use super::timeouts::{seconds, until_ctrl_c};
use crate::cli::error::Error;
use serde_json::json;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;
use tokio::runtime::Builder;

/// Show evaluations and differences in a browser on this machine
///
/// The command prints the address to open, and answers until Ctrl-C. It answers only this machine,
/// and the page loads nothing from elsewhere. The page is that of `explain --html` and `distinguish
/// --html`, with a form to choose machines, type or drop operands, and ask for a difference. A
/// connection carries one request of at most 128 KiB; it has 10 s to send the request, and 10 s to
/// read the page. If there are more than 128 connections, the oldest one is closed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt serve\n  mmasmt serve --port 0 --time 30s\n\nExit status: 0 ended by Ctrl-C, 2 the port is taken."
)]
pub(super) struct Args {
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, value_name = "N", default_value_t = 7878)]
    port: u16,
    /// Time limit for an answer
    #[arg(long = "time", alias = "timeout", value_name = "TIME", default_value = "10s", value_parser = seconds)]
    timeout: Duration,
}

/// How long the program, when it ends, waits for the threads that make pages.
const ENDING: Duration = Duration::from_millis(500);

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let taken = |error: std::io::Error| {
        Error::Usage(format!("port {} is not available: {error}", args.port))
    };
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(taken)?;
    socket.set_nonblocking(true).map_err(taken)?;
    let port = socket.local_addr().map_err(taken)?.port();
    let runtime = Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(connections::ALL_THREADS)
        .build()
        .map_err(taken)?;
    let limits = until_ctrl_c()?;
    let address = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
    if json {
        write_json(out, &json!({ "address": address }))?
    } else {
        writeln!(out, "{address}  (Ctrl-C ends it)")?
    }
    out.flush()?;
    let answered = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(socket)?;
        connections::answer_all(listener, port, args.timeout, &limits).await;
        Ok(())
    });
    runtime.shutdown_timeout(ENDING);
    answered.map_err(taken)?;
    Ok(Status::Yes)
}
