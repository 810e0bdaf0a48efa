# What stands under the guard runs last, when the file is run as a script.
from os import putenv as mark


def main():
    setup()
    mark("MAIN", "")


def setup():
    mark("SETUP", "")


if (__name__ == "__main__"):
    main()
else:
    mark("IMPORTED", "")
