"""RetinaNet-like: ResNet50 backbone from applications, FPN, class and box heads shared over levels."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers

NUM_CLASSES = 8
ANCHORS = 9
SIZE = 96


def get_backbone():
    backbone = keras.applications.ResNet50(include_top=False, weights=None, input_shape=(SIZE, SIZE, 3))
    outs = [backbone.get_layer(n).output for n in ["conv3_block4_out", "conv4_block6_out", "conv5_block3_out"]]
    m = keras.Model(backbone.inputs, outs)
    m.trainable = False
    return m


class FeaturePyramid(layers.Layer):
    def __init__(self, backbone, width=96, **kwargs):
        super().__init__(name="FeaturePyramid", **kwargs)
        self.backbone = backbone
        self.lat3 = layers.Conv2D(width, 1, 1, "same")
        self.lat4 = layers.Conv2D(width, 1, 1, "same")
        self.lat5 = layers.Conv2D(width, 1, 1, "same")
        self.out3 = layers.Conv2D(width, 3, 1, "same")
        self.out4 = layers.Conv2D(width, 3, 1, "same")
        self.out5 = layers.Conv2D(width, 3, 1, "same")
        self.conv6 = layers.Conv2D(width, 3, 2, "same")
        self.up = layers.UpSampling2D(2)

    def call(self, images, training=False):
        c3, c4, c5 = self.backbone(images, training=training)
        p3, p4, p5 = self.lat3(c3), self.lat4(c4), self.lat5(c5)
        p4 = p4 + self.up(p5)
        p3 = p3 + self.up(p4)
        return self.out3(p3), self.out4(p4), self.out5(p5), self.conv6(c5)


def build_head(filters, bias):
    head = keras.Sequential([keras.Input(shape=[None, None, 96])])
    init = keras.initializers.RandomNormal(0.0, 0.01)
    for _ in range(3):
        head.add(layers.Conv2D(96, 3, padding="same", kernel_initializer=init))
        head.add(layers.ReLU())
    head.add(layers.Conv2D(filters, 3, 1, padding="same", kernel_initializer=init, bias_initializer=bias))
    return head


class RetinaNet(keras.Model):
    def __init__(self, num_classes, backbone, **kwargs):
        super().__init__(**kwargs)
        self.fpn = FeaturePyramid(backbone)
        self.num_classes = num_classes
        prior = keras.initializers.Constant(-np.log((1 - 0.01) / 0.01))
        self.cls_head = build_head(ANCHORS * num_classes, prior)
        self.box_head = build_head(ANCHORS * 4, "zeros")

    def call(self, image, training=False):
        features = self.fpn(image, training=training)
        n = tf.shape(image)[0]
        cls, box = [], []
        for f in features:
            box.append(tf.reshape(self.box_head(f), [n, -1, 4]))
            cls.append(tf.reshape(self.cls_head(f), [n, -1, self.num_classes]))
        return tf.concat([tf.concat(box, axis=1), tf.concat(cls, axis=1)], axis=-1)


class DetectionLoss(keras.losses.Loss):
    def __init__(self, num_classes, alpha=0.25, gamma=2.0, delta=1.0):
        super().__init__(reduction="sum_over_batch_size", name="RetinaNetLoss")
        self.alpha, self.gamma, self.delta, self.num_classes = alpha, gamma, delta, num_classes

    def call(self, y_true, y_pred):
        box_labels = y_true[:, :, :4]
        cls_labels = tf.one_hot(tf.cast(y_true[:, :, 4], tf.int32), depth=self.num_classes, dtype=tf.float32)
        diff = box_labels - y_pred[:, :, :4]
        ab = tf.abs(diff)
        box = tf.reduce_sum(tf.where(ab < self.delta, 0.5 * diff ** 2, ab - 0.5), axis=-1)
        ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=cls_labels, logits=y_pred[:, :, 4:])
        p = tf.nn.sigmoid(y_pred[:, :, 4:])
        a = tf.where(tf.equal(cls_labels, 1.0), self.alpha, 1.0 - self.alpha)
        pt = tf.where(tf.equal(cls_labels, 1.0), p, 1 - p)
        cl = tf.reduce_sum(a * tf.pow(1.0 - pt, self.gamma) * ce, axis=-1)
        pos = tf.cast(tf.greater(y_true[:, :, 4], -1.0), tf.float32)
        norm = tf.reduce_sum(pos, axis=-1)
        return tf.math.divide_no_nan(tf.reduce_sum(cl + box * pos, axis=-1), norm)


cells = sum((SIZE // s) ** 2 for s in (8, 16, 32)) + 2 * 2
targets = np.random.rand(24, cells * ANCHORS, 5).astype("float32")
targets[..., 4] = np.random.randint(-1, NUM_CLASSES, targets.shape[:2])
model = RetinaNet(NUM_CLASSES, get_backbone())
model.compile(loss=DetectionLoss(NUM_CLASSES), optimizer=keras.optimizers.SGD(learning_rate=1e-3, momentum=0.9))
model.fit(np.random.rand(24, SIZE, SIZE, 3).astype("float32"), targets, batch_size=8, epochs=1)
