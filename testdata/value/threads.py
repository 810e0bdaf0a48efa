# What threads run, they run where they are started.
import threading

seen = []


def note(a, b=0):
    seen.append((a, b))


t = threading.Thread(target=note, args=(1,), kwargs={"b": 2})
before = list(seen)  # value: []
t.start()
t.join()
after = list(seen)  # value: [(1, 2)]
