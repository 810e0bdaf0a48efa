# Match statements.
def kind(x):
    match x:
        case 0 | 1:
            return "bit"
        case -1:
            return "minus"
        case "relu" | "gelu" as name:
            return "act " + name
        case None:
            return "none"
        case True:
            return "true"
        case [1, *rest]:
            return rest
        case (a, b) if a == b:
            return "pair"
        case [a, b]:
            return a + b
        case int():
            return "int"
        case str():
            return "str"
        case _:
            return "other"
a = [kind(v) for v in (0, 1, -1, "gelu", None, [1, 2, 3], (2, 2), (2, 3), 17, "x", 2.5)]  # value: ['bit', 'bit', 'minus', 'act gelu', 'none', [2, 3], 'pair', 5, 'int', 'str', 'other']


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


def stage(v):
    match v:
        case int(n) if n > 64:
            return "wide %d" % n
        case int(n):
            return n
        case str("pool" | "M"):
            return "pool"
        case str(name):
            return name.upper()
        case Point(0, y):
            return y
        case Point(x, y=2):
            return x
        case {"kind": "conv", "filters": f, **rest}:
            return f, rest
        case {"kind": k}:
            return k
        case {}:
            return "empty"


b = [stage(v) for v in (128, 32, "M", "x", Point(0, 5), Point(7, 2), {"kind": "conv", "filters": 3, "k": 5}, {"kind": "fc", "n": 1}, {}, Point(1, 1))]  # value: ['wide 128', 32, 'pool', 'X', 5, 7, (3, {'k': 5}), 'fc', 'empty', None]
