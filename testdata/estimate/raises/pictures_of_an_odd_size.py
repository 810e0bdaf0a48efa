# Keras runs
# What these models pad depends on whether the picture's size is odd.
import keras

for model in [
    keras.applications.NASNetMobile(input_shape=(299, 299, 3), weights=None),
    keras.applications.EfficientNetB0(input_shape=(225, 225, 3), weights=None),
    keras.applications.MobileNetV2(input_shape=(151, 151, 3), weights=None),
    keras.applications.MobileNetV3Small(input_shape=(151, 151, 3), weights=None),
]:
    model.compile("sgd", "categorical_crossentropy")
