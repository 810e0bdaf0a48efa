import tensorflow as tf
from tensorflow import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
x_train = x_train.astype("float32") / 255.0
x_test = x_test.astype("float32") / 255.0

with tf.device("/CPU:0"):
    train = tf.data.Dataset.from_tensor_slices((x_train, y_train))  # want "information: from_tensor_slices\(\) copies its arrays whole to the GPU: 586 MiB\. They stay there for as long as the dataset does\. Under tf\.device\(\"/CPU:0\"\) they stay in host memory\.$"
train = train.shuffle(1000).batch(64)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(64)

model = keras.Sequential([keras.layers.Flatten(input_shape=(32, 32, 3)), keras.layers.Dense(10)])
model.compile("adam", "mse")
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(len(x_train)).batch(64)
model.fit(train_data)  # want "fit\(\) copies its arrays whole to the GPU: 586 MiB\. They stay there while it runs, in addition to the model\. A Dataset that is created under tf\.device\(\"/CPU:0\"\) copies one batch at a time\.$"
model.evaluate(x_test, y_test)
