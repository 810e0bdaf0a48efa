# Whether the program reads what keeps the object that a call of make() returns, and whether something
# releases it.
only, shown, emptied, reset, counted, deleted, second = [], [], [], [], [], [], []


class Holder:
    def __init__(self):
        self.x = None
        self.y = None
        self.z = []

    def step(self):
        for i in range(3):
            self.x = make()  # stays: kept
            self.y = make()  # stays: read released
            self.z.append(make())  # stays: read kept
        return self.z[0]

    def again(self):
        self.x = make()
        self.y.use()
        self.y = None


for i in range(3):
    only.append(make())  # stays: kept
    shown.append(make())  # stays: read kept
    emptied.append(make())  # stays: released
    reset.append(make())  # stays: released
    counted.append(make())  # stays: kept
    deleted.append(make())  # stays: released
print(shown, len(counted))
emptied.clear()
reset = []
del deleted[0]
