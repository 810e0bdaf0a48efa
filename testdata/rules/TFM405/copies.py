import tensorflow as tf

model = tf.keras.applications.ResNet50(weights=None, classes=10)
model.compile("sgd", "mse")
snapshots, arrays = [], []
for epoch in range(90):
    model.fit(tf.zeros((64, 224, 224, 3)), tf.zeros((64, 10)))
    snapshots.append([tf.identity(w) for w in model.trainable_variables])  # want "snapshots keeps the copies of the weights of every step in GPU memory\. The loop on line 6 adds a set in each iteration\."
    arrays.append([w.numpy() for w in model.trainable_variables])
    best = [tf.identity(w) for w in model.weights]
