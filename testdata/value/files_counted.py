# Of other texts of the project, and of long ones, only the lines are counted.
import os
from pathlib import Path

HERE = os.path.dirname(__file__)
PATH = os.path.join(HERE, "data", "reviews.csv")

with open(PATH, encoding="utf-8") as f:
    lines = f.readlines()
many = len(lines)  # value: 6
first = lines[0]  # unknown: the text of ".*reviews.csv", of which only the lines are counted
tail = len(lines[1:])  # value: 5
head = len(lines[:4])  # value: 4
both = len(lines + lines)  # value: 12
more = len(lines + [1, 2])  # value: 8
copied = len(lines.copy())  # value: 6
clean = len([line.strip() for line in lines])  # value: 6
kept = [line for line in lines if line.strip()]
fewer = len(kept)  # unknown: the text of
listed = len(list(open(PATH)))  # value: 6
summed = sum(1 for _ in open(PATH))  # value: 6
summed_twos = sum(2 for _ in open(PATH))  # value: 12
summed_lengths = sum(len(line) for line in open(PATH))  # unknown: the text of
numbered = len(list(enumerate(lines)))  # unknown: the text of
lines_too = open(PATH).readlines()
lines_too.append("one more")
appended = len(lines_too)  # value: 7
lines_three = open(PATH).readlines()
lines_three.pop()
popped = len(lines_three)  # unknown: the text of
lines_four = open(PATH).readlines()
del lines_four[0]
deleted = len(lines_four)  # unknown: the text of
lines_five = open(PATH).readlines()
lines_five.extend(["x"])
extended = len(lines_five)  # value: 7

with open(PATH) as f:
    header = next(f)  # unknown: the text of
    left = len(f.readlines())  # value: 5
    none = f.readlines()
    f.seek(0)
    again = len(f.readlines())  # value: 6
with open(PATH) as f:
    for line in f:
        pass
    after = len(f.readlines())  # unknown: the text of
with open(PATH) as f:
    text = f.read()
size = len(text)  # value: 40
letters = len(list(text))  # value: 40
split = len(text.split("\n"))  # value: 6
words = len(text.split())  # unknown: the text of
stripped = len(text.strip().split("\n"))  # value: 6
split_lines = len(text.splitlines())  # value: 6
is_text = isinstance(text, str)  # unknown: what
there = bool(text)  # value: True
with open(PATH, "rb") as f:
    of_bytes = len(f.read())  # value: 46
    nothing = len(f.readlines())  # unknown: the text of
of_bytes_lines = sum(1 for _ in open(PATH, "rb"))  # value: 6
on_disk = os.path.getsize(PATH)  # value: 46
rows = len(Path(PATH).read_text(encoding="utf-8").splitlines())  # value: 6
no_size = os.path.getsize(HERE)  # unknown: the size of
