import numpy as np
import tensorflow as tf
import segmentation_models as sm
sm.set_framework('tf.keras')
model = sm.FPN('efficientnetb0', classes=2, activation='softmax', input_shape=(64, 64, 3), encoder_weights=None)
model.compile('Adam', loss=sm.losses.cce_jaccard_loss)
model.fit(np.zeros((8, 64, 64, 3), np.float32), np.zeros((8, 64, 64, 2), np.float32), batch_size=4)
