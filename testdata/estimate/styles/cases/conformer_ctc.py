import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow import keras

CONF = {"n_mels": 80, "dim": 144, "blocks": 3, "heads": 4, "ff": 4, "kernel": 31, "vocab": 64, "frames": 320, "batch": 8}


class GLU(layers.Layer):
    def __init__(self, axis=-1, **kw):
        super().__init__(**kw)
        self.axis = axis

    def call(self, x):
        a, b = tf.split(x, 2, axis=self.axis)
        return tf.multiply(a, tf.nn.sigmoid(b))


class FFModule(layers.Layer):
    def __init__(self, dim, factor=4, dropout=0.1, fc=0.5, **kw):
        super().__init__(**kw)
        self.fc = fc
        self.ln = layers.LayerNormalization()
        self.ffn1 = layers.Dense(factor * dim)
        self.swish = layers.Activation(tf.nn.swish)
        self.do1 = layers.Dropout(dropout)
        self.ffn2 = layers.Dense(dim)
        self.do2 = layers.Dropout(dropout)

    def call(self, inputs, training=False):
        out = self.ln(inputs)
        out = self.ffn1(out)
        out = self.swish(out)
        out = self.do1(out, training=training)
        out = self.ffn2(out)
        out = self.do2(out, training=training)
        return inputs + self.fc * out


class MHSAModule(layers.Layer):
    def __init__(self, head_size, num_heads, dropout=0.1, **kw):
        super().__init__(**kw)
        self.ln = layers.LayerNormalization()
        self.mha = layers.MultiHeadAttention(num_heads, head_size)
        self.do = layers.Dropout(dropout)

    def call(self, inputs, training=False):
        out = self.ln(inputs)
        out = self.mha(out, out)
        return inputs + self.do(out, training=training)


class ConvModule(layers.Layer):
    def __init__(self, dim, kernel_size=32, dropout=0.1, **kw):
        super().__init__(**kw)
        self.ln = layers.LayerNormalization()
        self.pw_conv_1 = layers.Conv1D(2 * dim, 1)
        self.glu = GLU()
        self.dw_conv = layers.DepthwiseConv1D(kernel_size, padding="same")
        self.bn = layers.BatchNormalization()
        self.swish = layers.Activation(tf.nn.swish)
        self.pw_conv_2 = layers.Conv1D(dim, 1)
        self.do = layers.Dropout(dropout)

    def call(self, inputs, training=False):
        out = self.ln(inputs)
        out = self.pw_conv_1(out)
        out = self.glu(out)
        out = self.dw_conv(out)
        out = self.bn(out, training=training)
        out = self.swish(out)
        out = self.pw_conv_2(out)
        return inputs + self.do(out, training=training)


class ConformerBlock(layers.Layer):
    def __init__(self, dim, heads, kernel, **kw):
        super().__init__(**kw)
        self.ffm1 = FFModule(dim)
        self.mhsam = MHSAModule(dim // heads, heads)
        self.convm = ConvModule(dim, kernel)
        self.ffm2 = FFModule(dim)
        self.ln = layers.LayerNormalization()

    def call(self, x, training=False):
        x = self.ffm1(x, training=training)
        x = self.mhsam(x, training=training)
        x = self.convm(x, training=training)
        x = self.ffm2(x, training=training)
        return self.ln(x)


def ctc_loss(y_true, y_pred):
    batch = tf.shape(y_pred)[0]
    frames = tf.shape(y_pred)[1]
    logit_length = tf.fill([batch], frames)
    label_length = tf.fill([batch], tf.shape(y_true)[1])
    return tf.nn.ctc_loss(labels=tf.cast(y_true, tf.int32), logits=y_pred, label_length=label_length,
                          logit_length=logit_length, logits_time_major=False, blank_index=-1)


mels = layers.Input((CONF["frames"], CONF["n_mels"], 1))
x = layers.Conv2D(CONF["dim"], 3, strides=2, padding="same", activation="relu")(mels)
x = layers.Conv2D(CONF["dim"], 3, strides=2, padding="same", activation="relu")(x)
x = layers.Reshape((CONF["frames"] // 4, CONF["n_mels"] // 4 * CONF["dim"]))(x)
x = layers.Dense(CONF["dim"])(x)
x = layers.Dropout(0.1)(x)
for _ in range(CONF["blocks"]):
    x = ConformerBlock(CONF["dim"], CONF["heads"], CONF["kernel"])(x)
logits = layers.Dense(CONF["vocab"] + 1)(x)
model = keras.Model(mels, logits)
model.compile(optimizer=keras.optimizers.Adam(1e-4, beta_1=0.9, beta_2=0.98, epsilon=1e-9), loss=ctc_loss)

feats = np.random.randn(32, CONF["frames"], CONF["n_mels"], 1).astype("float32")
text = np.random.randint(0, CONF["vocab"], (32, 20))
model.fit(feats, text, batch_size=CONF["batch"], epochs=1)
