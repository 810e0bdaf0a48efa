"""Print what Python's own symtable says of the scopes of each .py file in a folder.

A line a file, as JSON: its path, and its scopes as [kind, name, line, names],
where names are those bound in that very scope. TestSymtable compares. Files that
Python does not compile, or that are not UTF-8, are left out.
"""

import json
import os
import sys
import symtable
import warnings

warnings.simplefilter("ignore")
COMPREHENSIONS = ("listcomp", "setcomp", "dictcomp", "genexpr")


def scopes(table, out, owner=""):
    kind, name = table.get_type(), table.get_name()
    if kind == "function" and name in COMPREHENSIONS:
        kind = "comprehension"
    elif kind == "function" and name == "lambda":
        kind = "lambda"
    elif kind == "class":
        owner = name.lstrip("_")
    names = set()
    for symbol in table.get_symbols():
        bound = symbol.is_assigned() or symbol.is_imported() or symbol.is_parameter() or symbol.is_namespace() or symbol.is_annotated()
        # What a function or class declares global or nonlocal is bound elsewhere
        # (a module's own names are marked too), and ".0" is the hidden iterable
        # of a comprehension.
        elsewhere = kind != "module" and (symbol.is_free() or symbol.is_declared_global() or not symbol.is_local())
        if bound and not elsewhere and not symbol.get_name().startswith("."):
            names.add(plain(symbol.get_name(), owner))
    if kind in ("module", "class", "function", "lambda", "comprehension"):
        out.append([kind, name, table.get_lineno(), sorted(names)])
    for child in table.get_children():
        scopes(child, out, owner)


def plain(name, owner):
    """Undo the mangling of private names."""
    prefix = "_" + owner + "__"
    return "__" + name[len(prefix):] if owner and name.startswith(prefix) else name


def main(folder):
    for root, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            path = os.path.join(root, file)
            try:
                with open(path, encoding="utf-8", newline="") as f:
                    text = f.read()
                table = symtable.symtable(text, path, "exec")
            except (SyntaxError, ValueError, RecursionError, UnicodeDecodeError):
                continue
            out = []
            scopes(table, out)
            print(json.dumps({"path": path, "scopes": out}))


main(sys.argv[1])
