# no python: IPython is not there
exec("a = 1")
x = a  # unknown: a may be defined by what exec() runs, which is not followed
y = 1 + 1  # value: 2
