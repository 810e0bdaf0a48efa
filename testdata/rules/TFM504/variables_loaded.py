import gc

import tensorflow as tf

for fold, (train, rest) in enumerate(folds.split(x, y)):
    net = tf.keras.models.load_model("start.keras")  # want "^hint: .* trains another model whose variables stay\. .*, or build and compile one model before the loop, and set its weights and optimizer variables back each time\.$"
    net.fit(x[train], y[train], epochs=20)
    print(net.evaluate(x[rest], y[rest]))
    del net
    tf.keras.backend.clear_session()
    gc.collect()
