# device: 10 GiB
import keras

keras.config.set_dtype_policy("float64")


def network():
    features = keras.Input((2048,))
    x = features
    for _ in range(100):
        x = keras.layers.Dense(2048, activation="relu")(x)
    return keras.Model(features, keras.layers.Dense(1)(x))


net = network()
net.compile("adam", "mse")
net.fit(samples, targets, batch_size=16)  # want "error: .*In float32, training would need about 4\.74 GiB and perhaps fit\. With RMSprop"
