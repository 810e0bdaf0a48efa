"""Records how libraries and servers start their workers, and which process imports the program's module.

python record_libraries.py > libraries.csv, with joblib, dask[distributed], ray, gunicorn, uvicorn, celery
and uwsgi installed, and no TensorFlow. "starts" is how multiprocessing starts the worker, "fork" for a server
whose workers are children that run no new program, "other" for a program of its own; "imports" says who has
imported the module: each worker, the parent before it forked, or the same process where there are threads."""

import importlib.metadata
import os
import subprocess
import sys
import tempfile
import time
import urllib.request

MODULE = """
import multiprocessing, os, sys
IMPORTED = os.getpid()

def who(_=0):
    import multiprocessing, time
    time.sleep(0.3)
    return os.getpid(), IMPORTED, multiprocessing.get_start_method(allow_none=True) or "other", open("/proc/self/cmdline").read() == open("/proc/%d/cmdline" % os.getppid()).read()

def wsgi(environment, start):
    start("200 OK", [("Content-Type", "text/plain")])
    return [repr(who()).encode()]

async def asgi(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": repr(who()).encode()})

try:
    from celery import Celery
    from celery.signals import worker_process_init
    tasks = Celery("module", broker="memory://")

    @worker_process_init.connect
    def started(**_):
        print("WHO", repr(who()), flush=True, file=sys.__stderr__)
except ImportError:
    pass
"""

CALLS = {
    "joblib.Parallel": "from joblib import Parallel, delayed\nfound = Parallel(n_jobs=2)(delayed(module.who)(i) for i in range(4))",
    "joblib.Parallel backend=multiprocessing": "from joblib import Parallel, delayed\nfound = Parallel(n_jobs=2, backend='multiprocessing')(delayed(module.who)(i) for i in range(4))",
    "joblib.Parallel prefer=threads": "from joblib import Parallel, delayed\nfound = Parallel(n_jobs=2, prefer='threads')(delayed(module.who)(i) for i in range(4))",
    "dask.distributed.Client": "from dask.distributed import Client\nwith Client(n_workers=2) as c: found = c.gather(c.map(module.who, range(4)))",
    "dask.distributed.Client processes=False": "from dask.distributed import Client\nwith Client(n_workers=2, processes=False) as c: found = c.gather(c.map(module.who, range(4)))",
    "ray.remote": "import ray\nray.init(num_cpus=2, num_gpus=1, include_dashboard=False, runtime_env={'env_vars': {'PYTHONPATH': '.'}})\nfound = ray.get([ray.remote(num_gpus=0.5)(module.who).remote(i) for i in range(4)])",
}

SERVERS = {
    "gunicorn": "gunicorn -w 2 -b 127.0.0.1:8791 module:wsgi",
    "gunicorn --preload": "gunicorn -w 2 -b 127.0.0.1:8791 --preload module:wsgi",
    "uvicorn": "uvicorn --workers 2 --port 8791 module:asgi",
    "uwsgi": "uwsgi --http :8791 --module module:wsgi --processes 2 --master --need-app",
    "uwsgi --lazy-apps": "uwsgi --http :8791 --module module:wsgi --processes 2 --master --need-app --lazy-apps",
    "celery worker": "celery -A module:tasks worker -c 2",
}


def row(name, found, parent, server=False):
    pid, imported, method, forked = found
    imports = "same process" if pid == parent else "each worker" if imported == pid else "parent"
    starts = "threads" if pid == parent else method
    if server or imports == "parent":
        starts = method if method == "spawn" else "fork" if forked or imports == "parent" else "other"
    print("%s,%s,%s" % (name, starts, imports), flush=True)


if __name__ == "__main__":
    versions = [n + " " + importlib.metadata.version(n) for n in ("joblib", "distributed", "ray", "gunicorn", "uvicorn", "celery", "uwsgi")]
    print("# Python %d.%d, %s" % (*sys.version_info[:2], ", ".join(versions)))
    print("name,starts,imports")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "module.py"), "w") as f:
            f.write(MODULE)
        for name, call in CALLS.items():
            text = "import module, os\nif __name__ == '__main__':\n    " + call.replace("\n", "\n    ") + "\n    print('WHO', repr((found[0], os.getpid())))\n"
            with open(os.path.join(folder, "main.py"), "w") as f:
                f.write(text)
            out = subprocess.run([sys.executable, "main.py"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
            found, parent = eval(out[out.index("WHO") + 3 :])
            row(name, found, parent)
        for name, command in SERVERS.items():
            with open(os.path.join(folder, "log"), "w+") as log:
                server = subprocess.Popen([os.path.join(os.path.dirname(sys.executable), command.split()[0])] + command.split()[1:], cwd=folder, stdout=log, stderr=log)
                for _ in range(100):
                    time.sleep(0.5)
                    if name.startswith("celery"):
                        log.flush()
                        text = open(log.name).read()
                        if "WHO" in text:
                            found = eval(text[text.index("WHO") + 3 :].split("\n")[0])
                            break
                    else:
                        try:
                            found = eval(urllib.request.urlopen("http://127.0.0.1:8791").read())
                            break
                        except OSError:
                            pass
                else:
                    sys.exit(name + " does not answer")
                row(name, found, 0, server=True)
                server.terminate()
                try:
                    server.wait(10)
                except subprocess.TimeoutExpired:
                    server.kill()
            time.sleep(1)
