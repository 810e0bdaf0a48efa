import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
momentum = tf.keras.optimizers.SGD(0.1, momentum=0.9)  # want "information: This optimizer is built outside the scope of its model's strategy\. The model trains under the strategy on line 12: Keras 3 raises RuntimeError: Mixing different tf\.distribute\.Strategy objects\. Build it inside the scope\.$"
with strategy.scope():
    optimizer = tf.keras.optimizers.Adam(learning_rate=1e-3)  # want "information: This optimizer is built outside the scope of its model's strategy\. The model trains under the strategy on line 6: Keras 3 raises RuntimeError: Mixing different tf\.distribute\.Strategy objects\. Build it inside the scope\.$"
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    # Compiled under the strategy all the same: it is the model's.
model.compile(optimizer=optimizer, loss="mse")
model.fit(data)
with strategy.scope(): other = tf.keras.Sequential([tf.keras.layers.Dense(1)]); other.compile(momentum, "mse")
