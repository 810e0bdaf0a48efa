import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
x_train, x_test = x_train / 255.0, x_test / 255.0
model = tf.keras.Sequential([
    tf.keras.layers.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
optimizer = tf.keras.optimizers.Adam()
for epoch in range(200):
    with tf.GradientTape() as tape:
        logits = model(x_train, training=True)  # want "information: This call takes all 50000 examples as one batch in every iteration\. That is 586 MiB of input as float32, and every layer computes its output for all of them, the largest of 5\.36 GiB\. The tape keeps them\. Train on batches\.$"
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y_train, logits, from_logits=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    predicted = tf.argmax(model(x_test), axis=1)  # want "This call takes all 10000 examples as one batch in every iteration\. That is 117 MiB of input as float32, and every layer computes its output for all of them, the largest of 1\.07 GiB\. Use predict\(\), which works in batches\.$"


def dropout_samples(net, n):
    return [net(x_test, training=True) for _ in range(n)]  # want "in every iteration"


print(dropout_samples(model, 50))
