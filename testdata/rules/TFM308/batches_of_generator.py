"""Features of the batches of a directory, one call of predict each."""
import numpy as np
from tensorflow.keras.applications import VGG16
from tensorflow.keras.preprocessing.image import ImageDataGenerator

base = VGG16(include_top=False, input_shape=(150, 150, 3))
images = ImageDataGenerator(rescale=1 / 255)


def features(folder, count, size=20):
    found = np.zeros((count, 4, 4, 512))
    generator = images.flow_from_directory(folder, target_size=(150, 150), batch_size=size)
    i = 0
    for batch, labels in generator:
        found[i * size:(i + 1) * size] = base.predict(batch)  # want "predict\(\) is called for each batch of a generator in a loop\."
        i += 1
        if i * size >= count:
            break
    return found


def reports(batches):  # not known to be batches
    for batch in batches:
        print(base.predict(batch))


def of_each_file(paths):  # a whole file each time
    for path in paths:
        print(base.predict(np.load(path)))


features("train", 2000)
reports(open_all())
