# The items of the tuple are a score, weights and the model. Only the last refers to the model.
import tensorflow as tf
import gc


def train(units, weights):
    model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(10)])
    if weights is not None:
        model.set_weights(weights)
    weights = model.get_weights()
    model.compile("sgd", "mse")
    model.fit(x, y)
    return model.evaluate(x, y), weights, model


weights = None
for i in range(100):
    results = model = None
    tf.keras.backend.clear_session()
    gc.collect()
    results = train(4096, weights)  # want "none is freed\. Earlier models stay in memory until Python's garbage collector finds them: nothing here calls clear_session\(\) or gc\.collect\(\)\. All 100 of them together take 1\.21 GiB at most\.$"
    score, weights, model = results
    print(score, model.name)
