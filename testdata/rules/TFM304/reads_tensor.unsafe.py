# What reads the result must be able to read an array.
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
model = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 3, input_shape=(32, 32, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
logits = model.predict(x_test)  # want "all 10000 examples as one batch"
print(logits.shape, logits.mean(), tf.argmax(logits, axis=-1))
scores = model(x_train)  # want "all 50000 examples as one batch"
scores.set_shape((50000, 10))


def shown(logits):
    return logits.numpy()


def rate(logits):
    return tf.reduce_mean(tf.cast(tf.argmax(logits, 1) == y_test[:, 0], tf.float32)), logits[0]


print(model(x_test).shape.as_list())  # want "all 10000 examples as one batch"
print(model(x_test).shape[1:].as_list())  # want "all 10000 examples as one batch"
print(model.predict(x_test)[0], model.predict(x_train).shape[0])  # want "all 10000 examples" "all 50000 examples"
first = model(x_train)  # want "all 50000 examples"
print(first[0].numpy(), first[:, 1].set_shape([50000]))
rows = model.predict(x_test)  # want "all 10000 examples"
for row in rows:
    print(row)
columns = model(x_train)  # want "all 50000 examples"
for row, label in zip(columns, y_train):
    print(row.numpy(), label)
print(shown(model(x_test)), rate(model.predict(x_train)))  # want "all 10000 examples" "all 50000 examples"
both = [model(x_test), 1]  # want "all 10000 examples"
print(both[0].numpy())
one = other = model(x_train)  # want "all 50000 examples"
print(other.numpy())
