# Two iterations over a list that several loops read.
import tensorflow as tf

penalties = [0.0, 3.0]


def build(penalty):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_regularizer=tf.keras.regularizers.L1(penalty))])
    model.compile("adam", "mse")
    return model


for penalty in penalties:
    model = build(penalty)
    model.fit(x, y)
    model.save(f"{penalty}.keras")
for penalty in list(reversed(penalties)):
    model = build(penalty)
    model.fit(x, y)
for i, penalty in enumerate(sorted(penalties)):
    print(i, len(penalties), penalties[i])
