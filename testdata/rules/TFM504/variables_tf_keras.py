# tf_keras is for TensorFlow 2.16 and later.
import gc
import tf_keras as keras

for units in sizes:
    keras.backend.clear_session()
    gc.collect()
    model = keras.Sequential([keras.layers.Dense(units)])  # want "^hint: .* whose variables stay\. .* not these variables\. Train"
    model.compile("adam", "mse")
    model.fit(x, y)
