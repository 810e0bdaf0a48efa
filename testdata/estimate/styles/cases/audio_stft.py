import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

SR = 16000


class LogMelSpectrogram(tf.keras.layers.Layer):
    """Log-mel spectrograms from waveforms, on the GPU."""

    def __init__(self, sample_rate, fft_size, hop_size, n_mels, f_min=0.0, f_max=None, **kwargs):
        super().__init__(**kwargs)
        self.sample_rate = sample_rate
        self.fft_size = fft_size
        self.hop_size = hop_size
        self.n_mels = n_mels
        self.f_min = f_min
        self.f_max = f_max if f_max else sample_rate / 2
        self.mel_filterbank = tf.signal.linear_to_mel_weight_matrix(
            num_mel_bins=n_mels, num_spectrogram_bins=fft_size // 2 + 1, sample_rate=sample_rate,
            lower_edge_hertz=f_min, upper_edge_hertz=self.f_max)

    def call(self, waveforms):
        def _tf_log10(x):
            numerator = tf.math.log(x)
            denominator = tf.math.log(tf.constant(10, dtype=numerator.dtype))
            return numerator / denominator

        spectrograms = tf.signal.stft(waveforms, frame_length=self.fft_size, frame_step=self.hop_size, pad_end=False)
        magnitude = tf.abs(spectrograms)
        mel = tf.matmul(tf.square(magnitude), self.mel_filterbank)
        log_mel = 10.0 * _tf_log10(tf.maximum(mel, 1e-10))
        return tf.expand_dims(log_mel, 3)


def ConvModel(n_classes, sample_rate=SR, duration=1, fft_size=1024, hop_size=256, n_mels=64):
    x = layers.Input(shape=(sample_rate * duration,), name="input", dtype="float32")
    y = LogMelSpectrogram(sample_rate, fft_size, hop_size, n_mels)(x)
    y = layers.BatchNormalization(axis=2)(y)
    for filters in (32, 64, 128):
        y = layers.Conv2D(filters, (3, 3), padding="same")(y)
        y = layers.BatchNormalization()(y)
        y = layers.Activation("relu")(y)
        y = layers.MaxPool2D((2, 2))(y)
    y = layers.SeparableConv2D(256, 3, padding="same", activation="relu")(y)
    y = layers.GlobalMaxPooling2D()(y)
    y = layers.Dense(256, activation="relu")(y)
    y = layers.Dropout(0.25)(y)
    y = layers.Dense(n_classes, activation="softmax")(y)
    return models.Model(inputs=x, outputs=y)


waves = np.random.uniform(-1, 1, (256, SR)).astype("float32")
labels = np.random.randint(0, 35, 256)
ds = tf.data.Dataset.from_tensor_slices((waves, labels)).cache().shuffle(256).batch(64).prefetch(2)

model = ConvModel(35)
model.compile(optimizer=tf.keras.optimizers.Adam(), loss=tf.keras.losses.SparseCategoricalCrossentropy(), metrics=["accuracy"])
model.fit(ds, epochs=1, callbacks=tf.keras.callbacks.EarlyStopping(verbose=1, patience=2, monitor="loss"))
