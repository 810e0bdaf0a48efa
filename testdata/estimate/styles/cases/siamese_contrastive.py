import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

epochs = 1
batch_size = 32
margin = 1


def euclidean_distance(vects):
    x, y = vects
    sum_square = tf.math.reduce_sum(tf.math.square(x - y), axis=1, keepdims=True)
    return tf.math.sqrt(tf.math.maximum(sum_square, 1e-7))


def embedding_network():
    inp = layers.Input((64, 64, 1))
    x = layers.BatchNormalization()(inp)
    x = layers.Conv2D(16, (5, 5), activation="tanh")(x)
    x = layers.AveragePooling2D(pool_size=(2, 2))(x)
    x = layers.Conv2D(32, (5, 5), activation="tanh")(x)
    x = layers.AveragePooling2D(pool_size=(2, 2))(x)
    x = layers.Flatten()(x)
    x = layers.BatchNormalization()(x)
    x = layers.Dense(32, activation="tanh")(x)
    return keras.Model(inp, x)


def loss(margin=1):
    def contrastive_loss(y_true, y_pred):
        square_pred = tf.math.square(y_pred)
        margin_square = tf.math.square(tf.math.maximum(margin - y_pred, 0))
        return tf.math.reduce_mean((1 - y_true) * square_pred + y_true * margin_square)

    return contrastive_loss


net = embedding_network()
input_1 = layers.Input((64, 64, 1))
input_2 = layers.Input((64, 64, 1))
tower_1 = net(input_1)
tower_2 = net(input_2)
merge_layer = layers.Lambda(euclidean_distance, output_shape=(1,))([tower_1, tower_2])
normal_layer = layers.BatchNormalization()(merge_layer)
output_layer = layers.Dense(1, activation="sigmoid")(normal_layer)
siamese = keras.Model(inputs=[input_1, input_2], outputs=output_layer)
siamese.compile(loss=loss(margin=margin), optimizer="RMSprop", metrics=["accuracy"])
a = np.random.rand(160, 64, 64, 1).astype("float32")
b = np.random.rand(160, 64, 64, 1).astype("float32")
labels = np.random.randint(0, 2, (160, 1)).astype("float32")
siamese.fit([a, b], labels, batch_size=batch_size, epochs=epochs)
