"""Captions whose first word is a list of as many numbers as the batch has rows."""

import numpy as np
import tensorflow as tf

vocabulary, width, units, length = 3000, 128, 256, 12


class Attention(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.W1 = tf.keras.layers.Dense(units)
        self.W2 = tf.keras.layers.Dense(units)
        self.V = tf.keras.layers.Dense(1)

    def call(self, features, hidden):
        query = tf.expand_dims(hidden, 1)
        score = self.V(tf.nn.tanh(self.W1(features) + self.W2(query)))
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * features, axis=1), weights


class Encoder(tf.keras.Model):
    def __init__(self, width):
        super().__init__()
        self.fc = tf.keras.layers.Dense(width)

    def call(self, x):
        return tf.nn.relu(self.fc(x))


class Decoder(tf.keras.Model):
    def __init__(self, width, units, vocabulary):
        super().__init__()
        self.units = units
        self.embedding = tf.keras.layers.Embedding(vocabulary, width)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True, return_state=True, use_cudnn=False)
        self.fc1 = tf.keras.layers.Dense(units)
        self.fc2 = tf.keras.layers.Dense(vocabulary)
        self.attention = Attention(units)

    def call(self, x, features, hidden):
        context, weights = self.attention(features, hidden)
        x = tf.concat([tf.expand_dims(context, 1), self.embedding(x)], axis=-1)
        output, state = self.gru(x)
        x = self.fc1(output)
        x = tf.reshape(x, (-1, x.shape[2]))
        return self.fc2(x), state, weights

    def reset_state(self, batch_size):
        return tf.zeros((batch_size, self.units))


numbers = {"<pad>": 0, "<unk>": 1, "<start>": 2, "<end>": 3}
images = np.random.rand(640, 64, 512).astype("float32")
captions = np.random.randint(4, vocabulary, (640, length)).astype("int32")
dataset = tf.data.Dataset.from_tensor_slices((images, captions)).shuffle(640).batch(64)

encoder = Encoder(width)
decoder = Decoder(width, units, vocabulary)
optimizer = tf.keras.optimizers.Adam()
crossentropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    each = crossentropy(real, pred)
    mask = tf.cast(mask, dtype=each.dtype)
    each *= mask
    return tf.reduce_mean(each)


@tf.function
def train_step(pictures, target):
    loss = 0
    hidden = decoder.reset_state(batch_size=target.shape[0])
    token = tf.expand_dims([numbers["<start>"]] * target.shape[0], 1)
    with tf.GradientTape() as tape:
        features = encoder(pictures)
        for i in range(1, target.shape[1]):
            predictions, hidden, _ = decoder(token, features, hidden)
            loss += loss_function(target[:, i], predictions)
            token = tf.expand_dims(target[:, i], 1)
    mean_loss = loss / int(target.shape[1])
    weights = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss, mean_loss


for epoch in range(2):
    for batch, (pictures, target) in enumerate(dataset):
        summed, mean = train_step(pictures, target)
