# What threads run, they run where they are started.
import threading
from threading import Thread

seen = []


def note(a, b=0):
    seen.append((a, b))


t = threading.Thread(target=note, args=(1,), kwargs={"b": 2})
before = list(seen)  # value: []
t.start()
t.join()
after = list(seen)  # value: [(1, 2)]


class Worker(Thread):
    def __init__(self, n):
        Thread.__init__(self)
        self.n = n

    def run(self):
        for i in range(self.n):
            note(i, self.n)


workers = [Worker(n) for n in (1, 2)]
for w in workers:
    w.start()
    w.join()
own = seen[1:]  # value: [(0, 1), (0, 2), (1, 2)]


class Named(Thread):
    def __init__(self):
        super().__init__(target=note, args=(7,))


Named().start()
last = seen[-1]  # value: (7, 0)
