# A guard that is negated makes a script, and its block does not run.
from os import putenv as mark

if not __name__ == "__main__":
    mark("IMPORTED", "")
else:
    mark("SCRIPT", "")
if x or __name__ == "__main__":
    mark("EITHER", "")
