# device: 8 GiB
from tensorflow.keras.applications import VGG16

# Nothing here is called tf or keras: the fix imports what it needs.
model = VGG16(weights=None)
model.compile("adam", "categorical_crossentropy")
model.fit(x, y, batch_size=128)  # want "With mixed_float16 this training needs about 6\.64 GiB less memory\."
