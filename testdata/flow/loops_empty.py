# Loops that have no iteration, and those that only look like it.
from os import putenv as mark

N = 0
M = 0
M = int(input())


def step():
    mark("STEP", "")


for i in range(0):
    step()
    mark("RANGE", "")
for i in range(N):
    mark("NAMED", "")
for i, x in enumerate(()):
    mark("TUPLE", "")
for i in range(5, 2):
    mark("BACKWARDS", "")
else:
    mark("ELSE", "")
while False:
    mark("WHILE", "")
[mark("COMPREHENSION", "") for i in range(-1)]
[mark("INNER", "") for i in range(3) for j in {}]
for i in range(5, 2, -1):
    mark("DOWN", "")
for i in range(M):
    mark("SEVERAL", "")
for i in range(N + 1):
    mark("SUM", "")
for i in [*range(0)]:
    mark("STARRED", "")
