# The body of a try is read as if it succeeds, a handler as if it may run.
from os import putenv as mark
import sys

try:
    mark("BODY", "")
except ValueError as e:
    mark("HANDLER", "")
else:
    mark("ELSE", "")
finally:
    mark("FINALLY", "")
mark("AFTER", "")


def leaves():
    try:
        mark("F_BODY", "")
        return 1
    except ValueError:
        mark("F_HANDLER", "")
    else:
        mark("UNREACHED", "")
    mark("F_AFTER", "")


def all_leave():
    try:
        return mark("G_BODY", "")
    except ValueError:
        raise
    mark("UNREACHED", "")


def cleans():
    try:
        mark("H_BODY", "")
    finally:
        mark("H_FINALLY", "")
        return
    mark("UNREACHED", "")


leaves()
all_leave()
cleans()
