import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

T, NEURONS = 400, 96
spikes = np.random.poisson(0.5, (64, T, NEURONS)).astype("float32")
stim = np.random.randn(64, T, 10).astype("float32")

class Readout(models.Model):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.c1 = layers.Conv1D(64, 9, padding="causal", activation="relu")
        self.c2 = layers.Conv1D(64, 9, padding="causal", dilation_rate=2, activation="relu")
        self.norm = layers.LayerNormalization()
        self.rates = layers.Dense(units, activation="exponential")

    def call(self, x, training=None):
        x = self.c1(x)
        x = x + self.c2(x)
        return self.rates(self.norm(x))

model = Readout(NEURONS)
model.compile(optimizer="adam", loss="poisson", jit_compile=False)
model.fit(stim, spikes, batch_size=32, epochs=1)
