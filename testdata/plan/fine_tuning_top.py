# device: 6 GiB
# keras: 3.15
# The upper layers of the base are trained on purpose.
from tensorflow import keras
from tensorflow.keras import layers

train = keras.utils.image_dataset_from_directory("train", image_size=(224, 224), batch_size=256)

base = keras.applications.MobileNetV2(include_top=False, weights="imagenet", input_shape=(224, 224, 3), pooling="avg")
base.trainable = False
model = keras.Sequential([layers.Input((224, 224, 3)), base, layers.Dense(5)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.Adam(1e-3), loss)
model.fit(train, epochs=5)

for layer in base.layers[20:]:
    layer.trainable = True
model.compile(keras.optimizers.Adam(1e-5), loss)
model.fit(train, epochs=5)
