import tensorflow as tf


def make_step(model, scale=1.0):
    @tf.function  # want "loop on line 15.*: step is traced in each turn"
    def step(x):
        return model(x) * scale

    return step


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
once = make_step(model)
once(1)
for batch in batches:
    step = make_step(model)
    step(batch)
