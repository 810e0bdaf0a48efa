import numpy as np
import tensorflow as tf
import segmentation_models as sm
sm.set_framework('tf.keras')
loss = sm.losses.bce_jaccard_loss
model = sm.Linknet(backbone_name='resnet34', input_shape=(64, 64, 3), classes=1, activation='sigmoid', encoder_weights=None)
model.compile(tf.keras.optimizers.Adam(1e-4), loss, [sm.metrics.IOUScore(threshold=0.5), sm.metrics.FScore(threshold=0.5)])
model.fit(x=np.zeros((16, 64, 64, 3), np.float32), y=np.zeros((16, 64, 64, 1), np.float32), batch_size=4, epochs=1)
