# no python: IPython is not there
exec("a = 1")
x = a  # unknown: a may be defined by what exec
y = 1 + 1  # value: 2
