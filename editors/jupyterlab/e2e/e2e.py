"""What a person does in JupyterLab: e2e.py CHROMIUM SCRATCH TESTDATA"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

from playwright.sync_api import expect, sync_playwright

CHROMIUM, SCRATCH, TESTDATA = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
PROJECT, TOKEN = SCRATCH / "project", "secret"
SETTINGS = SCRATCH / "settings"
JULIA = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "julia", "display_name": "Julia", "language": "julia"}, "language_info": {"name": "julia"}}, "cells": [
    {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": None, "outputs": [], "source": "import tensorflow as tf\ntf.Session()"}]}
BATCH_IN_SETTINGS = {**JULIA, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}, "language_info": {"name": "python"}}, "cells": [{"cell_type": "code", "id": str(i), "metadata": {}, "execution_count": None, "outputs": [], "source": source} for i, source in enumerate([
    "import yaml\nfrom tensorflow import keras\n\nsettings = yaml.safe_load(open('config.yaml'))",
    "model = keras.applications.ResNet50(weights=None)\nmodel.compile('adam', 'mse')\nmodel.fit(images, labels, batch_size=settings['batch_size'])"])]}
TRAINS = "from tensorflow import keras\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile('adam', 'mse')\nmodel.fit(faces, faces, batch_size=8)\n"
UNKNOWN = {**BATCH_IN_SETTINGS, "cells": [{"cell_type": "code", "id": str(i), "metadata": {}, "execution_count": None, "outputs": [], "source": source} for i, source in enumerate(["import numpy as np\n\n# The scans\n# of faces.\nfaces = np.load('faces.npy')", TRAINS])]}
expect.set_options(timeout=60_000)


def settings(plugin, **values):
    path = SETTINGS / f"{plugin}.jupyterlab-settings"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))


def start():
    """A JupyterLab and its address."""
    settings("@jupyterlab/apputils-extension/notification", fetchNews="false", checkForUpdates=False)
    settings("tfmem/plugin", gpu="RTX 3060")
    log = open(SCRATCH / "log", "w")
    lab = subprocess.Popen(
        ["jupyter-lab", "--allow-root", "--no-browser", "--port=0", "--expose-app-in-browser", f"--ServerApp.root_dir={PROJECT}"],
        env={**{k: v for k, v in os.environ.items() if k != "TFMEM_GPU"}, "JUPYTER_TOKEN": TOKEN, "JUPYTER_RUNTIME_DIR": str(SCRATCH / "runtime"), "JUPYTERLAB_SETTINGS_DIR": str(SETTINGS)},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    for _ in range(240):
        for found in (SCRATCH / "runtime").glob("jpserver-*.json"):
            if found.stat().st_size:
                return lab, json.loads(found.read_text())["url"]
        time.sleep(0.25)
    lab.terminate()
    sys.exit("JupyterLab does not start:\n" + (SCRATCH / "log").read_text())


def ok(what):
    print("ok  ", what, flush=True)


def post(url, token, **body):
    """The status of the handler's answer."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Authorization": f"token {token}"} if token else {})
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


class Lab:
    def __init__(self, browser, url):
        self.page = browser.new_page(viewport={"width": 1500, "height": 950})
        self.url = url

    def open(self, name, wait=".cm-lint-marker"):
        self.page.goto(f"{self.url}lab/tree/{name}?reset&token={TOKEN}")
        self.page.wait_for_selector(f".jp-MainAreaWidget:not(.lm-mod-hidden) {wait}", timeout=90_000)

    def run(self, command, **arguments):
        self.page.evaluate("([c, a]) => jupyterapp.commands.execute(c, a)", [command, arguments])

    def cell(self, n):
        return self.page.locator(".jp-Notebook .jp-Cell").nth(n)

    def tooltip(self, what, words):
        """The tooltip over something, which holds the words."""
        tooltip = self.page.locator(".cm-tooltip-lint").filter(has_text=words)
        for _ in range(20):
            # A mouse moves more than once.
            self.page.mouse.move(700, 900)
            what.hover()
            box = what.bounding_box()
            self.page.mouse.move(box["x"] + box["width"] / 2 + 1, box["y"] + box["height"] / 2)
            try:
                # CodeMirror makes it outside of the screen, and then looks where it belongs.
                expect(tooltip).to_be_in_viewport(timeout=2000)
                return tooltip
            except AssertionError:
                pass
        self.picture("last")
        sys.exit(f"FAILED: no tooltip with {words!r}: {self.page.locator('.cm-tooltip').all_inner_texts()}")

    def picture(self, name):
        self.page.screenshot(path=SCRATCH / "pictures" / f"{name}.png")


