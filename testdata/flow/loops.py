# Loops that surely have a turn, and those that may have none.
from os import putenv as mark


def epoch():
    mark("STEP", "")


for i in range(3):
    mark("SURE", "")
    for x in data:
        mark("INNER", "")
        epoch()
for i in range(0):
    mark("NEVER", "")
for i in range(EPOCHS):
    mark("NAMED", "")
for i, x in enumerate([1, 2]):
    mark("LIST", "")
for i in []:
    mark("EMPTY", "")
while True:
    mark("FOREVER", "")
    if mark("TEST", ""):
        mark("STOP", "")
        break
    mark("AFTER_BREAK", "")
while x:
    mark("MAYBE", "")
else:
    mark("ELSE", "")
for x in mark("ITERABLE", ""):
    if x:
        continue
    mark("AFTER_CONTINUE", "")
else:
    mark("ELSE_AFTER_BREAK", "")
mark("END", "")
