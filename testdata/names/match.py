# A pattern binds its bare names, and only those.
import numpy as np
import tensorflow as tf
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


def f(command):
    match command:
        case Point(x=a, y=0):  # binds: a
            tf.zeros(a)  # name: tensorflow.zeros
        case Point(np, y=b):  # binds: np, b
            np.zeros(b)  # name: -
        case [first, *rest]:  # binds: first, rest
            pass
        case {"op": op, **others}:  # binds: op, others
            op(1)  # name: -
        case tf.float32 | Point.x:  # binds: -
            pass
        case (1 | 2) as number:  # binds: number
            pass
        case Point() as p if p.x:  # binds: p
            pass
        case [Point(x=0) as zero, _]:  # binds: zero
            pass
        case str(s) | bytes(s):  # binds: s, s
            pass
        case None | True | "x" | -1:  # binds: -
            pass
        case anything:  # binds: anything
            pass
        case _:  # binds: -
            pass


def g(x):
    match x:
        case 1:
            op = tf.zeros
        case 2:
            op = tf.ones
            op(1)  # name: tensorflow.ones
    op(1)  # name: -


match = 3
case = tf.zeros
case(1)  # name: tensorflow.zeros
