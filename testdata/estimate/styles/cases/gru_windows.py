import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

OUT_STEPS = 24
num_features = 19
WINDOW = 168
units = 128


class WindowGenerator:
    def __init__(self, input_width, label_width, shift, data, batch_size=64):
        self.data = data
        self.batch_size = batch_size
        self.input_width = input_width
        self.label_width = label_width
        self.total_window_size = input_width + shift
        self.label_start = self.total_window_size - label_width

    def split_window(self, features):
        inputs = features[:, :self.input_width, :]
        labels = features[:, self.label_start:, :]
        inputs.set_shape([None, self.input_width, None])
        labels.set_shape([None, self.label_width, None])
        return inputs, labels

    def make_dataset(self):
        ds = tf.keras.utils.timeseries_dataset_from_array(
            data=self.data, targets=None, sequence_length=self.total_window_size, sequence_stride=1, shuffle=True,
            batch_size=self.batch_size)
        return ds.map(self.split_window)


df = np.array(np.random.randn(900, num_features), dtype=np.float32)
w = WindowGenerator(WINDOW, OUT_STEPS, OUT_STEPS, df)

model = keras.Sequential([
    layers.Input((WINDOW, num_features)),
    layers.GRU(units, return_sequences=True, use_cudnn=False),
    layers.Dropout(0.2),
    layers.Bidirectional(layers.GRU(units // 2, return_sequences=True, use_cudnn=False)),
    layers.GRU(units, reset_after=False),
    layers.Dense(OUT_STEPS * num_features, kernel_initializer=tf.initializers.zeros()),
    layers.Reshape([OUT_STEPS, num_features]),
])
model.compile(loss=keras.losses.MeanSquaredError(), optimizer=keras.optimizers.Ftrl(), metrics=[keras.metrics.MeanAbsoluteError()])
model.fit(w.make_dataset(), epochs=1)
