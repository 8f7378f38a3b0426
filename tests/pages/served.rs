//! `mmasmt serve` as a process of its own, which ends with the test.

use super::webdriver::request;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The program, and where it answers.
pub struct Served {
    pub program: Child,
    pub port: u16,
    /// What it printed first.
    pub said: String,
}

impl Served {
    /// The program with these arguments behind `serve --port 0`.
    pub fn start(arguments: &[&str]) -> Served {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut from = BufReader::new(program.stdout.take().unwrap());
        loop {
            from.read_line(&mut said).unwrap();
            // An object has several lines.
            if !said.starts_with('{') || said.ends_with("}\n") {
                break;
            }
        }
        let (_, port) = said.split_once("127.0.0.1:").expect("an address");
        let port = port.split('/').next().unwrap().parse().unwrap();
        Served {
            program,
            port,
            said,
        }
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Status, headers and page for an address behind the host, with more headers, each with a line end before it.
    pub fn get(&self, path: &str, headers: &str) -> (u16, String, String) {
        self.ask("GET", path, &format!("127.0.0.1:{}", self.port), headers)
    }

    /// The same with another method and host.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        host: &str,
        headers: &str,
    ) -> (u16, String, String) {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}{headers}");
        let (status, head, body) = request(self.port, &head, "");
        (status, head, String::from_utf8(body).unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
