# ram: 32 GiB
# fit makes a tensor of the whole array (keras-team/keras#16997, tensorflow/tensorflow#57623).
import numpy as np
from keras import layers, models


def build(width):
    inputs = layers.Input(shape=(width,))
    model = models.Model(inputs=inputs, outputs=layers.Dense(width)(inputs))
    model.compile(loss="mse", optimizer="adam")
    return model


def run(big):
    model = build(4096)
    rows = 1_500_000 if big else 1_000
    data = np.ones((rows, 4096), dtype=np.float32)  # want "The program takes at least 68\.\d GiB of the machine's own memory\. The machine has 32\.0 GiB \(named by the case\)\. It holds the array of ones\(\) 22\.9 GiB, .*Read the data in parts"
    model.fit(data, data, batch_size=128, epochs=1)


if __name__ == "__main__":
    run(big=True)
