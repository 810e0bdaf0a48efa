import keras

train = keras.utils.image_dataset_from_directory("images", batch_size=None)
model.predict(train)  # want "reaches predict\(\) without a batch"
