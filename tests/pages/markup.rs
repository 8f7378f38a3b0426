//! Markup of pages, as tests read it.

/// The text between tags.
pub fn text(markup: &str) -> String {
    let mut text = String::new();
    let mut inside = true;
    for letter in markup.chars() {
        match letter {
            '<' => inside = false,
            '>' => inside = true,
            letter if inside => text.push(letter),
            _ => {}
        }
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

/// The rows of tables but for headers, each as its cells in markup.
pub fn rows(page: &str) -> Vec<Vec<&str>> {
    let rows = page.split("<tr").skip(1);
    let rows = rows.map(|row| row.split("</tr>").next().unwrap());
    let rows = rows.filter(|row| row.contains("scope=\"row\""));
    rows.map(|row| {
        let cells = row.split("</td>").flat_map(|part| part.split("</th>"));
        cells.filter(|cell| cell.contains("<t")).collect()
    })
    .collect()
}

/// The digits of the runs of bits in a cell.
pub fn digits(cell: &str) -> String {
    let mut digits = String::new();
    for part in cell.split("<i>").skip(1) {
        digits.push_str(part.split("</i>").next().unwrap());
    }
    digits
}

/// Elements are closed in the order in which they were opened.
pub fn assert_well_formed(page: &str) {
    let mut open = Vec::new();
    let script = page.find("<script>").unwrap()..page.find("</script>").unwrap();
    let style = page.find("<style>").unwrap()..page.find("</style>").unwrap();
    let mut at = 0;
    while let Some(next) = page[at..].find('<') {
        let start = at + next;
        let end = start + page[start..].find('>').expect("a tag that ends");
        at = end + 1;
        let tag = &page[start + 1..end];
        let is_code =
            |range: &std::ops::Range<usize>| range.contains(&start) && start > range.start;
        if tag.starts_with('!') || is_code(&script) || is_code(&style) {
            continue;
        }
        let name = tag.split_whitespace().next().unwrap();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "at {start}"),
            None if name == "meta" || name == "input" || tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

pub fn assert_alone(page: &str) {
    // The name of a language is no address.
    let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in [
        "http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "import(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}
