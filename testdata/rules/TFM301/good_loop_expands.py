import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
dataset = tf.data.Dataset.from_tensor_slices((features, labels))
for x, y in dataset:
    x = tf.expand_dims(x, 0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) - y)
for x in dataset.take(2):
    print(x)
