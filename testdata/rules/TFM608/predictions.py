# ram: 16 GiB
# predict keeps what it returns of all batches (keras-team/keras#21642).
import numpy as np
import keras

signals = np.zeros((200, 100_000, 3), "float32")
model = keras.Sequential([keras.Input((100_000, 3)), keras.layers.Conv1D(256, 7, padding="same")])
features = model.predict(signals, batch_size=1)  # want "The program takes at least 19\.3 GiB of the machine's own memory\. The machine has 16\.0 GiB \(named by the case\)\. It holds what predict\(\) returns 19\.1 GiB, .*\. Predict in parts, and write each to a file\.$"
