import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()

with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(1),
    ])
    model.compile("sgd", "mse")

dataset = tf.data.Dataset.from_tensor_slices((X_train, y_train)).batch(batch_size)

model.fit(dataset, epochs=epochs)  # want "warning: fit\(\) distributes its dataset itself, and this one is already distributed\. It was distributed by strategy\.experimental_distribute_dataset\(\) on line 12, which is for custom training loops; Keras 2 raises ValueError: When providing a distributed dataset, you must specify the number of steps to run\. Pass the plain dataset\.$"
