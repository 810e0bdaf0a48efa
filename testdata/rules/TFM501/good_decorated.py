import tensorflow as tf
from tensorflow import function

opt = tf.keras.optimizers.Adam()


@tf.function(jit_compile=True)
def a(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@function
def b(x):
    inner(x)


def inner(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for x in data:
    a(x)
    b(x)
