import numpy as np
import tensorflow as tf
from classification_models.tfkeras import Classifiers
ResNet18, preprocess_input = Classifiers.get('resnet18')
base = ResNet18((96, 96, 3), weights=None, include_top=False)
x = tf.keras.layers.GlobalAveragePooling2D()(base.output)
m = tf.keras.Model(base.input, tf.keras.layers.Dense(10, activation='softmax')(x))
m.compile('sgd', loss='sparse_categorical_crossentropy')
m.fit(preprocess_input(np.zeros((32, 96, 96, 3), np.float32)), np.zeros((32,), np.int32), batch_size=8)
