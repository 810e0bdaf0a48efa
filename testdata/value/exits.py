# no python: what this is about is not known to Python either until it runs
import sys
import mystery


def main(argv):
    global n
    if len(argv) < 2:
        n = 100
        sys.exit(1)
    n = 5
    return n


n = 0
a = main(mystery.args)  # value: 5
b = n  # value: 5


def usage():
    print("usage")
    sys.exit(2)


c = usage()  # unknown: usage raises an error
if mystery.flag():
    sys.exit()
d = 1  # value: 1
sys.exit(0)
d = 2
