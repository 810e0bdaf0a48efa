# device: 6 GiB
# keras: 3.15
# A list of arrays for the outputs, one for each input, and a part that validates.
import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import Concatenate, Conv2D, Dense, GlobalAveragePooling2D, Input

pictures = Input((128, 128, 3), name="pictures")
table = Input((8,), name="table")
x = Conv2D(32, 3, activation="relu", padding="same")(pictures)
x = Concatenate()([GlobalAveragePooling2D()(x), table])
outputs = [Dense(1, name="age")(x), Dense(1, activation="sigmoid", name="member")(x)]
model = keras.Model([pictures, table], outputs)
model.compile(optimizer="adam", loss={"age": "mae", "member": keras.losses.BinaryCrossentropy()}, loss_weights={"age": 0.5, "member": 2.0})
images, rows = np.zeros((23000, 128, 128, 3), dtype="float32"), np.zeros((23000, 8), dtype="float32")
ages, members = np.zeros(23000, "float32"), np.zeros(23000, "float32")
model.fit({"pictures": images, "table": rows}, [ages, members], validation_split=0.2, batch_size=64, epochs=5)
