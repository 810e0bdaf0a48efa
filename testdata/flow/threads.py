# Functions that are handed to what calls them.
import threading
import multiprocessing
from os import putenv as mark


def in_thread():
    mark("THREAD", "")


def in_process():
    mark("PROCESS", "")


threading.Thread(target=in_thread).start()
p = multiprocessing.Process(target=in_process)
p.start()
