//! `serve`: the pages of evaluations and differences live, for a browser on this machine.

mod answer;
mod request;

use super::Status;
use super::json::write_json;
use super::timeouts::{seconds, until_ctrl_c};
use crate::cli::error::Error;
use crate::limits::Limits;
use request::{Refusal, asked};
use serde_json::json;
use std::io::Write;
use std::net::Ipv4Addr;
use std::time::Duration;
use tiny_http::{Header, Request, Response, Server};

/// Show evaluations and differences in a browser on this machine
///
/// Prints the address to open, and answers until Ctrl-C. Nobody but this machine is answered, and nothing is loaded from
/// elsewhere: the page is that of `explain --html` and `distinguish --html` with a form to choose machines, type or drop
/// operands, and ask for a difference.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt serve\n  mmasmt serve --port 0 --timeout 30s\n\nExit status: 0 ended by Ctrl-C, 2 the port is taken."
)]
pub(super) struct Args {
    /// The port on 127.0.0.1; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 7878)]
    port: u16,
    /// Time for an answer
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = seconds)]
    timeout: Duration,
}

/// Requests that are answered at the same time.
const THREADS: usize = 2;

/// How often Ctrl-C is looked for.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let server = Server::http((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| {
        Error::Usage(format!(
            "--port {}: expected a port that is free, found: {error}",
            args.port
        ))
    })?;
    let limits = until_ctrl_c()?;
    let port = server.server_addr().to_ip().map_or(0, |at| at.port());
    let address = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
    match json {
        true => write_json(out, &json!({ "address": address }))?,
        false => writeln!(out, "{address}  (Ctrl-C ends it)")?,
    }
    out.flush()?;
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| serve(&server, port, args.timeout, &limits));
        }
    });
    Ok(Status::Yes)
}

/// Answers requests until the limits are reached.
fn serve(server: &Server, port: u16, time: Duration, limits: &Limits) {
    while limits.stopped().is_none() {
        // A connection that broke is no reason to stop.
        if let Ok(Some(request)) = server.recv_timeout(PAUSE) {
            respond(request, port, &limits.within(time));
        }
    }
}

fn respond(request: Request, port: u16, limits: &Limits) {
    let (status, text) = match asked(&request, port) {
        Ok(asked) => answer::page(&asked, limits),
        Err(Refusal { status, why }) => (status, answer::refusal(why)),
    };
    // Its length is known: it is sent in one piece.
    let response = Response::from_string(text).with_chunked_threshold(usize::MAX);
    let mut response = response.with_status_code(status);
    for (name, value) in [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-store"),
        ("X-Frame-Options", "DENY"),
    ] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // Who asked may be gone by now.
    let _ = request.respond(response);
}
