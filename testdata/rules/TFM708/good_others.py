# keras: 2.13
# machine: 4 x 16 GiB
# XLA under no strategy, without XLA, on one GPU, or not known.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    plain = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    plain.compile("sgd", "mse")
    off = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    off.compile("sgd", "mse", jit_compile=False)
    maybe = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    maybe.compile("sgd", "mse", jit_compile=args.xla)
alone = tf.keras.Sequential([tf.keras.layers.Dense(1)])
alone.compile("sgd", "mse", jit_compile=True)
one = tf.distribute.MirroredStrategy(["GPU:0"])
with one.scope():
    single = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    single.compile("sgd", "mse", jit_compile=True)
for model in (plain, off, maybe, alone, single):
    model.fit(x, y)
