//! `mmasmt serve`: what it answers, whom it refuses, and in a browser the whole way from a form to a difference.

use crate::markup::{assert_well_formed, text};
use crate::served::Served;
use crate::webdriver::Browser;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

#[test]
fn a_form_is_answered() {
    let served = Served::start(&["--json"]);
    let value: Value = serde_json::from_str(&served.said).unwrap();
    assert_eq!(value["address"], served.address());
    let (status, head, page) = served.get("/", "");
    assert_eq!(status, 200);
    assert!(head.contains("text/html; charset=utf-8"), "{head}");
    assert_well_formed(&page);
    assert!(page.contains("volta/HMMA.884.F32.F32"));
    for (path, status, parts) in [
        (
            "/?left=fda%3AF%3D23&a=1,0x1p-12&b=1,0x1p-13&ask=evaluate",
            200,
            &["product[1]", "cut: 0x1p-25"][..],
        ),
        (
            "/?left=fda%3AF%3D24&right=fda%3AF%3D25&ask=difference",
            200,
            &["different", "First difference: "],
        ),
        (
            "/?left=fda%3Acarry%3D4&right=fda%3Acarry%3Dfull&ask=difference",
            200,
            &["equal: proved for all finite inputs"],
        ),
        (
            "/?left=fda%3AF%3D24&right=fda%3AF%3D25&ask=difference&assume=a%20=%200",
            200,
            &["equal: proved for all"],
        ),
        (
            "/?left=fda&right=fda%3AF%3D2&ask=evaluate&line=3f800000+3c00,1400,0000,0000+3c00,1400,0000,0000",
            200,
            &["different results: for these operands"],
        ),
        ("/?left=fdb", 400, &["fdb", "expected"]),
        ("/?left=fda&a=1&b=zz", 400, &["`zz`: expected bits"]),
        (
            "/?left=fda&ask=difference",
            400,
            &["choose a second machine"],
        ),
        (
            "/?left=cublas%2Fgemm.hopper.f32.f16.f16&a=1&b=1&c=5&ask=evaluate",
            400,
            &["does not read c, found 5"],
        ),
        (
            "/?left=repeat(fda):K=65536",
            400,
            &["at most 1024 products"],
        ),
        ("/?left=%40Cargo.toml", 400, &["@Cargo.toml"]),
        ("/?left=rtl%3Ax.btor2%40fda", 400, &["rtl:x.btor2@fda"]),
        (
            "/?left=%3Cscript%3Ealert(1)%3C/script%3E",
            400,
            &["<script>alert(1)"],
        ),
        (
            "/elsewhere",
            404,
            &["expected the address of the page itself"],
        ),
    ] {
        let (found, _, page) = served.get(path, "");
        assert_eq!(found, status, "{path}: {}", text(&page));
        assert_well_formed(&page);
        for part in parts {
            let is_there = page.contains(part) || text(&page).contains(part);
            assert!(is_there, "{path}: {part}: {}", text(&page));
        }
    }
}

#[test]
fn nobody_else_is_answered() {
    let served = Served::start(&[]);
    let own = format!("127.0.0.1:{}", served.port);
    for (method, path, host, headers, status) in [
        ("GET", "/", "example.org", "", 403),
        ("GET", "/", "127.0.0.1", "", 403),
        (
            "GET",
            "/?left=fda",
            &own,
            "\r\nSec-Fetch-Site: cross-site",
            403,
        ),
        (
            "GET",
            "/?left=fda",
            &own,
            "\r\nSec-Fetch-Site: same-site",
            403,
        ),
        (
            "GET",
            "/?left=fda",
            &own,
            "\r\nSec-Fetch-Site: same-origin",
            200,
        ),
        ("GET", "/?left=fda", &own, "\r\nSec-Fetch-Site: none", 200),
        ("POST", "/", &own, "", 405),
        (
            "GET",
            &format!("/?left={}", "x".repeat(70_000)),
            &own,
            "",
            414,
        ),
    ] {
        let (found, _, page) = served.ask(method, path, host, headers);
        assert_eq!(found, status, "{method} {host}{headers}");
        // What is too long is refused before it is read.
        let says_why = page.contains("class=\"wrong\"");
        assert_eq!(says_why, ![200, 414].contains(&status));
    }
}

#[test]
fn a_question_has_its_time_and_ctrl_c_ends_the_program() {
    let mut served = Served::start(&["--time", "300ms"]);
    let hard = "/?left=fda:K=32,F=25,in=bf16,out=f16&right=fda:K=32,F=25,in=bf16,out=f16,align=floor&assume=c%20=%200,a%20%3E%200,b%20%3E%200,a%20integer&ask=difference";
    let (status, _, page) = served.get(hard, "");
    let shown = text(&page);
    assert!(status == 200 || status == 400, "{shown}");
    let id = Pid::from_raw(served.program.id() as i32);
    kill(id, Signal::SIGINT).unwrap();
    assert_eq!(served.program.wait().unwrap().code(), Some(0));
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let served = Served::start(&[]);
    let port = served.port.to_string();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["serve", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("is not available"), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
#[ignore = "a browser"]
fn a_person_finds_a_difference() {
    let Some(browser) = Browser::open(1200, 900) else {
        return;
    };
    let served = Served::start(&[]);
    browser.visit(&served.address());
    browser.write("[name=left]", "V100/HMMA.884.F32.F32");
    browser.write("[name=right]", "fda:F=24");
    browser.click("button[value=difference]");
    browser.text_with(".verdict strong", "different");
    assert!(browser.text(".first").contains("after alignment"));

    // The line of the answer is dropped on the form, and evaluated.
    let line = browser.text(".line code");
    let dropped = format!(
        "const data = new DataTransfer();
         data.items.add(new File(['# made by a test\\n{line}\\n'], 'vectors.txt'));
         const form = document.querySelector('form.live');
         form.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));"
    );
    browser.run(&dropped);
    let mut filled = String::new();
    for _ in 0..100 {
        let value = browser.run("return document.querySelector('[name=line]').value;");
        value.as_str().unwrap().clone_into(&mut filled);
        if !filled.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(filled, line);
    browser.click("button[value=evaluate]");
    browser.text_with(".verdict", "different results: for these operands");

    // By keyboard alone: down to the sum of the first picture and along its bits.
    browser.keys(".picture tbody tr", "\u{e015}");
    assert!(
        browser.text("#status").starts_with("c, 2^"),
        "{}",
        browser.text("#status")
    );
    assert_eq!(browser.console(), [""; 0]);

    // What is wrong is said, nothing of it is run, and the form keeps what was typed.
    browser.write(
        "[name=right]",
        "<img src=x onerror=\"document.title='run'\">",
    );
    browser.click("button[value=evaluate]");
    browser.text_with(".wrong", "<img src=x");
    assert_eq!(browser.run("return document.title;"), "mmasmt");
    let left = browser.run("return document.querySelector('[name=left]').value;");
    assert_eq!(left, "V100/HMMA.884.F32.F32");
    let console = browser.console();
    let others: Vec<_> = console
        .iter()
        .filter(|line| !line.contains("status of 400"))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}
