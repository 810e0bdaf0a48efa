# Where names are looked up.
x = "module"


class Scoped:
    x = "class"
    y = x + "!"
    z = [x for _ in range(1)]

    def method(self):
        return x

    def both(self):
        return self.x, x


a = Scoped().method(), Scoped().both(), Scoped.y, Scoped.z  # value: ('module', ('class', 'module'), 'class!', ['module'])


def shadow():
    x = "local"

    def inner():
        return x

    class Inside:
        y = x

    return inner(), Inside.y


b = shadow()  # value: ('local', 'local')


def change():
    global x, fresh
    x = "changed"
    fresh = 1


change()
c = x, fresh  # value: ('changed', 1)


def outer():
    n = 0

    def middle():
        def inner():
            nonlocal n
            n += 1
            return n
        return inner
    f = middle()
    return f(), f(), n


d = outer()  # value: (1, 2, 2)
e = [f() for f in [lambda: x]]  # value: ['changed']
len_ = len


def len(v):
    return -1


f = len([1]), len_([1])  # value: (-1, 1)
del len
g = len([1])  # value: 1


def parameter(x=x):
    return x


x = "later"
h = parameter()  # value: 'changed'
i = __name__  # value: '__main__'


def recursive(n):
    def helper(k):
        return 0 if k == 0 else k + helper(k - 1)
    return helper(n)


j = recursive(5)  # value: 15
k = (lambda n: [n * m for m in range(3)])(2)  # value: [0, 2, 4]
