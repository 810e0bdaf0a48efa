package arrays_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/value"
)

// TestLabels holds how many classes programs find in labels: of the data sets of Keras and of
// scikit-learn, whose numbers nobody reads.
func TestLabels(t *testing.T) {
	const begin = `
import random
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras
from tensorflow.keras.utils import to_categorical
from sklearn.datasets import load_iris, load_breast_cancer, make_circles, make_moons, make_blobs, make_classification, make_regression, make_swiss_roll
from sklearn.model_selection import train_test_split, KFold, StratifiedKFold
from xgboost import XGBClassifier
from sklearn.preprocessing import LabelBinarizer, LabelEncoder, OneHotEncoder, StandardScaler
(x, y), (xt, yt) = keras.datasets.mnist.load_data()
(cx, cy), _ = keras.datasets.cifar100.load_data()
(_, coarse), _ = keras.datasets.cifar100.load_data(label_mode="coarse")
(_, topics), (_, some) = keras.datasets.reuters.load_data(num_words=1000)
iris = load_iris()
ill = load_breast_cancer().target
`
	for expression, want := range map[string]int64{
		"len(np.unique(y))":                                10,
		"np.unique(y).shape[0]":                            10,
		"np.unique(y).size":                                10,
		"len(np.unique(y, return_counts=True)[0])":         10,
		"len(set(y))":                                      10,
		"y.max() + 1":                                      10,
		"np.max(yt) + 1":                                   10,
		"int(np.amax(y)) + 1":                              10,
		"y.max() - y.min() + 1":                            10,
		"to_categorical(y).shape[1]":                       10,
		"to_categorical(y, 12).shape[1]":                   12,
		"len(np.unique(np.argmax(to_categorical(y), 1)))":  10,
		"len(np.bincount(y))":                              10,
		"len(np.unique(y.astype('int32').reshape(-1, 1)))": 10,
		"len(np.unique(cy))":                               100,
		"to_categorical(cy).shape[1]":                      100,
		"len(np.unique(cy[:, 0]))":                         100,
		"cy.flatten().max() + 1":                           100,
		"len(set(cy.ravel()))":                             100,
		"to_categorical(coarse).shape[-1]":                 20,
		"max(topics.max(), 0) + 1":                         46,
		"len(iris.target_names)":                           3,
		"len(iris['feature_names'])":                       4,
		"to_categorical(iris.target).shape[1]":             3,
		"OneHotEncoder().fit_transform(iris.target.reshape(-1, 1)).shape[1]":                            3,
		"[OneHotEncoder().fit(iris.target.reshape(-1, 1)), 7][1]":                                       7,
		"len(LabelEncoder().fit(iris.target).classes_)":                                                 3,
		"len(LabelEncoder().classes_)":                                                                  0,
		"len(LabelEncoder().fit(x).classes_)":                                                           0,
		"len(LabelBinarizer().fit(ill).classes_)":                                                       2,
		"tfds.load('tf_flowers', with_info=True)[1].features['label'].num_classes":                      5,
		"len(tfds.load('food101', with_info=True, split='train')[1].features['label'].names)":           101,
		"tfds.load('mnist:3.0.1', with_info=True, as_supervised=True)[1].features['label'].num_classes": 10,
		"tfds.load('mnist', with_info=True)[1].features['image'].num_classes":                           0,
		"tfds.load('mnist', with_info=True)[1].splits['train'].num_examples":                            0,
		"tfds.load('somewhere', with_info=True)[1].features['label'].num_classes":                       0,
		"np.random.choice(9, 5).shape[0]":                                                               5,
		"np.random.choice([1, 2], size=(5, 4), replace=True).shape[1]":                                  4,
		"np.random.permutation(70).shape[0]":                                                            70,
		"np.random.permutation(np.zeros((6, 9))).shape[1]":                                              9,
		"np.random.RandomState(1).randn(7, 3).shape[0]":                                                 7,
		"np.random.RandomState(seed=1).normal(size=(7, 3)).shape[1]":                                    3,
		"np.random.default_rng(1).integers(0, 9, size=12).shape[0]":                                     12,
		"np.random.default_rng(1).random((4, 5)).shape[1]":                                              5,
		"np.random.default_rng(1).standard_normal((4, 5)).shape[1]":                                     5,
		"np.random.multivariate_normal(mean=[0, 3], cov=[[1, 0.5], [0.5, 1]], size=1000).shape[1]":      2,
		"np.random.multivariate_normal([0, 3], [[1, 0.5], [0.5, 1]]).shape[0]":                          2,
		"np.random.permutation(np.load('x.npy')).ndim":                                                  0,
		"len(random.sample(list(range(90)), 12))":                                                       12,
		"len(random.sample(np.load('x.npy').tolist(), k=12))":                                           12,
		"random.sample([3, 4], 1)[0]":                                                                   0,
		"StandardScaler().fit(iris.data).mean_.shape[0]":                                                4,
		"StandardScaler().mean_.ndim":                                                                   0,
		"make_circles(1000, noise=0.03)[0].shape[0]":                                                    1000,
		"make_circles(1000, noise=0.03)[0].shape[1]":                                                    2,
		"len(np.unique(make_circles()[1]))":                                                             2,
		"make_moons(n_samples=(30, 40))[0].shape[0]":                                                    70,
		"make_blobs(n_samples=500, centers=4, n_features=6)[0].shape[1]":                                6,
		"len(np.unique(make_blobs(n_samples=500, centers=4)[1]))":                                       4,
		"len(np.unique(make_blobs(n_samples=500)[1]))":                                                  3,
		"make_blobs(500, centers=[[1, 2, 3], [3, 4, 5]])[0].shape[1]":                                   3,
		"make_classification(600, 12, n_informative=9, n_classes=5)[0].shape[1]":                        12,
		"len(np.unique(make_classification(600, 12, n_informative=9, n_classes=5)[1]))":                 5,
		"make_regression(200, 7)[0].shape[1]":                                                           7,
		"make_regression()[0].shape[1]":                                                                 100,
		"make_regression(200, 7, n_targets=3)[1].shape[1]":                                              3,
		"make_regression(200, 7, coef=True)[0].ndim":                                                    0,
		"make_swiss_roll(50)[0].shape[1]":                                                               3,
		"[XGBClassifier(n_jobs=2).fit(x, y).predict(x), 7][1]":                                          7,
		"LabelBinarizer().fit_transform(iris.target).shape[1]":                                          3,
		"LabelBinarizer().fit_transform(ill).shape[1]":                                                  1,
		"to_categorical(LabelEncoder().fit_transform(iris.target)).shape[-1]":                           3,
		"StandardScaler().fit_transform(iris.data).shape[1]":                                            4,
		"len(list(KFold(5).split(iris.data)))":                                                          5,
		"list(KFold(n_splits=4).split(iris.data))[1][1].shape[0]":                                       38,
		"list(KFold(n_splits=4).split(iris.data))[2][1].shape[0]":                                       37,
		"iris.data[list(KFold(3).split(iris.data))[0][0]].shape[0]":                                     100,
		"StratifiedKFold(n_splits=4).get_n_splits()":                                                    4,
		// What cannot be told: some labels, labels that were written to or computed with, an
		// unknown number of examples of each class.
		"len(np.unique(y[:1000]))":                         0,
		"len(np.unique(y[np.argsort(y)]))":                 0,
		"(y * 2).max() + 1":                                0,
		"len(np.unique(some))":                             0,
		"len(np.unique(x))":                                0,
		"len(np.unique(to_categorical(y)))":                0,
		"len(set(cy))":                                     0,
		"len(set(y[:40]))":                                 0,
		"len(set(np.random.randint(0, 5, size=48)))":       0,
		"len(np.unique(train_test_split(x, y)[2]))":        0,
		"[y.fill(3), y.max() + 1][1]":                      0,
		"list(StratifiedKFold(4).split(x, y))[0][0].size":  0,
		"len(np.unique(np.argmax(to_categorical(y), 0)))":  0,
		"to_categorical(y).reshape(-1, 5).argmax(1).max()": 0,
	} {
		p := follow(begin + fmt.Sprintf("n = %s\nm = keras.Sequential([keras.Input((1,)), keras.layers.Dense(n, use_bias=False)])\n", expression))
		if len(p.Models) != 1 {
			t.Fatalf("%s: %d models", expression, len(p.Models))
		}
		m := p.Models[0]
		got, _ := m.Parameters()
		if known := m.Known() && m.Unbuilt() == nil; known != (want > 0) || known && got != want {
			t.Errorf("%s is %d (known: %v), want %d; %s", expression, got, known, want, value.Words(m.Unresolved))
		}
		if len(p.Unresolved) > 0 {
			t.Errorf("%s: %s is taken for a model's: %s", expression, p.Unresolved[0].Method, p.Unresolved[0].Why)
		}
	}
}