def findings(lab):
    lab.open("photos.ipynb")
    expect(lab.cell(2).locator(".cm-lint-marker")).to_have_count(2)
    ok("findings stand in the cells")
    expect(lab.cell(4).locator(".cm-lint-marker")).to_have_count(1)
    ok("and in a cell of %%time")
    expect(lab.cell(1).locator(".cm-lintRange-warning")).to_have_count(1)
    lab.tooltip(lab.cell(1).locator(".cm-lintRange-warning"), "imported but unused")
    ok("pylsp's findings stand in the same notebook")
    tooltip = lab.tooltip(lab.cell(2).locator(".cm-lint-marker-warning"), "TFM601 A batch of 768")
    expect(tooltip.locator("a")).to_have_count(0)
    tooltip.get_by_text("What TFM601 is about").click()
    expect(tooltip.locator("details")).to_contain_text("Prices a model from its source")
    lab.picture("rule")
    ok("the popup has what the rule is about")
    line = lab.cell(4).locator(".tfmem-above")
    expect(line).to_have_text(re.compile(r"^≈ [\d.]+ GiB of [\d.]+ GiB on NVIDIA GeForce RTX 3060 · does not fit, up to \d+ does$"))
    expect(lab.page.locator("#tfmem-status")).to_have_text(re.compile(r"^tfmem: does not fit, up to \d+ does$"))
    expect(lab.page.locator("#tfmem-estimate")).not_to_be_visible()
    lab.page.mouse.move(700, 900)
    line.get_by_role("button").click()
    expect(lab.page.locator("#tfmem-estimate")).to_be_visible()
    lab.page.locator(".jp-SideBar.jp-mod-right .lm-TabBar-tab").filter(has_text="GPU Memory").click()
    expect(lab.page.locator("#tfmem-estimate")).not_to_be_visible()
    lab.tooltip(lab.cell(2).locator(".cm-lint-marker-warning"), "TFM601 A batch of 768").get_by_text("See all ways to make it fit").click()
    expect(lab.page.locator("#tfmem-estimate")).to_be_visible()
    ok("above fit stands what the training needs; a click opens the panel, which has a label")
    expect(lab.page.locator(".jp-SideBar.jp-mod-right .lm-TabBar-tabLabel").filter(has_text="GPU Memory")).to_be_visible()
    page = lab.page.frame_locator("#tfmem-estimate iframe")
    expect(page.locator(".figures")).to_contain_text("768")
    lab.tooltip(lab.cell(2).locator(".cm-lint-marker-warning"), "TFM601")
    lab.picture("light")
    lab.run("apputils:change-theme", theme="JupyterLab Dark")
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    lab.tooltip(lab.cell(2).locator(".cm-lint-marker-info"), "TFM101")
    lab.picture("dark")
    lab.run("apputils:change-theme", theme="JupyterLab Light")
    ok("the panel shows the models, in the theme of JupyterLab")

    tooltip = lab.tooltip(lab.cell(2).locator(".cm-lint-marker-warning"), "TFM601")
    smaller = tooltip.get_by_text(re.compile(r"^Train with a batch of \d+"))
    batch = re.search(r"\d+", smaller.inner_text()).group()
    smaller.click()
    expect(lab.cell(2).locator(".cm-content")).to_contain_text(f"BATCH_SIZE = {batch}")
    expect(lab.cell(2).locator(".cm-lint-marker-warning")).to_have_count(0)
    ok("a fix is applied from the marker, and the finding goes")
    expect(page.locator(".figures")).to_contain_text(batch)
    ok("the panel follows the text")
    lab.tooltip(lab.cell(2).locator(".cm-lint-marker-info"), "TFM101").get_by_text("Set memory growth").click()
    expect(lab.cell(1).locator(".cm-content")).to_contain_text("set_memory_growth")
    lab.run("docmanager:save")
    expect(lab.page.locator(".jp-mod-dirty")).to_have_count(0)
    saved = ["".join(c["source"]) for c in json.loads((PROJECT / "photos.ipynb").read_text())["cells"]]
    assert f"BATCH_SIZE = {batch}\n" in saved[2] and saved[1].endswith('import keras\n\nfor gpu in tf.config.list_physical_devices("GPU"):\n    tf.config.experimental.set_memory_growth(gpu, True)'), saved
    ok("a fix changes another cell, and the file has both")

    lab.cell(2).locator(".cm-line").nth(1).click()
    lab.page.keyboard.press("End")
    began = time.monotonic()
    lab.page.keyboard.type("0", delay=20)
    lab.page.wait_for_selector(".cm-lint-marker-warning")
    ok(f"a finding stands {time.monotonic() - began:.1f} s after the key that makes it")
    lab.page.keyboard.press("Backspace")
    expect(lab.page.locator(".cm-lint-marker-warning")).to_have_count(0)


