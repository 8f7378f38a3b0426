//! A browser that is told what to do: WebDriver, the protocol of chromedriver, over plain HTTP.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// One browser at a time: a window without the focus gets no keys.
static FOCUS: Mutex<()> = Mutex::new(());

/// How many times a page is looked at for what it is to show: a minute on a machine with other work.
const PATIENCE: u32 = 1200;

/// What a test holds while its browser has the focus.
pub fn focus() -> MutexGuard<'static, ()> {
    FOCUS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A browser with one window; it ends with this value.
pub struct Browser {
    _focus: MutexGuard<'static, ()>,
    driver: Child,
    port: u16,
    session: String,
}

/// What an HTTP server answered: status, headers, body.
pub fn request(port: u16, head: &str, body: &str) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    let length = body.len();
    write!(
        stream,
        "{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut from = BufReader::new(stream);
    let (mut head, mut size) = (String::new(), None);
    loop {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        let lower = line.to_ascii_lowercase();
        if let Some(number) = lower.strip_prefix("content-length:") {
            size = Some(number.trim().parse().unwrap());
        }
        head += &line;
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = Vec::new();
    match size {
        Some(size) => from.take(size).read_to_end(&mut body).unwrap(),
        None => from.read_to_end(&mut body).unwrap(),
    };
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head, body)
}

impl Browser {
    /// A new window of that size; none where chromedriver is not installed, which is a failure where MMASMT_TOOLS is set.
    pub fn open(width: u32, height: u32) -> Option<Browser> {
        let focus = focus();
        let mut command = Command::new("chromedriver");
        let started = command
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            assert!(
                std::env::var_os("MMASMT_TOOLS").is_none(),
                "expected chromedriver on PATH, as MMASMT_TOOLS is set"
            );
            println!("left out: chromedriver is not here");
            return None;
        };
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let mut browser = Browser {
            _focus: focus,
            driver,
            port: port.expect("the port of chromedriver"),
            session: String::new(),
        };
        let size = format!("--window-size={width},{height}");
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
            &size,
        ];
        let session = browser.ask(
            "POST",
            "/session",
            &json!({ "capabilities": { "alwaysMatch": {
                "goog:chromeOptions": { "args": arguments },
                "goog:loggingPrefs": { "browser": "ALL" },
            } } }),
        );
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.answer(method, path, body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer["value"].clone()
    }

    fn answer(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = match method {
            "GET" => String::new(),
            _ => body.to_string(),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json",
            self.port
        );
        let (status, _, answer) = request(self.port, &head, &body);
        (status, serde_json::from_slice(&answer).unwrap())
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, &format!("/session/{}{path}", self.session), body)
    }

    fn element(&self, selector: &str) -> String {
        let found = self.command(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": selector }),
        );
        let id = found.as_object().unwrap().values().next().unwrap();
        id.as_str().unwrap().to_owned()
    }

    /// Opens an address.
    pub fn visit(&self, address: &str) {
        self.command("POST", "/url", &json!({ "url": address }));
    }

    /// Clicks the element.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.command("POST", &format!("/element/{element}/click"), &json!({}));
    }

    /// Types into a field in place of what is there.
    pub fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.command("POST", &format!("/element/{element}/clear"), &json!({}));
        self.keys(selector, text);
    }

    /// Presses keys on the element, which gets the focus.
    pub fn keys(&self, selector: &str, keys: &str) {
        let element = self.element(selector);
        self.command(
            "POST",
            &format!("/element/{element}/value"),
            &json!({ "text": keys }),
        );
    }

    /// The text of the element once it has `part`, which may be on the page that is still to come.
    pub fn text_with(&self, selector: &str, part: &str) -> String {
        let script = format!("return document.querySelector('{selector}')?.innerText ?? '';");
        let body = json!({ "script": script, "args": [] });
        let path = format!("/session/{}/execute/sync", self.session);
        let mut text = String::new();
        for _ in 0..PATIENCE {
            // Between two pages there is nothing to run a script on.
            let (status, answer) = self.answer("POST", &path, &body);
            if let (200, Some(found)) = (status, answer["value"].as_str()) {
                found.clone_into(&mut text);
            }
            if text.contains(part) {
                return text;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("expected `{part}` in {selector}, found `{text}`");
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.command(
            "POST",
            "/execute/sync",
            &json!({ "script": script, "args": [] }),
        )
    }

    /// The window as a PNG file.
    pub fn screenshot(&self) -> Vec<u8> {
        let text = self.command("GET", "/screenshot", &Value::Null);
        base64(text.as_str().unwrap())
    }

    /// What the console has said since it was asked last.
    pub fn console(&self) -> Vec<String> {
        let lines = self.command("POST", "/se/log", &json!({ "type": "browser" }));
        let lines = lines.as_array().unwrap().iter();
        lines
            .map(|line| line["message"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.command("DELETE", "", &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|byte| {
        let digit = DIGITS.iter().position(|digit| *digit == byte)?;
        Some(digit as u32)
    });
    let digits: Vec<u32> = digits.collect();
    let mut bytes = Vec::new();
    for group in digits.chunks(4) {
        let bits = group.iter().enumerate();
        let bits = bits.fold(0, |bits, (at, digit)| bits | digit << (18 - 6 * at));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
