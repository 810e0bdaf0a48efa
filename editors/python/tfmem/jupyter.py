"""tfmem in Jupyter servers: the language server of jupyterlab-lsp, and what the JupyterLab
extension of editors/jupyterlab asks.
"""

import asyncio
import functools
import json
import os
import pathlib
import posixpath
import re
import subprocess
import tempfile
import threading
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from jupyter_core.paths import jupyter_path
from jupyter_server.auth import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import to_os_path, url_path_join
from tornado.web import HTTPError, authenticated

from tfmem import find

# How long the program may take, in seconds. Notebooks take a fraction of one.
LIMIT = 60

# What the handler answers: what is shown in the text, the page about the models, a rule's text,
# the names of GPUs.
QUESTIONS = ("check", "estimate", "rule", "gpus")


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
    async def post(self, question):
        asked = self.get_json_body() or {}
        if question == "rule":
            if not re.fullmatch(r"TFM\d{3}", str(asked.get("code"))):
                raise HTTPError(400, "the code of a rule is needed")
            answer = functools.partial(run, "rule", asked["code"])
        elif question == "gpus":
            answer = gpus
        else:
            path, text, settings, kernel = asked.get("path"), asked.get("text"), asked.get("settings") or {}, asked.get("kernel") or ""
            if not isinstance(path, str) or not isinstance(text, str) or not isinstance(kernel, str) or not isinstance(settings, dict) or ".." in path.split("/"):
                raise HTTPError(400, "a path below the root folder of the server, and a text, are needed")
            root = getattr(self.contents_manager, "root_dir", "") or os.getcwd()
            answer = functools.partial(ask, question, root, to_os_path(path, root), text, settings, kernel)
        # In a thread: asyncio has no subprocesses in the event loop of Jupyter on Windows.
        try:
            self.finish({"answer": await asyncio.to_thread(answer)})
        except (OSError, Failure, subprocess.TimeoutExpired) as error:
            self.finish({"error": str(error)})


class Failure(Exception):
    """The program cannot answer."""


def run(*command):
    """What the program prints."""
    return subprocess.run([find(), *command], capture_output=True, text=True, encoding="utf-8", timeout=LIMIT).stdout


def gpus():
    """The names of GPUs, those of clouds first, which have other names, too."""
    known = json.loads(run("gpu", "--list", "--output-format", "json"))
    return list(dict.fromkeys(g["name"] for g in sorted(known, key=lambda g: not g["nicknames"])))


def ask(question, root, path, text, settings, kernel=""):
    """What the language server says of a document as it stands in the browser, and of what its kernel
    said of the names in it (kernel.told)."""
    with Conversation(root, settings) as server:
        document = server.open(path, text)
        if kernel:
            server.ask("workspace/executeCommand", command="tfmem.takeKernel", arguments=[document.uri, kernel])
        if question == "estimate":
            return server.ask("workspace/executeCommand", command="tfmem.showEstimate", arguments=[document.uri])
        # The server has looked for GPUs when it has answered, and knows what to compare with.
        gpu = server.ask("tfmem/gpu", textDocument={"uri": document.uri})
        findings, lenses = [], []
        for cell, uri in document.parts.items():
            found = document.findings(cell, server.ask("textDocument/diagnostic", textDocument={"uri": uri})["items"])
            everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 30, "character": 0}}
            context = {"diagnostics": [], "only": ["quickfix"]}
            document.offer(found, server.ask("textDocument/codeAction", textDocument={"uri": uri}, range=everywhere, context=context), root)
            findings += found
            for lens in server.ask("textDocument/codeLens", textDocument={"uri": uri}):
                command = lens["command"]
                place = document.goal(*command["arguments"], root) if command["command"] == "tfmem.showCause" else None
                lenses.append({"cell": cell, "line": lens["range"]["start"]["line"], "title": command["title"], "command": command["command"], "place": place})
        return {"findings": findings, "lenses": lenses, "gpu": gpu, "mistakes": server.mistakes}


