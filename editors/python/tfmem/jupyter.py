"""tfmem in Jupyter servers: the language server of jupyterlab-lsp, and what the JupyterLab
extension of editors/jupyterlab asks.
"""

import asyncio
import os
import subprocess

from jupyter_core.paths import jupyter_path
from jupyter_server.auth import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import to_os_path, url_path_join
from tornado.web import HTTPError, authenticated

from tfmem import find

# How long the program may take, in seconds. Notebooks take a fraction of one.
LIMIT = 60

COMMANDS = {
    "check": ["check", "--output-format", "json", "--exit-zero"],
    "estimate": ["estimate", "--output-format", "html", "--exit-zero"],
}


def has_labextension():
    """Whether JupyterLab finds tfmem's extension."""
    return any(os.path.isfile(os.path.join(folder, "tfmem", "package.json")) for folder in jupyter_path("labextensions"))


def specs(_manager):
    """What jupyter-lsp starts for Python documents; nothing where the program is missing."""
    try:
        program = find()
    except FileNotFoundError:
        return {}
    # The extension shows the findings, also where another server is chosen.
    flags = ["--no-findings"] if has_labextension() else []
    spec = {
        "version": 2,
        "argv": [program, "server", *flags],
        "languages": ["python"],
        "mime_types": ["text/python", "text/x-python", "text/x-ipython"],
        "display_name": "tfmem",
        "requires_documents_on_disk": False,
        "urls": {"home": "https://github.com/tfmem/tfmem", "issues": "https://github.com/tfmem/tfmem/issues"},
    }
    return {"tfmem": spec}


class Handler(APIHandler):
    """Runs the program on a document as it stands in the browser."""

    auth_resource = "contents"

    @authenticated
    @authorized
    async def post(self, command):
        asked = self.get_json_body() or {}
        path, text = asked.get("path"), asked.get("text")
        if not isinstance(path, str) or not isinstance(text, str) or ".." in path.split("/"):
            raise HTTPError(400, "a path below the root folder of the server, and a text, are needed")
        root = getattr(self.contents_manager, "root_dir", "") or os.getcwd()
        # In a thread: asyncio has no subprocesses in the event loop of Jupyter on Windows.
        output, error = await asyncio.to_thread(run, COMMANDS[command], root, to_os_path(path), text)
        self.finish({"output": output, "error": error})


def run(arguments, root, path, text):
    """What the program prints of a text, and what went wrong, if anything."""
    try:
        done = subprocess.run(
            [find(), *arguments, "--stdin-filename", path, "-"],
            cwd=root,
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=LIMIT,
        )
    except FileNotFoundError as err:
        return "", str(err)
    except subprocess.TimeoutExpired:
        return "", f"tfmem did not answer within {LIMIT} seconds"
    if done.returncode:
        return "", done.stderr.strip().removeprefix("error: ") or f"tfmem ended with {done.returncode} and said nothing"
    return done.stdout, None


def _jupyter_server_extension_points():
    return [{"module": "tfmem.jupyter"}]


def _load_jupyter_server_extension(app):
    path = url_path_join(app.web_app.settings["base_url"], "tfmem", "(" + "|".join(COMMANDS) + ")")
    app.web_app.add_handlers(".*$", [(path, Handler)])
    if not has_labextension():
        app.log.warning("tfmem: its JupyterLab extension is not here: tfmem was built without Node.js. %load_ext tfmem works.")
