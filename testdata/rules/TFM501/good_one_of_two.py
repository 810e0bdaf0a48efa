# The other choice is compiled, or not known: who runs the program decides, or the rule cannot tell.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def eagerly(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@tf.function
def compiled(x):
    eagerly(x)


@tf.function
def also_compiled(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def run(step):
    for x in dataset:
        step(x)


step = compiled if FLAGS.graph else eagerly
for x in dataset:
    step(x)
for x in dataset:
    {"a": compiled, "b": also_compiled}[FLAGS.kind](x)
for x in dataset:
    {"a": eagerly, "b": lookup("b")}[FLAGS.kind](x)
steps = {"a": eagerly}
for name in list(steps):
    steps[name] = tf.function(steps[name])
for x in dataset:
    steps["a"](x)
wrapped = {"a": eagerly}
compile_all(wrapped)
for x in dataset:
    wrapped["a"](x)
run(compiled)
run(tf.function(eagerly))
run(unknown(eagerly))
