# device: 24 GiB
import tensorflow as tf

model = tf.keras.applications.VGG16(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", jit_compile=False)
model.fit(images, labels, batch_size=320)  # want "9\.\d\d GiB less"

# A loop of one's own must scale the loss: no fix is offered.
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
