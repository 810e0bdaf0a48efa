# ram: 16 GiB
# TensorBoard counts the numbers of each weight in 30 doubles for each number (keras-team/keras#18243, tensorflow/tensorflow#60917).
import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory("photos", image_size=(224, 224), batch_size=32)
model = tf.keras.applications.VGG16(weights=None, classes=14)
model.compile("adam", "sparse_categorical_crossentropy")
board = tf.keras.callbacks.TensorBoard(log_dir="logs", histogram_freq=1)
model.fit(train, epochs=10, callbacks=[board])  # want "The program takes at least 23\.0 GiB of the machine's own memory\. The machine has 16\.0 GiB \(named by the case\)\. It holds the histogram of the largest weight 23\.0 GiB\. Set histogram_freq=0, or log the weights of small layers only\.$"
