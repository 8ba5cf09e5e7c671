"""Turns executed notebooks into HTML, cell by cell, with nbconvert and the lab's own template.

    python convert.py TEMPLATES NOTEBOOK...

For each notebook one JSON object a line on standard output: {"path": ..., "cells": [...], "style": ...}, or {"path": ..., "error": ...}.
A cell has id, kind, tags, slide (its type in a slideshow), html, folded (its code stands in a closed <details>), count (its number in Jupyter),
runs (a code cell that has something to execute), executed, failed (an error among its outputs).
Formulas stand as <span class="tex" data-display="0 or 1">TeX</span>; the command prl renders them, and builds the pages.
"""

import base64
import json
import os
import re
import sys
import unicodedata
import uuid
from html import unescape
from urllib.parse import unquote

import nbformat
from jinja2 import pass_context
from markupsafe import escape
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.formatters import HtmlFormatter
from pygments.token import Token
from traitlets.config import Config


def slug(html, taken):
    text = unescape(re.sub(r"<[^>]*>", "", html))
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", text).strip("-") or "section"
    name, n = base, 1
    while name in taken:
        n += 1
        name = f"{base}-{n}"
    taken.add(name)
    return name


# The kind of a picture file by its ending, and what stands at its beginning.
PICTURE_FILES = {
    ".png": ("image/png", b"\x89PNG\r\n"),
    ".jpg": ("image/jpeg", b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", b"\xff\xd8\xff"),
    ".gif": ("image/gif", b"GIF8"),
    ".webp": ("image/webp", b"WEBP"),
    ".svg": ("image/svg+xml", b"<svg"),
}
MOST = 8 << 20  # bytes of a picture file


class Renderer(IPythonRenderer):
    def __init__(self, *args, taken, **kwargs):
        super().__init__(*args, **kwargs)
        self.taken = taken

    def heading(self, text, level, **attrs):
        name = slug(text, self.taken)
        return f'<h{level} id="{name}">{text}<a class="anchor" href="#{name}" aria-label="Link to this section">#</a></h{level}>\n'

    def _src_to_base64(self, src):
        """The picture file src as a data URI, or None. A file counts only if it is a picture and lies, links followed, in the notebook's folder."""
        folder = os.path.realpath(self.path)
        try:
            path = os.path.realpath(os.path.join(folder, unquote(src)))
            kind, start = PICTURE_FILES.get(os.path.splitext(path)[1].lower(), (None, None))
            if kind is None or os.path.commonpath([folder, path]) != folder or not os.path.isfile(path):
                return None
            with open(path, "rb") as file:
                data = file.read(MOST + 1)
        except (OSError, ValueError):
            return None
        if len(data) > MOST or start not in data[:1024]:
            return None
        return f"data:{kind};base64,{base64.b64encode(data).decode()}"

    def block_html(self, html):
        """A block of HTML as it stands. One with a picture goes through the reader of pictures, which closes what is open: a box that ends in
        another block, as <details> round paragraphs does, must not."""
        return super().block_html(html) if "<img" in html.lower() else html + "\n"

    def tex(self, body, display):
        return f'<span class="tex" data-display="{int(display)}">{escape(body.strip())}</span>'

    def block_math(self, body):
        return self.tex(body, True)

    def inline_math(self, body):
        return self.tex(body, False)

    def latex_environment(self, name, body):
        return self.tex(f"\\begin{{{name}}}{body}\\end{{{name}}}", True)


class Exporter(HTMLExporter):
    def __init__(self, *args, **kwargs):
        self.taken = set()
        super().__init__(*args, **kwargs)

    @pass_context
    def markdown2html(self, context, source):
        renderer = Renderer(
            escape=False,
            attachments=context.get("cell", {}).get("attachments", {}),
            embed_images=True,
            path=context.get("resources", {}).get("metadata", {}).get("path", ""),
            taken=self.taken,
        )
        parser = MarkdownWithMath(renderer=renderer)
        renderer.register("table", lambda _, text: f'<div class="wide"><table>\n{text}</table></div>\n')
        return parser.render(source)


PICTURES = {"image/png", "image/jpeg", "image/svg+xml"}


def folded(cell):
    """The line that stands for the code of a cell that hides it, by tag or as JupyterLab notes what its reader has collapsed."""
    metadata = cell.metadata
    if cell.cell_type != "code" or not ("hide-input" in metadata.get("tags", []) or metadata.get("jupyter", {}).get("source_hidden")):
        return ""
    lines = len(cell.source.strip().splitlines())
    data = [output.get("data", {}) for output in cell.outputs]
    figure = any('class="prl-figure"' in "".join(d.get("text/html", "")) or PICTURES & d.keys() for d in data)
    return ("Code of the figure" if figure else "Code") + f" ({lines} line{'s' if lines != 1 else ''})"


def convert(exporter, path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata["prl-folded"] = folded(cell)
    exporter.taken.clear()
    mark = f"<!--{uuid.uuid4().hex}-->"
    body, _ = exporter.from_notebook_node(
        notebook, resources={"mark": mark, "metadata": {"path": os.path.dirname(os.path.abspath(path)), "name": os.path.basename(path)}}
    )
    parts = body.split(mark)[1:]
    if len(parts) != len(notebook.cells):
        raise ValueError(f"{len(notebook.cells)} cells gave {len(parts)} parts")
    cells = []
    for cell, html in zip(notebook.cells, parts):
        code = cell.cell_type == "code"
        cells.append({
            "id": cell.get("id", ""),
            "kind": cell.cell_type,
            "tags": cell.metadata.get("tags", []),
            "slide": cell.metadata.get("slideshow", {}).get("slide_type", ""),
            "items": cell.metadata.get("prl", {}).get("items", []),
            "html": html.strip(),
            "folded": bool(cell.metadata["prl-folded"]) and bool(cell.source.strip()),
            "count": cell.get("execution_count") or 0,
            "runs": code and bool(cell.source.strip()),
            "executed": code and cell.get("execution_count") is not None,
            "failed": code and any(o.output_type == "error" for o in cell.outputs),
        })
    return cells


def colours(name):
    """The colours of code, and those of numbers and keywords, which the command marks by i and b."""
    formatter = HtmlFormatter(style=name)
    number, keyword = (formatter.style.style_for_token(t)["color"] for t in (Token.Number, Token.Keyword))
    return (formatter.get_style_defs(".highlight") + f"\n.highlight i {{ color: #{number}; font-style: normal }}"
            f"\n.highlight b {{ color: #{keyword}; font-weight: normal }}")


def main():
    templates, paths = sys.argv[1], sys.argv[2:]
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [templates]
    config.TemplateExporter.filters = {"text_base64": lambda text: base64.b64encode(text.encode()).decode()}
    exporter = Exporter(config=config, template_name="handout")
    style = "\n".join([
        colours("xcode"),
        '@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {',
        colours("github-dark"),
        '} }\n@media screen { :root[data-theme="dark"] {',
        colours("github-dark"),
        "} }",
    ])
    for path in paths:
        try:
            print(json.dumps({"path": path, "cells": convert(exporter, path), "style": style}), flush=True)
        except Exception as error:  # told to the command, which names the notebook
            print(json.dumps({"path": path, "error": f"{type(error).__name__}: {error}"}), flush=True)


if __name__ == "__main__":
    main()
