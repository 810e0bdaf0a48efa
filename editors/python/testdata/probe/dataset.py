# A dataset, whose last batch is smaller; predict comes before the first training step.
# want: - predict [4, 32, 32, 3] float32 1
# want: - fit ([8, 32, 32, 3] float32, [8] int32) 13
# want: - ds dataset ([8, 32, 32, 3] float32, [8] int32) 13
# want: - model Functional 251 config

import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices((tf.random.normal((100, 32, 32, 3)), tf.zeros((100,), tf.int32))).shuffle(10).batch(8)
inputs = tf.keras.Input((32, 32, 3))
x = tf.keras.layers.Conv2D(8, 3, activation="relu")(inputs)
x = tf.keras.layers.GlobalAveragePooling2D()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(x))
model.compile(optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9), loss="sparse_categorical_crossentropy")
model.predict(tf.zeros((4, 32, 32, 3)), verbose=0)
model.fit(ds, epochs=1, verbose=2)
print("after")
