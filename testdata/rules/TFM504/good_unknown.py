# keras: 2.13
# A helper of the project may clear the session; other libraries have models too.
from sklearn.linear_model import Model
import tensorflow as tf
from .helpers import reset_everything

for units in sizes:
    reset_everything()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(x, y)
for units in sizes:
    model = Model()
    model.fit(x, y)
