# ram: 13 GiB
# Pictures in NumPy's default of float64, and what fit makes of them.
import numpy as np
import keras

x = np.random.rand(10000, 224, 224, 3)  # want "The program takes at least 22\.4 GiB of the machine's own memory\. The machine has 13\.0 GiB \(named by the case\)\. It holds the array of rand\(\) 11\.2 GiB, .*keep whole numbers as uint8 until a batch is made\.$"
y = np.zeros(10000)
model = keras.Sequential([keras.Input((224, 224, 3)), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=32)
