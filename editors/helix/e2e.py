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
        editor.type(" d")
        editor.expect("space d lists what is found", "TFM101", "TFM601")
        editor.type("\x1b")
        editor.until(lambda: "TFM101" not in editor.text(), "escape closes the list")
        editor.type("]d")
        editor.expect("]d goes to a finding and shows it", "(TFM601)")
        editor.type("]d")
        editor.expect("and to the next one", "Memory growth is not set")
        editor.type(" a")
        editor.expect("space a offers its fixes", "Set memory growth on every GPU", "Disable TFM101 for this line")
        editor.type("\r")
        editor.expect("a fix is applied", "set_memory_growth(gpu, True)")
        editor.type(":w\r")
        editor.until(lambda: "set_memory_growth" in script.read_text(), "the file is saved with the fix")
        editor.type("/model.fit\r k")
        editor.expect("space k says what the training needs", "of GPU memory")
        editor.type("\x1b")
        editor.until(lambda: "of GPU memory" not in editor.text(), "escape closes it")
        editor.type(":q\r")
        editor.until(lambda: not editor.process.isalive(), "Helix ends, and the server with it")


class Editor:
    """An editor in a terminal of its own."""

    def __init__(self, process):
        self.process = process
        rows, columns = process.getwinsize()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)

    def type(self, keys):
        self.process.send(keys)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def expect(self, what, *words):
        self.until(lambda: all(word in self.text() for word in words), what)

    def until(self, holds, what, seconds=60):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                sys.exit(f"FAILED: {what}; the screen has\n{self.text()}")
            try:
                self.stream.feed(self.process.read_nonblocking(1 << 16, timeout=0.1))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                time.sleep(0.1)
        print("ok  ", what, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
