# How often a function is traced, and with what, is counted on purpose.
import tensorflow as tf

traces = []
shapes = []
writer = open_writer()


@tf.function
def step(x, name="x", *, kind: str):
    traces.append(1)
    traces.append("step")
    traces.append(len(traces))
    shapes.append(x.shape)
    traces.append(name)
    traces.append(kind)
    writer.append(tf.square(x))
    return x


step(1, kind="a")
