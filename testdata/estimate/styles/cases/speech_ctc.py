"""DeepSpeech2-like: Conv2D on spectrograms, bidirectional GRUs, CTC loss through compile."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

VOCAB = 31
FREQ, TIME, LABEL = 97, 200, 24


def ctc_loss(y_true, y_pred):
    batch_len = tf.shape(y_true)[0]
    input_length = tf.shape(y_pred)[1] * tf.ones((batch_len,), dtype=tf.int32)
    label_length = tf.shape(y_true)[1] * tf.ones((batch_len,), dtype=tf.int32)
    loss = tf.nn.ctc_loss(
        labels=tf.cast(y_true, tf.int32), logits=y_pred, label_length=label_length, logit_length=input_length,
        logits_time_major=False, blank_index=VOCAB)
    return tf.reduce_mean(loss)


def build_model(input_dim, output_dim, rnn_layers=2, rnn_units=96):
    inp = layers.Input((TIME, input_dim), name="input")
    x = layers.Reshape((-1, input_dim, 1), name="expand_dim")(inp)
    x = layers.Conv2D(16, [11, 41], strides=[2, 2], padding="same", use_bias=False, name="conv_1")(x)
    x = layers.BatchNormalization(name="conv_1_bn")(x)
    x = layers.ReLU(name="conv_1_relu")(x)
    x = layers.Conv2D(16, [11, 21], strides=[1, 2], padding="same", use_bias=False, name="conv_2")(x)
    x = layers.BatchNormalization(name="conv_2_bn")(x)
    x = layers.ReLU(name="conv_2_relu")(x)
    x = layers.Reshape((-1, x.shape[-2] * x.shape[-1]))(x)
    for i in range(1, rnn_layers + 1):
        recurrent = layers.GRU(rnn_units, activation="tanh", recurrent_activation="sigmoid", use_bias=True,
                               return_sequences=True, reset_after=True, name=f"gru_{i}")
        x = layers.Bidirectional(recurrent, name=f"bidirectional_{i}", merge_mode="concat")(x)
        if i < rnn_layers:
            x = layers.Dropout(rate=0.5)(x)
    x = layers.Dense(rnn_units * 2, name="dense_1")(x)
    x = layers.ReLU(name="dense_1_relu")(x)
    x = layers.Dropout(rate=0.5)(x)
    out = layers.Dense(output_dim + 1)(x)
    model = keras.Model(inp, out, name="DeepSpeech_2")
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-4), loss=ctc_loss)
    return model


model = build_model(FREQ, VOCAB)
specs = np.random.rand(32, TIME, FREQ).astype("float32")
texts = np.random.randint(0, VOCAB, (32, LABEL))
model.fit(specs, texts, batch_size=8, epochs=1)
