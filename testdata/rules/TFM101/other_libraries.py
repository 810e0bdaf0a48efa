import segmentation_models as sm

# The text names neither TensorFlow nor Keras.
model = sm.Unet("resnet34", encoder_weights=None, classes=4, activation="softmax")  # want "information: Memory growth is not set"
model.compile("adam", sm.losses.DiceLoss())
model.fit(images, masks, batch_size=16)