class Document:
    """The URIs that the server knows a document by. Cells count from 0; that of a file is 0."""

    def __init__(self, uri, parts):
        self.uri, self.parts = uri, parts
        self.cells = {uri: cell for cell, uri in parts.items()}

    def place(self, uri):
        """Where something is: in a cell of this notebook, which counts from 1, or in another file."""
        if uri == self.uri:
            return {}
        return {"cell": self.cells[uri] + 1} if uri in self.cells else {"file": posixpath.basename(unquote(urlsplit(uri).path))}

    def goal(self, uri, position, root):
        """A position in a cell, or in a file below the root folder of Jupyter; None for another file."""
        if uri in self.cells:
            return {"cell": self.cells[uri], "position": position}
        try:
            return {"file": pathlib.Path(url2pathname(urlsplit(uri).path)).relative_to(pathlib.Path(root).absolute()).as_posix(), "position": position}
        except ValueError:
            return None

    def findings(self, cell, diagnostics):
        return [
            {
                "cell": cell, "range": d["range"], "severity": d["severity"], "code": d["code"], "message": d["message"],
                "url": d.get("codeDescription", {}).get("href", ""), "actions": [],
                "related": [{**self.place(r["location"]["uri"]), "line": r["location"]["range"]["start"]["line"], "message": r["message"]} for r in d.get("relatedInformation", [])],
            }
            for d in diagnostics
        ]

    def edit(self, uri, edit, root):
        """An edit of a cell, or of a file below the root folder of Jupyter; None for another file."""
        there = {"range": edit["range"], "text": edit["newText"]}
        if uri in self.cells:
            return {"cell": self.cells[uri], **there}
        path = pathlib.Path(url2pathname(urlsplit(uri).path))
        start, end = edit["range"]["start"], edit["range"]["end"]
        try:
            with open(path, encoding="utf-8-sig", newline="") as text:
                line = text.read().split("\n")[start["line"]].removesuffix("\r")
            below = path.relative_to(pathlib.Path(root).absolute()).as_posix()
        except (OSError, UnicodeError, ValueError, IndexError):
            return None
        if start["line"] != end["line"]:
            return None
        return {"file": below, "was": line, **there}

    def offer(self, findings, actions, root):
        """Adds actions to the findings that they are for, unless they change files beyond Jupyter's."""
        for action in actions or []:
            changes, command = action.get("edit", {}).get("changes", {}), action.get("command", {}).get("command")
            edits = [self.edit(uri, e, root) for uri, edits in changes.items() for e in edits]
            if not (edits or command) or None in edits:
                continue
            for finding in findings:
                if any((d["code"], d["range"], d["message"]) == (finding["code"], finding["range"], finding["message"]) for d in action.get("diagnostics", [])):
                    finding["actions"].append({"title": action["title"], "edits": edits, "command": command})


class Conversation:
    """A language server that runs for one document."""

    # What the extension can do with its answers. It pulls findings, and shows the lines above fit.
    CAPABILITIES = {
        "textDocument": {
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
            "codeLens": {},
            "diagnostic": {"relatedInformation": True, "codeDescriptionSupport": True},
            "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True},
        },
        "workspace": {"diagnostics": {"refreshSupport": True}, "executeCommand": {}},
        "notebookDocument": {"synchronization": {}},
    }

    def __init__(self, root, settings):
        self.mistakes, self.number = [], 0
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([find(), "server"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.watch = threading.Timer(LIMIT, self.process.kill)
        self.watch.start()
        self.root, self.settings = root, settings

    def __enter__(self):
        folder = pathlib.Path(self.root).absolute()
        self.ask(
            "initialize", processId=os.getpid(), rootUri=folder.as_uri(), workspaceFolders=[{"uri": folder.as_uri(), "name": folder.name}],
            capabilities=self.CAPABILITIES, initializationOptions={"settings": self.settings, "tfmemCommands": ["tfmem.showEstimate", "tfmem.chooseGpu", "tfmem.showCause"]},
        )
        self.tell("initialized")
        return self

    def __exit__(self, *_):
        self.watch.cancel()
        self.process.kill()
        self.process.communicate()
        self.log.close()

    def open(self, path, text):
        uri = pathlib.Path(path).absolute().as_uri()
        if not path.lower().endswith(".ipynb"):
            self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "python", "version": 1, "text": text})
            return Document(uri, {0: uri})
        cells = json.loads(text)["cells"]
        code = {i: f"{uri}#{i}" for i, cell in enumerate(cells) if cell["cell_type"] == "code"}
        self.tell(
            "notebookDocument/didOpen",
            notebookDocument={"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": [
                {"kind": 2 if i in code else 1, "document": f"{uri}#{i}", "metadata": {"outputs": cell.get("outputs", [])}} for i, cell in enumerate(cells)]},
            cellTextDocuments=[{"uri": code[i], "languageId": "python", "version": 1, "text": cells[i]["source"]} for i in code],
        )
        return Document(uri, code)

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def ask(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("method") == "window/showMessage" and message["params"]["type"] == 1:
                self.mistakes.append(message["params"]["message"])
            elif "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif message.get("id") == self.number:
                if "error" in message:
                    raise Failure(message["error"]["message"])
                return message["result"]

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()
        except OSError:
            self.ended()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        body = self.process.stdout.read(length) if length else b""
        return json.loads(body) if body else self.ended()

    def ended(self):
        if not self.watch.is_alive():
            raise Failure(f"tfmem did not answer within {LIMIT} seconds")
        status = self.process.wait()
        self.log.seek(0)
        said = self.log.read().decode(errors="replace").strip().removeprefix("error: ")
        raise Failure(said or f"tfmem ended with {status} and said nothing")


def _jupyter_server_extension_points():
    return [{"module": "tfmem.jupyter"}]


def _load_jupyter_server_extension(app):
    path = url_path_join(app.web_app.settings["base_url"], "tfmem", "(" + "|".join(QUESTIONS) + ")")
    app.web_app.add_handlers(".*$", [(path, Handler)])
    if not has_labextension():
        app.log.warning("tfmem: its JupyterLab extension is not here: tfmem was built without Node.js. %load_ext tfmem works.")
