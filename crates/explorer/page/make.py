#!/usr/bin/env python3
"""Puts the page of the explorer together: one file with its style, its scripts and the WebAssembly. Usage: make.py WASM OUT"""

import base64
import pathlib
import sys

here = pathlib.Path(__file__).parent
parts = here / "../../explain/src/explain/page"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("make.py: expected WASM and OUT")
    wasm, out = map(pathlib.Path, sys.argv[1:])
    page = (here / "index.html").read_text()
    for name, text in [
        ("STYLE", (parts / "page.css").read_text()),
        ("SCRIPT", (parts / "page.js").read_text()),
        ("WASM", base64.b64encode(wasm.read_bytes()).decode()),
        ("EXPLORER", (here / "explorer.js").read_text()),
    ]:
        page = page.replace(f"/*{name}*/", text, 1)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page)
    print(f"{out}: {len(page) / 1e6:.1f} MB")


main()
