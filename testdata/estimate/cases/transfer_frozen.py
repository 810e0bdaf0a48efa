import tensorflow as tf

# Feature extraction: the whole base is frozen, only the head learns.
base = tf.keras.applications.MobileNetV2(input_shape=(128, 128, 3), include_top=False, weights=None)
base.trainable = False

model = tf.keras.Sequential([
    base,
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])

model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=0.0001),
              loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
              metrics=['accuracy'])

train = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 128, 128, 3)), tf.zeros((64, 1)))).batch(32)
model.fit(train, epochs=10)
