"""The form of a file of this folder: sections of vectors, compressed by xz."""

import lzma


def write(path, sections):
    """One file: sections of (model, card, lines)."""
    text = "".join(f"## {model}\t{card}\n" + "".join(line + "\n" for line in lines) for model, card, lines in sections)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    vectors = sum(len(lines) for *_, lines in sections)
    print(path.name, path.stat().st_size, "bytes", vectors, "vectors", len(sections), "sections")
