//! The frame of a page: title, style and script. All of them are in the file itself; nothing
//! external is loaded.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Blocks every external load: the page contains all that it needs.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A whole page.
pub fn document(title: &str, body: &Markup) -> String {
    document_with(title, body, "")
}

/// A whole page with a script of its own, in addition to the script that all pages have.
pub fn document_with(title: &str, body: &Markup, script: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (body) }
                footer {
                    p {
                        span.sign { "sign" } " "
                        span.exponent { "exponent" } " "
                        span.fraction { "significand" } " "
                        span.ignored { "not read" } " "
                        span.cut { "cut" }
                        span.keys { " \u{2014} hover a bit, or focus a row and press the arrow keys" }
                    }
                    p { "mmasmt " (env!("CARGO_PKG_VERSION")) }
                }
                output id="status" aria-live="polite" {}
                script { (PreEscaped(SCRIPT)) (PreEscaped(script)) }
            }
        }
    };
    page.into_string()
}