def configured(lab):
    """What the settings say, and choosing a GPU."""
    shutil.copy(TESTDATA / "photos.ipynb", PROJECT / "settings.ipynb")
    lab.open("settings.ipynb")
    line, status = lab.cell(4).locator(".tfmem-above"), lab.page.locator("#tfmem-status")
    expect(line).to_contain_text("RTX 3060")

    def choose(gpu):
        field = lab.page.locator(".jp-Dialog input")
        expect(field).to_be_visible()
        field.fill(gpu)
        lab.picture("choose-gpu")
        lab.page.locator(".jp-Dialog .jp-mod-accept").click()

    lab.run("settingeditor:open", query="tfmem")
    expect(lab.page.locator(".jp-SettingsPanel, .jp-SettingsForm").first).to_contain_text("Lines above fit")
    lab.picture("settings")
    lab.run("docmanager:open", path="settings.ipynb")
    lab.page.evaluate("jupyterapp.serviceManager.settings.save('tfmem:plugin', JSON.stringify({ gpu: 'none', severity: { TFM101: 'hint' } }))")
    lab.open("settings.ipynb")
    expect(lab.cell(2).locator(".cm-lint-marker-hint")).to_be_visible()
    expect(line).to_have_text(re.compile(r"^≈ [\d.]+ GiB of GPU memory · choose a GPU$"))
    expect(status).to_have_text("tfmem: choose a GPU")
    lab.picture("hint")
    ok("a hint has its mark, and without a GPU the status bar says what to do")
    lab.tooltip(lab.cell(2).locator(".cm-lint-marker-hint"), "TFM101").get_by_text("Disable TFM101 for this line").click()
    expect(lab.cell(2).locator(".cm-content")).to_contain_text("  # tfmem: ignore[TFM101]")
    expect(lab.page.locator(".cm-lint-marker-hint")).to_have_count(0)
    ok("a rule is disabled from the marker")
    status.click()
    choose("5 GiB")
    expect(line).to_contain_text("does not fit")
    lab.page.evaluate("jupyterapp.serviceManager.settings.save('tfmem:plugin', JSON.stringify({ gpu: 'none' }))")
    lab.open("settings.ipynb", ".tfmem-above")
    line.get_by_role("button").click()
    choose("640 GiB")
    expect(line).to_contain_text("fits")
    expect(status).to_contain_text("tfmem: fits")
    lab.page.evaluate("void jupyterapp.commands.execute('tfmem:choose-gpu')")
    choose("RTX 9999")
    expect(lab.page.locator(".Toastify__toast").filter(has_text="RTX 9999")).to_be_visible()
    lab.page.evaluate("jupyterapp.serviceManager.settings.save('tfmem:plugin', JSON.stringify({ gpu: 'RTX 3060', lines: false }))")
    lab.open("settings.ipynb")
    expect(lab.cell(2).locator(".cm-lint-marker-warning")).to_be_visible()
    expect(line).to_have_count(0)
    lab.page.evaluate("jupyterapp.serviceManager.settings.save('tfmem:plugin', JSON.stringify({ gpu: 'RTX 3060' }))")
    ok("another GPU is chosen, a mistake in the settings is told, and lines can be turned off")


