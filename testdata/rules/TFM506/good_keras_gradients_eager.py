# keras: 2.13
import tensorflow as tf
from tensorflow.keras import backend as K

model = tf.keras.applications.VGG16()
for image in images:
    gradients = K.gradients(model.output[:, 0], model.input)[0]  # raises RuntimeError
    iterate = K.function([model.input], [gradients])
    print(iterate([image]))
