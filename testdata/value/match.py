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
