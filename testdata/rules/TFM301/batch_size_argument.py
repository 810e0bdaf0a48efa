import tensorflow as tf

batch_size = 16
train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000)
model.fit(train, epochs=3, batch_size=64)  # want "error: This dataset reaches fit\(\) without a batch"
model.predict(strategy.experimental_distribute_dataset(train))  # want "reaches predict\(\) without a batch"
