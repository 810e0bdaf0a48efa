import numpy as np
import pandas as pd
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
model.compile("adam", "mse")
table = pd.read_csv("table.csv")
few = table.sample(100)
columns = [np.load("x.npy")[:, i] for i in range(4)]
for epoch in range(1000):
    shuffled = table.sample(frac=1.0)  # all rows
    model.fit(shuffled, np.zeros(len(shuffled)))
    model.predict(shuffled)
    model.predict(few)
    model.predict(np.array(columns).T)
