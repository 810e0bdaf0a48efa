package arrays_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A host has arrays and nothing else. It is their run, too: without models, and with what is
// not known at an end, or not.
type host struct {
	value.NoHost
	*numpy.Library
	end bool
}

func (h *host) Call(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	return arrays.Call(h.Library, in, name, args)
}

func (h *host) Shaped(in *value.Interp, method string, why *value.Cause, args *value.Args) (value.Value, bool) {
	return h.Library.Shaped(in, method, why, args)
}

func (h *host) Between(low, _ int64, _ string) int64 { return low }
func (h *host) AtEnd() bool                          { return h.end }
func (h *host) Keras() int                           { return 3 }
func (h *host) Symbolic(*value.Args) bool            { return false }
func (h *host) Function(string) func(*value.Interp, *value.Args) value.Value {
	return nil
}

// TestAlone holds what arrays are where there is no Keras.
func TestAlone(t *testing.T) {
	const begin = `
import collections, random
import numpy as np
import pandas as pd
import tensorflow as tf
import gymnasium as gym
import cv2
from sklearn.decomposition import PCA
from sklearn.utils import shuffle
from sklearn.manifold import MDS
from sklearn.preprocessing import LabelBinarizer, LabelEncoder, OrdinalEncoder, PolynomialFeatures, SplineTransformer, StandardScaler
from tensorflow.keras.datasets import mnist
from tensorflow.keras.utils import to_categorical
(x, y), _ = mnist.load_data()
table = pd.read_csv("a.csv", names=["a", "b", "c"])
f, u = np.zeros((2, 2), "float32"), np.zeros((2, 2), "uint8")
hot = to_categorical(LabelEncoder().fit_transform(open("labels.txt")))
`
	for _, c := range []struct{ expression, want, atEnd string }{
		{"np.zeros((2, 3)).shape", "(2, 3)", ""},
		{"(np.arange(4) * 2)[3]", "6", ""},
		{"np.concatenate([np.ones((2, 3)), np.ones((5, 3))]).shape[0]", "7", ""},
		{"x.shape[1:]", "(28, 28)", ""},
		{"y.max() + 1", "10", ""},
		{"table.drop(columns='a').shape[1]", "2", ""},
		{"cv2.resize(cv2.imread('a.png'), (8, 6)).shape", "(6, 8, 3)", ""},
		{"gym.make('CartPole-v1').action_space.n", "2", ""},
		{"np.random.choice(5).shape, np.random.choice(np.zeros(3, 'float32')).dtype, np.random.choice([1, 2], 7).shape", "((), float32, (7))", ""},
		{"np.random.choice(open('a'))", "unknown", ""},
		{"tf.io.parse_single_example('', {'a': tf.io.FixedLenFeature([], tf.string), 'b': tf.io.FixedLenFeature((2, 3), tf.float32)})['b'].shape", "(2, 3)", ""},
		{"tf.io.parse_example(np.array(['', '']), {'a': tf.io.FixedLenFeature([4], tf.int64)})['a'].shape", "(2, 4)", ""},
		{"tf.io.parse_single_example('', {'a': tf.io.FixedLenSequenceFeature([4], tf.int64, True)})['a'].shape", "(None, 4)", ""},
		{"tf.io.parse_single_example('', open('a'))['a']", "unknown", ""},
		{"tf.reshape(tf.io.decode_raw(tf.io.read_file('a'), tf.uint8), (4, 4)).dtype, tf.io.decode_raw(tf.io.read_file('a'), tf.int16).shape", "(uint8, (None))", ""},
		{"tf.ensure_shape(tf.numpy_function(len, ['a'], tf.int64), (3,)).dtype, tf.reshape(tf.cast(tf.py_function(len, ['a'], tf.uint8), tf.float32), (2, 2)).dtype", "(int64, float32)", ""},
		{"tf.numpy_function(len, ['a'], tf.int64).shape", "unknown", ""},
		{"hot.shape[1]", "unknown", "2"},
		{"tuple(tf.strings.to_number(['1'], *to).dtype for to in ((), (tf.int64,))), tf.strings.to_number(['1'], out_type='float64').dtype", "((float32, int64), float64)", ""},
		{"np.zeros(open('a')).shape", "unknown", ""},
		{"np.concatenate([np.zeros(2, 'float32'), np.arange(3)]).dtype, (np.zeros((2, 2), 'float32') @ np.ones((2, 2), 'int32')).dtype", "(float64, float64)", ""},
		{"np.full((2, 3), 7, np.float32).dtype, tf.fill((2, 3), 7, 'seven').dtype", "(float32, int32)", ""},
		{"np.array([False, True, False]).max(), np.sort(np.array([True, False]))[0]", "(true, false)", ""},
		{"np.split(np.arange(5), [-2])[0].shape, np.hstack([np.zeros(2), np.zeros(3)]).shape", "((3), (5))", ""},

		// Products: NumPy's, not element by element.
		{"(np.zeros((3, 4)) @ np.zeros((4, 5))).shape", "(3, 5)", ""},
		{"(np.zeros(3) @ np.zeros((2, 3, 5))).shape", "(2, 5)", ""},
		{"(np.zeros((7, 2, 3)) @ np.zeros(3)).shape", "(7, 2)", ""},
		{"([1, 2, 3] @ np.zeros((3, 5))).shape", "(5)", ""},
		{"np.dot(np.zeros((2, 3)), np.zeros((4, 3, 5))).shape", "(2, 4, 5)", ""},
		{"np.matmul(np.zeros((2, 3)), np.zeros((4, 3, 5))).shape", "(4, 2, 5)", ""},
		{"np.zeros((2, 3)) @ np.zeros((2, 3))", "unknown", ""},

		// Of truths, as many are taken as there are.
		{"x[y == 5].shape", "(None, 28, 28)", ""},
		{"x[~(y == 5)].shape", "(None, 28, 28)", ""},
		{"x[x > 128].shape", "(None)", ""},
		{"x[np.arange(60000) < 7].shape", "(7, 28, 28)", ""},
		{"np.arange(9)[np.arange(9) % 2 == 1][1]", "3", ""},
		{"(np.arange(9) < 4).sum()", "4", ""},
		{"((np.arange(9) < 4) * 255).max()", "255", ""},
		{"((x > 128) / 2).dtype, ((x > 128) * 2).dtype, (x > 128).mean(axis=0).dtype", "(float64, int64, float64)", ""},
		{"(np.arange(9) == 4).any(), (np.arange(9) < 4).all()", "(true, false)", ""},

		// What lists take together stands where they stand, or in front.
		{"x[[1, 2], [3, 4]].shape", "(2, 28)", ""},
		{"x[:, [3, 4, 5]].shape", "(60000, 3, 28)", ""},
		{"x[:, 0, [3, 4]].shape", "(60000, 2)", ""},
		{"x[0, :, [3, 4]].shape", "(2, 28)", ""},
		{"x[np.arange(5)[:, None], np.arange(3)].shape", "(5, 3, 28)", ""},
		{"np.arange(30).reshape(5, 6)[1, [2, 3]][1]", "9", ""},

		{"np.cumsum(np.ones((2, 3))).shape", "(6)", ""},
		{"np.dstack((np.zeros((4, 5)), np.ones((4, 5)))).shape, np.dstack([np.zeros(3), np.zeros(3)]).shape", "((4, 5, 2), (1, 3, 2))", ""},
		{"np.column_stack((np.zeros((5, 2)), np.zeros(5))).shape", "(5, 3)", ""},
		{"np.append(np.zeros((3, 4)), np.zeros((2, 4)), axis=0).shape, np.append(np.zeros((3, 4)), 1).shape", "((5, 4), (13))", ""},
		{"np.delete(np.zeros((5, 4)), [0, -1], axis=1).shape, np.delete(np.arange(5), 1)[1]", "((5, 2), 2)", ""},
		{"np.pad(x[0], 2).shape, np.pad(x, ((0, 0), (1, 2), (3, 3)), 'edge').shape", "((32, 32), (60000, 31, 34))", ""},
		{"np.diff(x).shape, np.diff(np.zeros((5, 4)), 2, 0).shape", "((60000, 28, 27), (3, 4))", ""},
		{"np.ediff1d(x[0]).shape, np.ediff1d(np.zeros(0), [1, 2], to_begin=9).shape, np.ediff1d(5).shape", "((783), (3), (0))", ""},
		{"np.ediff1d(np.arange(3) > 1), np.ediff1d(np.arange(3), 1.5), np.ediff1d(np.zeros((2, 3), 'float32')).dtype", "(unknown, unknown, float32)", ""},
		{"tuple(np.trim_zeros(np.array([0, 1, 0, 2, 0]), side).shape for side in ('fb', 'f', 'B', 'x'))", "((3), (4), (4), unknown)", ""},
		{"np.trim_zeros(np.zeros(5)).shape, np.trim_zeros(np.array([])).shape, np.trim_zeros(y).shape, np.trim_zeros(np.ones(())).shape", "((0), (0), (None), ())", ""},
		{"np.trim_zeros(x).shape, np.trim_zeros(x, 'f', axis=-1).shape, np.trim_zeros(x, 'fb', (0, 1)).shape, np.trim_zeros(y, axis=3)", "((None, None, None), (60000, 28, None), (None, None, 28), unknown)", ""},
		{"np.kron(np.zeros((2, 3)), np.zeros((4, 5))).shape, np.kron(np.zeros((2, 3)), np.zeros(4)).shape, np.kron(2, x).shape, np.kron(np.zeros((2, 0)), [[1], [2]]).shape", "((8, 15), (2, 12), (60000, 28, 28), (4, 0))", ""},
		{"tuple(np.kron(np.zeros(3, d), np.zeros(2, e)).dtype for d, e in (('float32', 'float64'), ('uint8', 'uint8'), ('bool', 'int8'), ('float16', 'float32'))), np.kron(np.zeros(3, 'uint8'), 2).dtype", "((float64, uint8, int8, float32), int64)", ""},
		{"np.cov(np.zeros((3, 5))).shape, np.cov(np.zeros((3, 5)), rowvar=False).shape, np.corrcoef(np.zeros((5, 3)), np.ones((5, 2)), False).shape, np.corrcoef(np.zeros(5), np.ones(5), False).shape, np.cov(5, 6).shape", "((3, 3), (5, 5), (5, 5), (2, 2), (2, 2))", ""},
		{"np.cov(np.zeros((0, 5)), np.zeros((2, 5))).shape, np.cov(np.zeros((3, 0))).shape, np.cov(np.zeros((5, 1)), np.ones((5, 2)), rowvar=False).shape, np.corrcoef(np.array([]), np.array([])).shape", "((0, 0), (3, 3), (3, 3), (2, 2))", ""},
		{"np.cov(np.zeros(5)), np.cov(5), np.cov(np.zeros((1, 5))), np.cov(x), np.cov(np.zeros((3, 5)), np.ones((2, 4))), np.cov(np.zeros((3, 5)), dtype='int32'), np.cov(np.zeros((1, 5)), np.ones((2, 5)), False)", "(unknown, unknown, unknown, unknown, unknown, unknown, unknown)", ""},
		{"tuple(np.cov(np.zeros((3, 5), d)).dtype for d in ('float32', 'float16', 'int8', 'bool', 'complex64')), np.cov(f, dtype='float32').dtype, np.corrcoef(f, dtype=np.float16).dtype", "((float64, float64, float64, float64, complex128), float32, float16)", ""},
		{"np.argsort(x[0, 0]).shape, np.fliplr(x).shape, np.rot90(np.zeros((3, 4, 5)), axes=(1, 2)).shape", "((28), (60000, 28, 28), (3, 5, 4))", ""},
		{"np.atleast_2d(np.arange(3)).shape, np.atleast_3d(np.zeros((3, 4))).shape, np.atleast_3d(np.arange(3)).shape", "((1, 3), (3, 4, 1), (1, 3, 1))", ""},
		// Types and shapes as NumPy has them.
		{"tuple(r.dtype for r in (f - 1.0, f + np.ones(2), np.add(f, 1), np.floor_divide(u, 2), np.divide(u, u), np.power(f, 2.0)))", "(float32, float64, float32, uint8, float64, float32)", ""},
		{"tuple((np.zeros(2, d) + np.zeros(2, e)).dtype for d in ('float16', 'float32', 'int32') for e in ('uint8', 'int16', 'int32', 'uint32', 'int64', 'bool'))", "(float16, float32, float64, float64, float64, float16, float32, float32, float64, float64, float64, float32, int32, int32, int32, int64, int64, int32)", ""},
		{"tuple((x[:2, :2, :2].astype(d) * np.zeros((2, 2, 2), e)).dtype for d, e in (('uint64', 'int8'), ('int8', 'uint8'), ('uint8', 'uint16'), ('int32', 'float32'), ('float32', 'int32')))", "(float64, int16, uint16, float64, float64)", ""},
		{"tuple(r.dtype for r in (np.sum(u, axis=0), np.cumsum(u), np.isnan(f), np.digitize(f, [0.0]), np.average(f, axis=0)))", "(uint64, uint64, bool, int64, float32)", ""},
		{"tuple(np.where(f > 0, a, b).dtype for a, b in ((f, 0.0), (1, 0), (u, 1.5)))", "(float32, int64, float64)", ""},
		{"np.where(f > 0, f, np.ones((2, 1))).shape, np.where(f)[1].shape, len(np.nonzero(f)), np.diag(np.arange(3)).shape, np.diag(np.zeros((4, 2))).shape", "((2, 2), (None), 2, (3, 3), (2))", ""},
		{"np.arange(0, 1, 0.1).shape, np.arange(3.0)[2], np.arange(1, 3, 0.5)[3], np.arange(2.5).shape", "((10), 2, 2.5, (3))", ""},
		{"np.logspace(0, 3).shape, np.logspace(0, 3, num=7).dtype, np.hanning(6).shape, np.around(f, 1).shape", "((50), float64, (6), (2, 2))", ""},
		{"np.add(2, 3), np.power(2, 3), np.floor_divide(7, 2)", "(5, 8, 3)", ""},
		{"tuple(np.median(np.zeros(9, d), keepdims=True).dtype for d in ('float32', 'int32'))", "(float32, float64)", ""},
		{"tuple(np.quantile(np.zeros((9, 2), 'float32'), q, axis=0).dtype for q in (0.5, [0.5]))", "(float32, float64)", ""},
		{"tuple(f(np.zeros((9, 2), d), axis=0).dtype for d in ('float16', 'uint8') for f in (np.nansum, np.nanmax, np.nanstd))", "(float16, float16, float16, uint64, uint8, float64)", ""},
		{"tuple(f(np.zeros((9, 2), 'float32'), *q, axis=0).dtype for f, q in ((tf.keras.ops.median, ()), (tf.keras.ops.quantile, ([0.5],))))", "(float32, float32)", ""},
		{"np.median(x, axis=0).shape, np.percentile(x, [5, 95], axis=(1, 2)).shape, np.nanmean(x, 0, keepdims=True).shape", "((28, 28), (2, 60000), (1, 28, 28))", ""},
		{"tuple(part.shape for part in np.split(x, [50000]))", "((50000, 28, 28), (10000, 28, 28))", ""},
		{"np.array([]).shape, np.concatenate([np.array([]), np.zeros(4)]).shape", "((0), (4))", ""},

		// Numbers that random draws are some, and of which size no matter.
		{"np.array([[random.random(), random.uniform(0, 1)] for _ in range(7)]).shape", "(7, 2)", ""},
		{"np.array([random.randint(0, 5) for _ in range(7)]).dtype", "int64", ""},
		{"np.array([int(random.random()), 1]).shape", "(2)", ""},
		{"isinstance(random.random(), float)", "unknown", ""},
		{"isinstance(x, (float, list)), isinstance(x, collections.abc.Iterable)", "(false, true)", ""},
		{"tf.cast(3.7, tf.int32), tf.cast(-3.7, 'int64'), tf.cast(3.5, tf.float32)", "(3, -3, 3.5)", ""},

		{"shuffle(x, y)[0].shape, shuffle(x, y, random_state=1)[1].max(), shuffle(table).shape[1]", "((60000, 28, 28), 9, 3)", ""},
		{"shuffle(x).shape, shuffle(x, n_samples=3).shape", "((60000, 28, 28), (3, 28, 28))", ""},
		{"PCA(n_components=2).fit_transform(np.zeros((5, 4))).shape, PCA(2).transform(np.zeros((5, 4))).shape", "((5, 2), (5, 2))", ""},
		{"tuple(t.fit_transform(np.zeros((5, 4), d)).dtype for t in (PCA(2), MDS(2), StandardScaler()) for d in ('float32', 'int32'))", "(float32, float64, float64, float64, float32, float64)", ""},
		{"OrdinalEncoder().fit_transform(np.zeros((5, 4), 'int32')).shape, LabelBinarizer().fit_transform(np.unique(y)).dtype", "((5, 4), int64)", ""},
		{"tuple(PolynomialFeatures(n).fit_transform(np.zeros((5, 4))).shape[1] for n in (0, 2, 3, (2, 3), (1, 1)))", "(1, 15, 35, 31, 5)", ""},
		{"tuple(PolynomialFeatures(n, interaction_only=True).fit_transform(np.zeros((5, 4))).shape[1] for n in (2, 5, (2, 3)))", "(11, 16, 11)", ""},
		{"tuple(PolynomialFeatures(n, include_bias=False).fit_transform(np.zeros((5, 4))).shape[1] for n in (2, (0, 2), (2, 3)))", "(14, 14, 30)", ""},
		{"tuple(PolynomialFeatures(*n).fit_transform(np.zeros(s)) for n, s in (((), 5), ((), (5, 4, 3)), ((-1,), (5, 4)), ((10**12,), (5, 4)), ((open('a'),), (5, 4))))", "(unknown, unknown, unknown, unknown, unknown)", ""},
		{"tuple(PolynomialFeatures().fit_transform(np.zeros((5, 4), d)).dtype for d in ('float16', 'float32', 'int32'))", "(float16, float32, float64)", ""},
		{"tuple(SplineTransformer(*n).fit_transform(np.zeros((9, 4))).shape[1] for n in ((), (4,), (4, 2), (5, 0))), SplineTransformer(knots=np.zeros((6, 4))).fit_transform(np.zeros((9, 4))).shape", "((28, 24, 20, 16), (9, 32))", ""},
		{"tuple(SplineTransformer(extrapolation=e, include_bias=b).fit_transform(np.zeros((9, 4))).shape[1] for e in ('linear', 'periodic') for b in (True, False))", "(28, 24, 16, 12)", ""},
		{"tuple(SplineTransformer(*n).fit_transform(np.zeros(s)) for n, s in (((), 5), ((1,), (5, 4)), ((5, -1), (5, 4)), ((2.0,), (5, 4)), ((10**12,), (5, 4)), ((open('a'),), (5, 4))))", "(unknown, unknown, unknown, unknown, unknown, unknown)", ""},
		{"SplineTransformer(3, extrapolation='periodic').fit_transform(f), SplineTransformer(sparse_output=True).fit_transform(f), SplineTransformer(2, 0, include_bias=False).fit_transform(np.zeros((9, 4)))", "(unknown, unknown, unknown)", ""},
		{"tuple(SplineTransformer().fit_transform(np.zeros((5, 4), d)).dtype for d in ('float16', 'float32', 'int32', 'bool'))", "(float16, float32, float64, float64)", ""},
		{"PCA(0.95).fit_transform(np.zeros((5, 4))).shape", "unknown", ""},
		{"np.ndarray((3, 4)).shape, np.empty_like(x).shape, np.random.sample((3, 4)).shape", "((3, 4), (60000, 28, 28), (3, 4))", ""},
	} {
		for _, end := range []bool{false, true} {
			h := &host{end: end}
			h.Library = numpy.NewLibrary(h)
			in := value.New(names.Resolve(syntax.Parse(begin+"n = "+c.expression+"\n"), effects.Library{}, nil), h, python.Library())
			if why := interp.Run(in); why != nil {
				t.Fatal(why)
			}
			want := c.want
			if end && c.atEnd != "" {
				want = c.atEnd
			}
			v, _ := in.Module().Get("n")
			if got := text(v); got != want {
				t.Errorf("%s is %s, want %s (at an end: %v)", c.expression, got, want, end)
			}
		}
	}
}

func text(v value.Value) string {
	switch x := v.X.(type) {
	case value.Unknown:
		return "unknown"
	case value.None:
		return "None"
	case value.Tuple:
		out := "("
		for i, item := range x {
			if i > 0 {
				out += ", "
			}
			out += text(item)
		}
		return out + ")"
	}
	return fmt.Sprint(v.X)
}
