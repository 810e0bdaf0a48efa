import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model, optimizers

PARAMS = dict(window=336, n_features=16, horizon=24, filters=64, kernel=5, dilations=[1, 2, 4, 8, 16, 32], batch=64)


class ResidualBlock(layers.Layer):
    def __init__(self, dilation_rate, nb_filters, kernel_size, dropout_rate=0.1, **kw):
        super().__init__(**kw)
        self.dilation_rate = dilation_rate
        self.nb_filters = nb_filters
        self.kernel_size = kernel_size
        self.dropout_rate = dropout_rate

    def build(self, input_shape):
        self.convs, self.norms, self.acts, self.drops = [], [], [], []
        for k in range(2):
            self.convs.append(layers.Conv1D(self.nb_filters, self.kernel_size, dilation_rate=self.dilation_rate,
                                            padding="causal", kernel_initializer="he_normal", name=f"conv1D_{k}"))
            self.norms.append(layers.LayerNormalization())
            self.acts.append(layers.Activation("relu"))
            self.drops.append(layers.SpatialDropout1D(self.dropout_rate))
        if input_shape[-1] != self.nb_filters:
            self.shape_match = layers.Conv1D(self.nb_filters, 1, padding="same", name="matching_conv1D")
        else:
            self.shape_match = layers.Lambda(lambda x: x, name="matching_identity")
        super().build(input_shape)

    def call(self, inputs, training=None):
        x = inputs
        for conv, norm, act, drop in zip(self.convs, self.norms, self.acts, self.drops):
            x = drop(act(norm(conv(x))), training=training)
        res = self.shape_match(inputs)
        return tf.nn.relu(res + x), x


class TCN(layers.Layer):
    def __init__(self, filters, kernel_size, dilations, nb_stacks=2, **kw):
        super().__init__(**kw)
        self.blocks = [ResidualBlock(d, filters, kernel_size) for _ in range(nb_stacks) for d in dilations]

    def call(self, x, training=None):
        skips = []
        for block in self.blocks:
            x, skip = block(x, training=training)
            skips.append(skip)
        x = tf.add_n(skips)
        return x[:, -1, :]


inp = layers.Input((PARAMS["window"], PARAMS["n_features"]))
h = TCN(PARAMS["filters"], PARAMS["kernel"], PARAMS["dilations"])(inp)
out = layers.Dense(PARAMS["horizon"])(h)
model = Model(inp, out)
model.compile(optimizer=optimizers.Adam(1e-3, clipvalue=0.5), loss=tf.keras.losses.Huber(), metrics=["mae", "mse"])

series = np.random.randn(2000, PARAMS["n_features"]).astype("float32")
n = PARAMS["window"] + PARAMS["horizon"]
X = np.stack([series[i:i + PARAMS["window"]] for i in range(0, 512)])
Y = np.stack([series[i + PARAMS["window"]:i + n, 0] for i in range(0, 512)])
model.fit(X, Y, batch_size=PARAMS["batch"], epochs=1)
