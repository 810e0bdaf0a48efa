# Parts of what was fitted, other data, or data that is known to be small.
import numpy as np
import tensorflow as tf

x_train = np.load("x.npy")
y_train = np.load("y.npy")
few = np.zeros((100, 64, 64, 3), np.float32)
images = tf.keras.Input((64, 64, 3))
hidden = tf.keras.layers.GlobalAveragePooling2D()(tf.keras.layers.Conv2D(64, 3)(images))
model = tf.keras.Model(images, hidden)
model.compile("adam", "mse")
model.fit(x_train, y_train, batch_size=64, epochs=10)
model.fit(few, y_train, batch_size=16)
first = model(x_train[:10])
all_of_few = model(few)
x_train = x_train[:10]
after = model(x_train)
for x in x_train:
    model(x)
whole = np.load("z.npy")
model.fit(whole, y_train, batch_size=len(whole))
model(whole)
unsaid = np.load("u.npy")
model.fit(unsaid, y_train)
model(unsaid)
part = np.load("v.npy")[0:64]
model.fit(part, y_train[:64], batch_size=10)
model(part)
