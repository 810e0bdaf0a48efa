# A few examples are shown.
import tensorflow as tf

model = tf.keras.applications.VGG16()
for path in paths[-10:]:
    image = tf.keras.utils.img_to_array(tf.keras.utils.load_img(path, target_size=(224, 224)))
    print(model.predict(image[None]))
