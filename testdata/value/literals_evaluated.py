import ast

widths = ast.literal_eval("[16, 32, -64]")  # value: [16, 32, -64]
named = ast.literal_eval('{"depth": 3, "names": ("a", "b"), "rate": 0.5, "top": None}')  # value: {'depth': 3, 'names': ('a', 'b'), 'rate': 0.5, 'top': None}
last = widths[-1] * 2  # value: -128
shape = eval("(96, 96, 3)")  # value: (96, 96, 3)
