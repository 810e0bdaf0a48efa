# How many iterations a loop has at most. Each of these loops has so many when it runs.

for i in range(7):  # iterations: 7
    pass

for i in range(2, 9, 3):  # iterations: 3
    pass

for i in range(100):  # iterations: 5
    if i == 4:
        break

for i in range(100):  # iterations: 5
    if i >= 4:
        break

for i in range(100):  # iterations: 6
    if i > 4:
        break

for n, item in enumerate(data):  # iterations: 5
    if n == 4:
        break

for n, item in enumerate(data, 1):  # iterations: unknown
    if n == 4:
        break

count = 0
for item in data:  # iterations: 4
    count += 1
    if count == 4:
        break

tests = 0
for item in data:  # iterations: 5
    if tests == 4:
        break
    tests += 1

seen = 1
for item in data:  # iterations: 3
    seen += 1
    if seen >= 4:
        break

done = 0
while done < 6:  # iterations: 6
    done += 1

turn = 1
while turn < 6:  # iterations: 5
    turn += 1

step = 0
while step <= 6:  # iterations: 7
    step += 1

trial = 3
while (trial <= 3):  # iterations: 1
    trial += 1

while True:  # iterations: unknown
    pass

for item in data:  # iterations: 1
    break

squares = [i * j for i in range(3) for j in range(4)]  # iterations: 12

part = 0
while part < 2.5:  # iterations: 3
    part += 1

for i in range(100):  # iterations: 4
    if i >= 2.5:
        break