def cause(lab):
    """The line above a training without a price leads to what is not known: in another cell, or in another file."""
    cursor = "(() => { const { content } = jupyterapp.shell.currentWidget; const { line, column } = (content.activeCell ?? content).editor.getCursorPosition(); return [content.activeCell ? content.activeCellIndex : jupyterapp.shell.currentWidget.title.label, line, column]; })()"

    def leads(to):
        for _ in range(60):
            if lab.page.evaluate(cursor) == to:
                return
            time.sleep(0.25)
        sys.exit(f"FAILED: the cursor is at {lab.page.evaluate(cursor)}, not {to}")

    lab.open("unknown.ipynb", ".tfmem-above")
    line = lab.cell(1).locator(".tfmem-above")
    expect(line).to_contain_text("not priced")
    lab.picture("not-priced")
    line.get_by_role("button").click()
    leads([0, 4, 8])
    lab.picture("cause")
    lab.open("unknown.py", ".tfmem-above")
    lab.page.locator(".tfmem-above").get_by_role("button").click()
    leads(["faces.py", 5, 11])
    ok("the line above a training without a price leads to its cause, also in another file")


def failed(lab):
    """A cell that ran out of memory."""
    lab.open("failed.ipynb")
    tooltip = lab.tooltip(lab.cell(3).locator(".cm-lint-marker"), "TFM801 The step probably needs more memory than TensorFlow had")
    lab.picture("failed")
    tooltip.get_by_text(re.compile(r"^Train with a batch of \d+, which fits 1.07 GiB")).click()
    expect(lab.cell(3).locator(".cm-content")).to_contain_text(re.compile(r"batch_size=\d{3}\)"))
    expect(lab.page.locator(".cm-tooltip-lint, .cm-lint-marker-warning")).to_have_count(0)
    ok("TFM801 stands on the cell that failed, and its fix takes the batch that fits")


def kernel(lab):
    """What the cells leave open, and the kernel knows."""
    lab.open("living.ipynb", ".jp-CodeCell .cm-content")
    line = lab.cell(2).locator(".tfmem-above")
    expect(line).to_have_text(re.compile("^not priced"))
    lab.cell(1).locator(".cm-content").click()
    lab.run("notebook:run-cell")
    expect(lab.cell(1).locator(".jp-InputPrompt")).to_have_text("[1]:", timeout=60_000)
    expect(line).to_have_text(re.compile("^not priced"))
    lab.run("tfmem:use-kernel")
    expect(line).to_have_text(re.compile(r"^≈ [\d.]+ [KM]iB.* fits"))
    lab.picture("kernel")
    lab.run("tfmem:use-kernel")
    expect(line).to_have_text(re.compile("^not priced"))
    ok("what lives in the kernel counts once somebody says so, and no longer")


def settings_file(lab):
    """The number of a batch stands in a YAML file, which Jupyter changes."""
    path = PROJECT / "config.yaml"
    lab.open("settings.ipynb")
    marker = lab.cell(1).locator(".cm-lint-marker-warning")
    tooltip = lab.tooltip(marker, "The batch size is batch_size in config.yaml:2")
    lab.picture("other-file")
    # A kernel that has started says more about itself.
    asked = []
    lab.page.on("request", lambda request: asked.append(request.url) if "/tfmem/check" in request.url else None)
    lab.page.evaluate("jupyterapp.shell.currentWidget.model.sharedModel.setMetadata('language_info', {name: 'python', version: '3.99'})")
    lab.page.wait_for_timeout(1500)  # three times the pause after which a change is checked
    if asked:
        sys.exit("FAILED: the notebook is checked again, and its tooltips replaced, as its kernel starts")
    path.write_text(path.read_text(encoding="utf-8").replace("512", "5120"), encoding="utf-8")
    tooltip.get_by_text("Train with a batch of").click()
    expect(lab.page.get_by_text("config.yaml is no longer as it was when the fix was offered")).to_be_visible()
    path.write_text(path.read_text(encoding="utf-8").replace("5120", "512"), encoding="utf-8")
    lab.open("settings.ipynb")
    lab.tooltip(marker, "The batch size is batch_size in config.yaml:2").get_by_text("Train with a batch of").click()
    expect(marker).to_have_count(0, timeout=30_000)
    text = path.read_text(encoding="utf-8")
    if not re.fullmatch(r"# é\nbatch_size: \d{1,2}   # of the paper\n", text):
        sys.exit(f"FAILED: the settings are {text!r}")
    ok("a fix changes a settings file, unless that is another by now")


