"""What lives in the kernel of a notebook: names of its code, with shapes, numbers and models, never
contents. The magics ask it, and editors beside a kernel run told() there and hand what it says to the
language server (tfmem.takeKernel).
"""

import ast
import json
import os
import re

from tfmem import observe


def live(shell, cells):
    """The names of the cells' code that live here, but for those that a cell binds which has not run
    to its end: what the kernel has is not what they make. cells are texts, and whether each has."""
    used, bound = set(), set()
    for text, ran in cells:
        used.update(re.findall(r"[^\W\d]\w*", text))
        if not ran:
            bound.update(binds(shell.transform_cell(observe.body_of(text)[1])))
    return {n: v for n, v in shell.user_ns.items() if n in used - bound and n not in shell.user_ns_hidden}


def binds(text):
    """The names that a cell may bind: all of them if it is not Python."""
    try:
        return {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    except (SyntaxError, ValueError):
        return set(re.findall(r"[^\W\d]\w*", text))


def told(cells):
    """What lives here, as JSON for the language server. cells are the texts of a notebook's code cells
    as they are now, and whether the last run of each failed. A notebook has no path here."""
    from IPython import get_ipython

    shell = get_ipython()
    ran = {text.strip() for text in shell.history_manager.input_hist_raw}
    names = live(shell, [(text, text.strip() in ran and not failed) for text, failed in cells])
    return json.dumps(observe.dump(observe.Files(os.getcwd()), more=[("", names)]))
