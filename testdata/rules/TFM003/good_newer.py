# What Python has learned since the grammar was written is no error.
import tensorflow as tf

type Pair = tuple[int, int]
type Tree[T: (int, str) = int, *Ts = *tuple[int], **P = [int]] = dict[T, P]


def first[T: (int, str) = int](x: T) -> T:
    return x


class Box[T = int, *Ts](list[T]):
    pass


x = {"a": 1}
print(f"{x["a"]} {f"{f"{1}"}"}")
print(f"{
    x["a"]  # a comment
    + 1
}")
print(t"{x["a"]!r:>{10}}", T'a' rt"\d{x}")
try:
    tf.constant(1)
except ValueError, TypeError, OSError:
    pass
try:
    tf.constant(1)
except* ValueError, TypeError:
    pass


def f():
        (tf.
    constant(1))


def g(a):
    if a:
        return *[v for v in a],
    yield *[v for v in a], 1
