# The losses and metrics of segmentation_models (losses.py, metrics.py, base/functional.py, base/objects.py).
import tensorflow as tf

K = tf.keras.backend


class Score:
    def __add__(self, other):
        return Sum(self, other)

    def __radd__(self, other):
        return Sum(self, other)

    def __mul__(self, factor):
        return Product(self, factor)

    def __rmul__(self, factor):
        return Product(self, factor)


class Sum(Score):
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __call__(self, gt, pr):
        return self.first(gt, pr) + self.second(gt, pr)


class Product(Score):
    def __init__(self, loss, factor):
        self.loss, self.factor = loss, factor

    def __call__(self, gt, pr):
        return self.factor * self.loss(gt, pr)


def gathered(x, indexes):
    if indexes is None:
        return x
    x = K.gather(K.permute_dimensions(x, (3, 0, 1, 2)), [indexes] if isinstance(indexes, int) else indexes)
    return K.permute_dimensions(x, (1, 2, 3, 0))


class Overlap(Score):
    def options(self, class_weights, class_indexes, threshold, per_image, smooth):
        self.weights = 1 if class_weights is None else class_weights
        self.indexes, self.threshold, self.per_image, self.smooth = class_indexes, threshold, per_image, smooth

    def score(self, gt, pr):
        gt, pr = gathered(gt, self.indexes), gathered(pr, self.indexes)
        if self.threshold is not None:
            pr = K.cast(K.greater(pr, self.threshold), K.floatx())
        score = self.ratio(gt, pr, [1, 2] if self.per_image else [0, 1, 2])
        if self.per_image:
            score = K.mean(score, axis=0)
        return K.mean(score * self.weights)


class IOUScore(Overlap):
    def __init__(self, class_weights=None, class_indexes=None, threshold=None, per_image=False, smooth=1e-5, name=None):
        self.options(class_weights, class_indexes, threshold, per_image, smooth)

    def ratio(self, gt, pr, axes):
        intersection = K.sum(gt * pr, axis=axes)
        union = K.sum(gt + pr, axis=axes) - intersection
        return (intersection + self.smooth) / (union + self.smooth)

    def __call__(self, gt, pr):
        return self.score(gt, pr)


class FScore(Overlap):
    def __init__(self, beta=1, class_weights=None, class_indexes=None, threshold=None, per_image=False, smooth=1e-5, name=None):
        self.options(class_weights, class_indexes, threshold, per_image, smooth)
        self.square = beta**2

    def ratio(self, gt, pr, axes):
        tp = K.sum(gt * pr, axis=axes)
        fp = K.sum(pr, axis=axes) - tp
        fn = K.sum(gt, axis=axes) - tp
        tp = (1 + self.square) * tp
        return (tp + self.smooth) / (tp + self.square * fn + fp + self.smooth)

    def __call__(self, gt, pr):
        return self.score(gt, pr)


class Precision(IOUScore):
    def ratio(self, gt, pr, axes):
        tp = K.sum(gt * pr, axis=axes)
        fp = K.sum(pr, axis=axes) - tp
        return (tp + self.smooth) / (tp + fp + self.smooth)


class Recall(IOUScore):
    def ratio(self, gt, pr, axes):
        tp = K.sum(gt * pr, axis=axes)
        fn = K.sum(gt, axis=axes) - tp
        return (tp + self.smooth) / (tp + fn + self.smooth)


class JaccardLoss(IOUScore):
    def __init__(self, class_weights=None, class_indexes=None, per_image=False, smooth=1e-5):
        self.options(class_weights, class_indexes, None, per_image, smooth)

    def __call__(self, gt, pr):
        return 1 - self.score(gt, pr)


class DiceLoss(FScore):
    def __init__(self, beta=1, class_weights=None, class_indexes=None, per_image=False, smooth=1e-5):
        self.options(class_weights, class_indexes, None, per_image, smooth)
        self.square = beta**2

    def __call__(self, gt, pr):
        return 1 - self.score(gt, pr)


class BinaryCELoss(Score):
    def __call__(self, gt, pr):
        return K.mean(K.binary_crossentropy(gt, pr))


class CategoricalCELoss(Score):
    def __init__(self, class_weights=None, class_indexes=None):
        self.weights = 1 if class_weights is None else class_weights
        self.indexes = class_indexes

    def __call__(self, gt, pr):
        gt, pr = gathered(gt, self.indexes), gathered(pr, self.indexes)
        pr = pr / K.sum(pr, axis=3, keepdims=True)
        pr = K.clip(pr, K.epsilon(), 1 - K.epsilon())
        return -K.mean(gt * K.log(pr) * self.weights)


class CategoricalFocalLoss(Score):
    def __init__(self, alpha=0.25, gamma=2.0, class_indexes=None):
        self.alpha, self.gamma, self.indexes = alpha, gamma, class_indexes

    def __call__(self, gt, pr):
        gt, pr = gathered(gt, self.indexes), gathered(pr, self.indexes)
        pr = K.clip(pr, K.epsilon(), 1.0 - K.epsilon())
        return K.mean(-gt * (self.alpha * K.pow(1 - pr, self.gamma) * K.log(pr)))


class BinaryFocalLoss(Score):
    def __init__(self, alpha=0.25, gamma=2.0):
        self.alpha, self.gamma = alpha, gamma

    def __call__(self, gt, pr):
        pr = K.clip(pr, K.epsilon(), 1.0 - K.epsilon())
        of_ones = -gt * (self.alpha * K.pow(1 - pr, self.gamma) * K.log(pr))
        of_zeros = -(1 - gt) * ((1 - self.alpha) * K.pow(pr, self.gamma) * K.log(1 - pr))
        return K.mean(of_zeros + of_ones)


iou_score, f1_score, f2_score, precision, recall = IOUScore(), FScore(), FScore(beta=2), Precision(), Recall()
jaccard_loss, dice_loss = JaccardLoss(), DiceLoss()
binary_focal_loss, categorical_focal_loss = BinaryFocalLoss(), CategoricalFocalLoss()
binary_crossentropy, categorical_crossentropy = BinaryCELoss(), CategoricalCELoss()
bce_dice_loss, bce_jaccard_loss = binary_crossentropy + dice_loss, binary_crossentropy + jaccard_loss
cce_dice_loss, cce_jaccard_loss = categorical_crossentropy + dice_loss, categorical_crossentropy + jaccard_loss
binary_focal_dice_loss, binary_focal_jaccard_loss = binary_focal_loss + dice_loss, binary_focal_loss + jaccard_loss
categorical_focal_dice_loss = categorical_focal_loss + dice_loss
categorical_focal_jaccard_loss = categorical_focal_loss + jaccard_loss
