//! Parses a request and checks its origin: it must come from a browser on this machine, and from a
//! page of this program.

use hyper::header::{HOST, HeaderName};
use hyper::{Method, Request};
use mmasmt_questions::pages::LiveForm;

/// The header in which a browser says which site made it send the request.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The port that browsers leave out of `Host`.
const DEFAULT_PORT: u16 = 80;

/// Why a request is not answered.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The HTTP status.
    pub status: u16,
    pub why: &'static str,
}

/// What a request asks for.
#[derive(Debug)]
pub(super) struct Asked {
    pub form: LiveForm,
    /// Whether inputs on which two models differ are to be looked for.
    pub difference: bool,
}

/// Reads the form that a request sends.
///
/// # Errors
/// If the `Host` header does not name this server, or if the request comes from a page of another
/// site, is neither `GET` nor `HEAD`, or asks for another page. Without the first two checks, other
/// sites could ask through a browser on this machine: by a host name that they let stand for this
/// machine, or from their own pages.
pub(super) fn asked<B>(request: &Request<B>, port: u16) -> Result<Asked, Refusal> {
    if !is_to_this_machine(request, port) {
        return Err(Refusal {
            status: 403,
            why: "expected a request to 127.0.0.1 or localhost",
        });
    }
    // A page on another port is `same-site`, but not a page of this program.
    let sites = request.headers().get_all(FETCH_SITE);
    if sites
        .iter()
        .any(|site| site != "same-origin" && site != "none")
    {
        return Err(Refusal {
            status: 403,
            why: "expected a request from this page, found one from another site",
        });
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Refusal {
            status: 405,
            why: "expected GET",
        });
    }
    let address = request.uri();
    if address.authority().is_some() || address.path() != "/" {
        return Err(Refusal {
            status: 404,
            why: "expected the address of the page itself, /",
        });
    }
    Ok(parse(address.query().unwrap_or_default()))
}

/// Whether the request has exactly one `Host` header, and this header names this machine and this
/// port.
fn is_to_this_machine<B>(request: &Request<B>, port: u16) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    ["127.0.0.1", "localhost"].iter().any(|name| {
        let with_port = format!("{name}:{port}");
        host == with_port.as_str() || (port == DEFAULT_PORT && host == *name)
    })
}

/// Reads the fields of a query. Fields that the form does not have are ignored.
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

#[cfg(test)]
mod tests {
    use super::asked;
    use hyper::Request;

    /// The HTTP status that answers a request with these headers to a server at `port`.
    fn status(port: u16, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::get("/?left=fda");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).unwrap();
        asked(&request, port).map_or_else(|refusal| refusal.status, |_| 200)
    }

    #[test]
    fn browsers_leave_out_port_80_and_no_other() {
        for name in ["127.0.0.1", "localhost"] {
            for port in [80, 81, 443, 7878, 8080] {
                let with_port = format!("{name}:{port}");
                assert_eq!(status(port, &[("Host", &with_port)]), 200);
                let without = if port == 80 { 200 } else { 403 };
                assert_eq!(status(port, &[("Host", name)]), without, "{port}");
                let other = format!("{name}:{}", port + 1);
                assert_eq!(status(port, &[("Host", &other)]), 403);
            }
        }
        assert_eq!(status(80, &[]), 403);
        assert_eq!(status(80, &[("Host", "example.org")]), 403);
        let two = [("Host", "localhost"), ("Host", "example.org")];
        assert_eq!(status(80, &two), 403);
    }

    /// The four values in the specification of Fetch Metadata, and texts that are none of them.
    #[test]
    fn only_this_page_and_the_person_may_ask() {
        for (site, expected) in [
            ("same-origin", 200),
            ("none", 200),
            ("same-site", 403),
            ("cross-site", 403),
            ("", 403),
            ("Same-Origin", 403),
            ("same-origin, cross-site", 403),
        ] {
            let headers = [("Host", "localhost"), ("Sec-Fetch-Site", site)];
            assert_eq!(status(80, &headers), expected, "{site}");
        }
        let both = [
            ("Host", "localhost"),
            ("Sec-Fetch-Site", "none"),
            ("Sec-Fetch-Site", "same-site"),
        ];
        assert_eq!(status(80, &both), 403);
    }
}
