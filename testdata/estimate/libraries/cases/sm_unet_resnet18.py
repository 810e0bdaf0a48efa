import numpy as np
import tensorflow as tf
import segmentation_models as sm
sm.set_framework('tf.keras')
model = sm.Unet('resnet18', input_shape=(96, 96, 3), classes=3, activation='softmax', encoder_weights=None)
model.compile('Adam', loss=sm.losses.categorical_focal_dice_loss, metrics=[sm.metrics.iou_score])
model.fit(np.zeros((16, 96, 96, 3), np.float32), np.zeros((16, 96, 96, 3), np.float32), batch_size=4)
