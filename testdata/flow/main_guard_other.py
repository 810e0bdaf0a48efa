# The guard the other way round, and what is no guard.
from os import putenv as mark

if __name__ == "other":
    mark("A", "")
if '__main__' == __name__:
    mark("B", "")
