# Each of these functions is for something that the turn makes.
import tensorflow as tf


def make_step(model):
    @tf.function
    def step(x):
        return model(x)

    return step


def run(seed):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    @tf.function
    def step(x):
        return model(x)

    for batch in batches:
        step(batch)


for seed in range(3):
    run(seed)
for model in models:
    tf.function(model.call)(x)
    step = make_step(model)
    step(x)
    compiled = tf.function(lambda x: model(x))
    compiled(x)
for scale in [1.0, 2.0, 3.0]:
    @tf.function
    def scaled(x):
        return x * scale

    scaled(1.0)
for name in names:
    factor = read(name)
    tf.function(lambda x: x * factor)(1.0)
