# absl's app.run calls main, given or not, and so does TensorFlow 1's.
from absl import app
from os import putenv as mark


def main(argv):
    mark("MAIN", "")
    inner()


def inner():
    mark("INNER", "")


if __name__ == "__main__":
    mark("BEFORE", "")
    app.run(main)
