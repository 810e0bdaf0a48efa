import tensorflow as tf

photos = tf.keras.utils.image_dataset_from_directory("photos", labels=None, image_size=(224, 224))
model = tf.keras.applications.MobileNetV2(weights=None, classes=3)
scores = model.predict(photos.batch(1))  # want "predict\(\) gets batches of batches\. .* Each example then has the shape \(32, 224, 224, 3\), and the model's input is \(224, 224, 3\)\."
