# A guard with more to it still makes a script, but what stands under it may not
# run.
import sys
from os import putenv as mark

if __name__ == "__main__" and len(sys.argv) > 1:
    mark("A", "")
if __name__ == "other" or x:
    mark("B", "")
