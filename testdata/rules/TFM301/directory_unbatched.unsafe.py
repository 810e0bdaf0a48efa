import keras

train = keras.utils.image_dataset_from_directory("images", batch_size=None).batch(32)
model.predict(train)  # want "reaches predict\(\) without a batch"
