//! The explorer in a browser: `just explorer` makes its page, `.ci/long explorer` does that and runs this.

use crate::webdriver::Browser;
use std::path::Path;

#[test]
#[ignore = "needs the page that `just explorer` makes"]
fn the_explorer_answers_without_a_server() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/explorer/index.html");
    assert!(
        page.exists(),
        "expected {}: run `just explorer`",
        page.display()
    );
    let Some(browser) = Browser::open(1200, 900) else {
        return;
    };
    let address = format!("file://{}", page.display());
    browser.visit(&address);
    // The example at the start: V100 cuts both small products, H100 keeps them.
    let found = browser.text_with("#result", "different");
    assert!(
        found.contains("0x3f800000") && found.contains("0x3f800001"),
        "{found}"
    );
    // Each famous case is shown from its link, and the address holds it.
    let links =
        browser.run("return [...document.querySelectorAll('#cases a')].map((link) => link.href);");
    let links = links.as_array().unwrap().clone();
    assert_eq!(links.len(), 5);
    let verdicts = [
        "different",
        "different",
        "different",
        "different",
        "same result",
    ];
    for (link, verdict) in links.iter().zip(verdicts) {
        browser.visit(link.as_str().unwrap());
        let found = browser.text_with("#result .verdict", verdict);
        assert!(found.contains(verdict), "{link}: {found}");
        let is_wide = browser.run("return document.documentElement.scrollWidth > innerWidth;");
        assert_eq!(is_wide, false, "{link}");
    }
    // A difference is found by drawing, in a worker.
    let rtx = "#left=H100&right=RTX+PRO+6000+Blackwell&products=e4m3+to+f32&a=1&b=1&c=0";
    browser.visit(&format!("{address}{rtx}"));
    browser.text_with("#result .verdict", "same result");
    browser.click("#find");
    browser.text_with("#result .verdict", "different");
    browser.text_with("#progress", "operands drawn");
    let hash = browser.run("return location.hash;");
    assert!(hash.as_str().unwrap().contains("products=e4m3"), "{hash}");
    // All products of both, and a sentence for what is no number.
    browser.click("#table");
    let table = browser.text_with("#result table", "f64 to f64");
    assert!(
        table.contains("all the same") && table.contains("% differ"),
        "{table}"
    );
    browser.write("[name=c]", "0.1x");
    browser.click("[type=submit]");
    browser.text_with("#result .error", "0.1x");
}
