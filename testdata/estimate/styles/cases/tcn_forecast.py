"""Temporal convolutional network, subclassed blocks with weight normalisation by hand, for traffic forecasting."""
import numpy as np
import keras
from keras import layers, regularizers


class TemporalBlock(layers.Layer):
    def __init__(self, filters, kernel_size, dilation_rate, dropout=0.2, l2=1e-5, **kwargs):
        super().__init__(**kwargs)
        reg = regularizers.L2(l2)
        self.pad = (kernel_size - 1) * dilation_rate
        self.padding = layers.ZeroPadding1D((self.pad, 0))
        self.conv1 = layers.Conv1D(filters, kernel_size, dilation_rate=dilation_rate, kernel_regularizer=reg)
        self.conv2 = layers.Conv1D(filters, kernel_size, dilation_rate=dilation_rate, kernel_regularizer=reg)
        self.norm1 = layers.LayerNormalization()
        self.norm2 = layers.LayerNormalization()
        self.drop1 = layers.SpatialDropout1D(dropout)
        self.drop2 = layers.SpatialDropout1D(dropout)
        self.filters = filters
        self.down = None

    def build(self, input_shape):
        if input_shape[-1] != self.filters:
            self.down = layers.Conv1D(self.filters, 1, padding="same")
        super().build(input_shape)

    def call(self, x, training=None):
        y = self.drop1(keras.activations.relu(self.norm1(self.conv1(self.padding(x)))), training=training)
        y = self.drop2(keras.activations.relu(self.norm2(self.conv2(self.padding(y)))), training=training)
        res = x if self.down is None else self.down(x)
        return keras.activations.relu(y + res)


class TCN(keras.Model):
    def __init__(self, channels, horizon, n_out, **kwargs):
        super().__init__(**kwargs)
        self.blocks = []
        for i, ch in enumerate(channels):
            self.blocks.append(TemporalBlock(ch, 3, 2 ** i))
        self.head = keras.Sequential([layers.Dense(64, activation="elu"), layers.Dense(horizon * n_out)])
        self.out_shape = layers.Reshape((horizon, n_out))

    def call(self, x, training=None):
        for b in self.blocks:
            x = b(x, training=training)
        return self.out_shape(self.head(x[:, -1, :]))


SENSORS = 40
WINDOW = 288
series = np.random.randn(2000, SENSORS).astype("float32")
ds = keras.utils.timeseries_dataset_from_array(
    series[:-12],
    targets=np.stack([series[i : i + 12] for i in range(WINDOW, 1988)]),
    sequence_length=WINDOW,
    batch_size=32,
)
model = TCN([32, 32, 64, 64], 12, SENSORS)
model.compile(optimizer=keras.optimizers.Adamax(1e-3), loss="huber", metrics=["mae"])
model.fit(ds, epochs=1, steps_per_epoch=6)
