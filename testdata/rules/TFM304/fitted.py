# What fit goes through in batches is handed whole to another model on the same input, or to
# the same.
import numpy as np
import tensorflow as tf

BATCH = 64
x_train = np.load("x.npy")
y_train = np.load("y.npy")
images = tf.keras.Input((64, 64, 3))
hidden = tf.keras.layers.Conv2D(64, 3)(images)
hidden = tf.keras.layers.GlobalAveragePooling2D(name="features")(hidden)
model = tf.keras.Model(images, tf.keras.layers.Dense(10)(hidden))
model.compile("adam", "mse")
model.fit(x_train, y_train, batch_size=BATCH, epochs=10)
extractor = tf.keras.Model(model.input, model.get_layer("features").output)
features = extractor(x_train, training=False)  # want "This call takes all of x_train as one batch\. fit\(\) on line 14 uses batches of 64; here every layer computes its output for all examples at once\. Use predict\(\), which works in batches\.$"
more = extractor.predict_on_batch(x_train)  # want "all of x_train"
logits = model(x_train).numpy()  # want "all of x_train"
