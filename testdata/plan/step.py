# device: 8 GiB
# keras: 3.15
import keras
import tensorflow as tf

model = keras.applications.ResNet50(weights=None, classes=10)
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.SparseCategoricalCrossentropy()
train = keras.utils.image_dataset_from_directory("cats", image_size=(224, 224), batch_size=96)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(3):
    for x, y in train:
        train_step(x, y)