// TestUnreadLabels holds the classes of labels that nobody reads.
func TestUnreadLabels(t *testing.T) {
	const begin = `
from tensorflow import keras
from tensorflow.keras.utils import to_categorical
from sklearn.preprocessing import LabelBinarizer, LabelEncoder, MinMaxScaler
words = [line.strip() for line in open("labels.txt")]
encoder, binarizer = LabelEncoder(), LabelBinarizer()
y = encoder.fit_transform(words)
binarizer.fit(words)
hot = to_categorical(y)
`
	for expression, known := range map[string]bool{
		"len(encoder.classes_)":   true,
		"len(binarizer.classes_)": true,
		"hot.shape[1]":            true,
		"to_categorical(encoder.transform(words)).shape[-1]": true,
		"len(MinMaxScaler().fit(words).classes_)":            false,
		"len(words)":   false,
		"hot.shape[0]": false,
		"y.shape[0]":   false,
	} {
		p := follow(begin + "m = keras.Sequential([keras.Input((1,)), keras.layers.Dense(" + expression + ", use_bias=False)])\n")
		m := p.Models[0]
		if (len(m.Unresolved) == 0) != known {
			t.Errorf("%s: unknown because of %q", expression, m.Unresolved)
			continue
		}
		if !known {
			continue
		}
		least, _ := m.Parameters()
		if most, _ := m.Wider.Parameters(); least != 2 || most != 1000 {
			t.Errorf("%s: %d to %d classes", expression, least, most)
		}
	}
}
