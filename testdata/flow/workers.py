import concurrent.futures
import multiprocessing
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, Process, get_context
from multiprocessing.pool import ThreadPool
from os import putenv as mark

import tensorflow as tf


def work(i=0):
    mark("WORK", "")


class Worker(Process):
    def __init__(self):
        super().__init__()
        mark("MADE", "")

    def run(self):
        mark("RUN", "")


class Service:
    def __init__(self, given):
        self.context = mp.get_context("forkserver")
        self.given = given

    def start(self):
        self.context.Process(target=work).start()
        self.given.Process(target=work).start()


Process(target=work)
mp.Process(None, work)
multiprocessing.get_context("spawn").Process(target=work)
ctx = get_context("fork")
ctx.Process(target=work)
ctx.Pool(4, work)
get_context().Process(target=work)
get_context(method=None).Pool()
get_context(chosen).Process(target=work)
maybe = get_context("fork") if fast else get_context("spawn")
maybe.Process(target=work)
Worker().start()
with Pool(4) as pool:
    pool.map(work, range(4))
    pool.apply_async(func=work)
ProcessPoolExecutor(4).submit(work, 1)
ProcessPoolExecutor(4, ctx, work)
ProcessPoolExecutor(mp_context=get_context("spawn"))
ProcessPoolExecutor(max_tasks_per_child=1)
concurrent.futures.ProcessPoolExecutor(*arguments)
ThreadPool(4).map(work, range(4))
mp.set_start_method("spawn", force=True)
mp.set_start_method(chosen)
Service(mp).start()


def uncalled():
    Process(target=other).start()


def other():
    mark("OTHER", "")
