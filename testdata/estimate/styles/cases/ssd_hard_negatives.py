import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Activation, BatchNormalization, Concatenate, Conv2D, ELU, Input, MaxPooling2D, Reshape
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers import Adam
from tensorflow.keras.regularizers import l2


class SSDLoss:
    def __init__(self, neg_pos_ratio=3, n_neg_min=0, alpha=1.0):
        self.neg_pos_ratio = neg_pos_ratio
        self.n_neg_min = n_neg_min
        self.alpha = alpha

    def smooth_L1_loss(self, y_true, y_pred):
        absolute_loss = tf.abs(y_true - y_pred)
        square_loss = 0.5 * (y_true - y_pred) ** 2
        l1_loss = tf.where(tf.less(absolute_loss, 1.0), square_loss, absolute_loss - 0.5)
        return tf.reduce_sum(l1_loss, axis=-1)

    def log_loss(self, y_true, y_pred):
        y_pred = tf.maximum(y_pred, 1e-15)
        return -tf.reduce_sum(y_true * tf.math.log(y_pred), axis=-1)

    def compute_loss(self, y_true, y_pred):
        batch_size = tf.shape(y_pred)[0]
        n_boxes = tf.shape(y_pred)[1]
        classification_loss = tf.cast(self.log_loss(y_true[:, :, :-4], y_pred[:, :, :-4]), tf.float32)
        localization_loss = tf.cast(self.smooth_L1_loss(y_true[:, :, -4:], y_pred[:, :, -4:]), tf.float32)
        negatives = y_true[:, :, 0]
        positives = tf.cast(tf.reduce_max(y_true[:, :, 1:-4], axis=-1), tf.float32)
        n_positive = tf.reduce_sum(positives)
        pos_class_loss = tf.reduce_sum(classification_loss * positives, axis=-1)
        neg_class_loss_all = classification_loss * negatives
        n_negative_keep = tf.minimum(
            tf.maximum(self.neg_pos_ratio * tf.cast(n_positive, tf.int32), self.n_neg_min), batch_size * n_boxes)
        flat = tf.reshape(neg_class_loss_all, [-1])
        values, indices = tf.nn.top_k(flat, k=n_negative_keep, sorted=False)
        keep = tf.scatter_nd(tf.expand_dims(indices, axis=1), tf.ones_like(indices, dtype=tf.int32), tf.shape(flat))
        keep = tf.cast(tf.reshape(keep, [batch_size, n_boxes]), tf.float32)
        neg_class_loss = tf.reduce_sum(classification_loss * keep, axis=-1)
        class_loss = pos_class_loss + neg_class_loss
        loc_loss = tf.reduce_sum(localization_loss * positives, axis=-1)
        total = (class_loss + self.alpha * loc_loss) / tf.maximum(1.0, n_positive)
        return total * tf.cast(batch_size, tf.float32)


def build_model(image_size, n_classes, l2_reg=0.0005, n_boxes=(4, 4, 4, 4)):
    img_h, img_w, img_c = image_size
    n_classes += 1
    x = Input(shape=(img_h, img_w, img_c))
    t = x
    feats = []
    for i, f in enumerate([32, 48, 64, 64, 48, 48, 32]):
        t = Conv2D(f, (5, 5) if i == 0 else (3, 3), strides=(1, 1), padding="same", kernel_initializer="he_normal",
                   kernel_regularizer=l2(l2_reg), name="conv%d" % (i + 1))(t)
        t = BatchNormalization(axis=3, momentum=0.99, name="bn%d" % (i + 1))(t)
        t = ELU(name="elu%d" % (i + 1))(t)
        if i >= 3:
            feats.append(t)
        if i < 6:
            t = MaxPooling2D(pool_size=(2, 2), name="pool%d" % (i + 1))(t)
    confs, locs = [], []
    for i, f in enumerate(feats):
        c = Conv2D(n_boxes[i] * n_classes, (3, 3), padding="same", kernel_regularizer=l2(l2_reg), name="classes%d" % (i + 4))(f)
        b = Conv2D(n_boxes[i] * 4, (3, 3), padding="same", kernel_regularizer=l2(l2_reg), name="boxes%d" % (i + 4))(f)
        confs.append(Reshape((-1, n_classes), name="classes%d_reshape" % (i + 4))(c))
        locs.append(Reshape((-1, 4), name="boxes%d_reshape" % (i + 4))(b))
    classes_concat = Concatenate(axis=1, name="classes_concat")(confs)
    boxes_concat = Concatenate(axis=1, name="boxes_concat")(locs)
    classes_softmax = Activation("softmax", name="classes_softmax")(classes_concat)
    predictions = Concatenate(axis=2, name="predictions")([classes_softmax, boxes_concat])
    return Model(inputs=x, outputs=predictions)


model = build_model((256, 256, 3), 5)
model.compile(optimizer=Adam(learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-08), loss=SSDLoss(alpha=1.0).compute_loss)
total = model.output_shape[1]
x = np.random.rand(16, 256, 256, 3).astype("float32")
y = np.zeros((16, total, 10), "float32")
y[..., 0] = 1
y[:, ::50, 0] = 0
y[:, ::50, 3] = 1
model.fit(x, y, batch_size=4, epochs=1)
