import numpy as np
from keras import backend as K
from keras.applications import VGG16

model = VGG16(include_top=False)
layer = model.get_layer("block5_conv1").output


def images(data):  # one function for all
    gradients = K.gradients(K.mean(layer), model.input)[0]
    iterate = K.function([model.input], [gradients])
    return [iterate([data[n:n + 1]]) for n in range(len(data))]


def gradients_of(index):
    return K.gradients(K.mean(layer[:, :, :, index]), model.input)[0]


def filters():  # the gradients of each filter are others
    for index in range(200):
        loss = K.mean(layer[:, :, :, index])
        gradients = K.gradients(loss, model.input)[0]
        iterate = K.function([model.input], [loss, gradients])
        iterate([np.zeros((1, 128, 128, 3))])


def pattern(index):
    loss = K.mean(layer[:, :, :, index])
    gradients = K.gradients(loss, model.input)[0]
    iterate = K.function([model.input], [loss, gradients])
    image = np.random.random((1, 150, 150, 3))
    for step in range(40):
        image += iterate([image])[1]
    return image


patterns = [pattern(index) for index in range(64)]
for index in range(64):
    patterns.append(pattern(index))
filters()
images(np.zeros((8, 128, 128, 3)))
