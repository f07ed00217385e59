"""Writes the sentences of the compiled module into its type stubs, where editors look for them.

python stub.py            # writes gridpaper/_core.pyi
python stub.py --check    # fails where that would change something
"""

from __future__ import annotations

import ast
import inspect
import pathlib
import sys
import textwrap

import gridpaper._core as core

STUB = pathlib.Path(__file__).parent / "gridpaper" / "_core.pyi"


def _document(owner: object, name: str) -> str | None:
    member = inspect.getattr_static(owner, name, None)
    if name.startswith("_") or member is None:
        return None
    return inspect.getdoc(member)


def _definition(node: ast.stmt, owner: object, indent: str, lines_of: list[str]) -> str:
    """A class or a function, with its sentences."""
    if isinstance(node, ast.ClassDef):
        class_ = getattr(core, node.name)
        head = "".join(f"@{ast.unparse(each)}\n" for each in node.decorator_list)
        bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
        body = [
            _definition(each, class_, "    ", lines_of)
            for each in node.body
            if not _is_sentence(each)
        ]
        text = textwrap.indent(_quoted(inspect.getdoc(class_) or ""), "    ")
        return f"{head}class {node.name}{bases}:\n{text}" + "".join(body)
    if not isinstance(node, ast.FunctionDef):
        # as it stands, with its comment
        return "\n".join(lines_of[node.lineno - 1 : node.end_lineno]) + "\n"
    is_setter = any(ast.unparse(each).endswith(".setter") for each in node.decorator_list)
    document = None if is_setter else _document(owner, node.name)
    node.body = [ast.Expr(ast.Constant(...))]
    lines = ast.unparse(node).splitlines()
    if document:
        text = "\n".join(lines[:-1]) + "\n" + textwrap.indent(_quoted(document), "    ")
    else:
        lines[-2:] = [lines[-2] + " ..."]
        text = "\n".join(lines) + "\n"
    return textwrap.indent(text, indent)


def _is_sentence(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    end = "\n" if "\n" in text else ""
    return f'"""{text}{end}"""\n'


def make(source: str) -> str:
    """The stub with its sentences, from one with or without them."""
    parts = []
    for node in ast.parse(source).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            lead = "\n" if isinstance(node, ast.ClassDef) else ""
            parts.append(lead + _definition(node, core, "", source.splitlines()))
        else:
            parts.append(ast.get_source_segment(source, node) + "\n")
    return "".join(parts)


def main() -> int:
    """The command."""
    old = STUB.read_text(encoding="utf-8")
    new = make(old)
    if "--check" not in sys.argv[1:]:
        STUB.write_text(new, encoding="utf-8")
        return 0
    if old != new:
        print("python stub.py writes gridpaper/_core.pyi anew", file=sys.stderr)
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
