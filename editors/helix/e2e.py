"""Types into a real Helix with the configuration of README.md, and reads its screen.

Usage: e2e.py HELIX TFMEM
"""

import os
import re
import sys
import tempfile
import time
from pathlib import Path

import pexpect
import pyte

HERE = Path(__file__).parent
SCRIPT = HERE.parent / "testdata" / "photos.py"


def main(helix, tfmem):
    with tempfile.TemporaryDirectory(prefix="tfmem-helix") as folder:
        folder = Path(folder)
        settings = re.search(r"```toml\n(.*?)```", (HERE / "README.md").read_text(), re.S).group(1)
        (folder / "config" / "helix").mkdir(parents=True)
        (folder / "config" / "helix" / "languages.toml").write_text(settings.replace('command = "tfmem"', f'command = "{tfmem}"'))
        script = folder / "train.py"
        script.write_text(SCRIPT.read_text())
        env = {**os.environ, "XDG_CONFIG_HOME": str(folder / "config"), "HELIX_RUNTIME": str(folder), "TFMEM_GPU": "RTX 3060", "TERM": "xterm-256color"}
        editor = Editor(pexpect.spawn(helix, ["train.py"], cwd=folder, env=env, dimensions=(50, 150), encoding="utf-8"))
        editor.expect("what is found is marked", "●")
        for _ in range(30):  # the list stays as it was opened, and a training is priced later
            editor.type(" d")
            if editor.shows(1, "TFM101", "TFM601"):
                break
            editor.type("\x1b")
            editor.shows(1, "nothing in a second")
        editor.expect("space d lists what is found", "TFM101", "TFM601")
        editor.type("\x1b")
        editor.until(lambda: "TFM101" not in editor.text(), "escape closes the list")
        editor.type("]d")
        editor.expect("]d goes to a finding and shows it", "└─A batch of 768 will not fit the GPU")
        editor.type("]d")
        editor.expect("and to the next one", "sel  9:", "Memory growth is not set")
        editor.type(" a")
        editor.expect("space a offers its fixes", "Set memory growth on every GPU", "Disable TFM101 for this line")
        editor.type("\r")
        editor.expect("a fix is applied", "set_memory_growth(gpu, True)")
        editor.type(":w\r")
        editor.until(lambda: "set_memory_growth" in script.read_text(), "the file is saved with the fix")
        editor.type("/model.fit\r k")
        editor.expect("space k says what the training needs", "on batches of 768")
        editor.type("\x1b")
        editor.type(":q\r")
        editor.until(lambda: not editor.process.isalive(), "Helix ends, and the server with it")


class Screen(pyte.Screen):
    def report_device_status(self, *_, **__):
        """Helix asks for what pyte does not know; it does without an answer."""


class Editor:
    """An editor in a terminal of its own."""

    def __init__(self, process):
        self.process = process
        rows, columns = process.getwinsize()
        self.screen = Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)

    def type(self, keys):
        self.process.send(keys)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def expect(self, what, *words):
        self.until(lambda: all(word in self.text() for word in words), what)

    def until(self, holds, what, seconds=60):
        if not self.waits(holds, seconds):
            sys.exit(f"FAILED: {what}; the screen has\n{self.text()}")
        print("ok  ", what, flush=True)

    def shows(self, seconds, *words):
        return self.waits(lambda: all(word in self.text() for word in words), seconds)

    def waits(self, holds, seconds):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            try:
                self.stream.feed(self.process.read_nonblocking(1 << 16, timeout=0.1))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                time.sleep(0.1)
        return True


if __name__ == "__main__":
    main(*sys.argv[1:])