def files(lab):
    lab.run("docmanager:open", path="photos.py")
    markers = lab.page.locator(".jp-FileEditor .cm-lint-marker")
    expect(markers).not_to_have_count(0)
    page = lab.page.frame_locator("#tfmem-estimate iframe")
    expect(page.locator("main")).to_contain_text("photos.py")
    lab.picture("file")
    ok("findings stand in a file, and the panel follows to it")


def characters(lab):
    lab.open("train.ipynb")
    assert "".join(lab.cell(2).locator(".cm-lintRange-info").all_inner_texts()) == "keras.Sequential"
    ok("what stands behind an emoji is underlined where it is")


def foreign(lab):
    lab.open("julia.ipynb", ".jp-CodeCell .cm-content")
    lab.run("tfmem:show-estimate")
    expect(lab.page.frame_locator("#tfmem-estimate iframe").locator("body")).to_contain_text("is julia, not Python")
    expect(lab.page.locator(".cm-lint-marker, .cm-lintRange")).to_have_count(0)
    lab.picture("julia")
    ok("a notebook of another language is left alone")


def mistakes(lab):
    (PROJECT / "tfmem.toml").write_text('gpuu = "T4"\n')
    lab.open("train.ipynb", ".jp-CodeCell .cm-content")
    expect(lab.page.locator(".Toastify__toast").filter(has_text="gpuu")).to_contain_text("did you mean gpu")
    lab.picture("mistake")
    (PROJECT / "tfmem.toml").unlink()
    lab.run("docmanager:save")
    lab.page.wait_for_selector(".cm-lint-marker-info")
    ok("a mistake in the settings is told, and saving looks again")


def chosen(lab):
    """Where jupyterlab-lsp runs tfmem's server, too."""
    shutil.copy(TESTDATA / "photos.ipynb", PROJECT / "again.ipynb")
    lab.open("again.ipynb")
    hovered = lab.page.locator(".lsp-hover").filter(has_text="Dense")
    for _ in range(30):
        lab.page.mouse.move(700, 900)
        lab.cell(3).locator(".cm-line").nth(8).get_by_text("Dense").hover()
        time.sleep(1)
        if hovered.count():
            break
    lab.picture("chosen")
    expect(hovered).to_contain_text("parameters")
    expect(lab.cell(2).locator(".cm-lintRange")).to_have_count(2)
    ok("where jupyterlab-lsp runs tfmem, it gives hovers, and no finding stands twice")


def main():
    PROJECT.mkdir()
    for name in "photos.ipynb", "photos.py", "train.ipynb", "failed.ipynb", "living.ipynb":
        shutil.copy(TESTDATA / name, PROJECT)
    (PROJECT / "julia.ipynb").write_text(json.dumps(JULIA))
    (PROJECT / "settings.ipynb").write_text(json.dumps(BATCH_IN_SETTINGS))
    (PROJECT / "unknown.ipynb").write_text(json.dumps(UNKNOWN))
    (PROJECT / "faces.py").write_text("import numpy as np\n\n\ndef read():\n    # the scans\n    return np.load('faces.npy')\n")
    (PROJECT / "unknown.py").write_text(TRAINS.replace("faces", "faces.read()").replace("import keras", "import keras\nimport faces"))
    (PROJECT / "config.yaml").write_text("# é\nbatch_size: 512   # of the paper\n", encoding="utf-8")
    lab, url = start()
    try:
        handler = url + "tfmem/check"
        assert post(handler, None, path="a.py", text="") == 403
        assert post(handler, TOKEN, path="../a.py", text="") == 400
        assert post(handler, TOKEN, path="a.py", text="") == 200
        ok("only who may use the server may ask tfmem, and below its root")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            view = Lab(browser, url)
            try:
                findings(view)
                files(view)
                failed(view)
                kernel(view)
                settings_file(view)
                configured(view)
                cause(view)
                characters(view)
                foreign(view)
                mistakes(view)
                settings("@jupyter-lsp/jupyterlab-lsp/plugin", language_servers={"tfmem": {"priority": 100}})
                settings("@jupyter-lsp/jupyterlab-lsp/hover", autoActivate=True)
                chosen(view)
            except BaseException:
                view.picture("last")
                raise
            browser.close()
    finally:
        lab.terminate()
        lab.wait()


if __name__ == "__main__":
    main()
