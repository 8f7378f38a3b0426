//! What is asked by a request, and who may ask: this machine's browser, from a page of this program.

use crate::page::LiveForm;
use tiny_http::{Method, Request};

/// The longest address: a browser's own limit is about so much.
const LONGEST: usize = 1 << 16;

/// Why a request is not answered.
pub(super) struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    pub why: &'static str,
}

/// What is wanted.
pub(super) struct Asked {
    pub form: LiveForm,
    /// Whether inputs are looked for on which two models differ.
    pub difference: bool,
}

/// The form of a request.
///
/// # Errors
/// If it is none for this server: other sites could otherwise ask through a browser, by a name that they make mean this
/// machine or from their own pages.
pub(super) fn asked(request: &Request, port: u16) -> Result<Asked, Refusal> {
    let header = |name: &'static str| {
        let mut headers = request.headers().iter();
        let header = headers.find(|header| header.field.equiv(name));
        header.map(|header| header.value.as_str())
    };
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if !header("Host").is_some_and(|host| names.iter().any(|name| name == host)) {
        return Err(Refusal {
            status: 403,
            why: "expected a request to 127.0.0.1 or localhost",
        });
    }
    if header("Sec-Fetch-Site").is_some_and(|site| site == "cross-site") {
        return Err(Refusal {
            status: 403,
            why: "expected a request from this page, found one from another site",
        });
    }
    if !matches!(request.method(), Method::Get | Method::Head) {
        return Err(Refusal {
            status: 405,
            why: "expected GET",
        });
    }
    if request.url().len() > LONGEST {
        return Err(Refusal {
            status: 414,
            why: "expected at most 65536 characters",
        });
    }
    let (path, query) = request.url().split_once('?').unwrap_or((request.url(), ""));
    match path {
        "/" => Ok(parse(query)),
        _ => Err(Refusal {
            status: 404,
            why: "expected the address of the page itself, /",
        }),
    }
}

/// The fields of a query; those that the form does not have are not read.
fn parse(query: &str) -> Asked {
    let mut asked = Asked {
        form: LiveForm::default(),
        difference: false,
    };
    let form = &mut asked.form;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let field = match name.as_ref() {
            "left" => &mut form.left,
            "right" => &mut form.right,
            "a" => &mut form.a,
            "b" => &mut form.b,
            "c" => &mut form.c,
            "sa" => &mut form.sa,
            "sb" => &mut form.sb,
            "line" => &mut form.line,
            "assume" => &mut form.assume,
            "specials" => {
                form.specials = true;
                continue;
            }
            "ask" => {
                asked.difference = value == "difference";
                continue;
            }
            _ => continue,
        };
        *field = value.trim().to_owned();
    }
    asked
}
