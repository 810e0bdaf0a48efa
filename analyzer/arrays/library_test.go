package arrays_test

import (
	"fmt"
	"testing"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A host has arrays and nothing else. It is their run, too: without models, and with what is
// not known at an end, or not.
type host struct {
	*arrays.Library
	end bool
}

func (h *host) Attr(*value.Interp, string) (value.Value, bool) { return value.Value{}, false }
func (h *host) Instance(*value.Interp, *value.Object, string) value.HostValue {
	return nil
}

func (h *host) Between(low, _ int64, _ string) int64 { return low }
func (h *host) AtEnd() bool                          { return h.end }
func (h *host) Symbolic(*value.Args) bool            { return false }
func (h *host) Function(string) func(*value.Interp, *value.Args) value.Value {
	return nil
}

// TestAlone holds what arrays are where there is no Keras.
func TestAlone(t *testing.T) {
	const begin = `
import numpy as np
import pandas as pd
import gymnasium as gym
import cv2
from sklearn.preprocessing import LabelEncoder
from tensorflow.keras.datasets import mnist
from tensorflow.keras.utils import to_categorical
(x, y), _ = mnist.load_data()
table = pd.read_csv("a.csv", names=["a", "b", "c"])
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
		{"hot.shape[1]", "unknown", "2"},
		{"np.zeros(open('a')).shape", "unknown", ""},
	} {
		for _, end := range []bool{false, true} {
			h := &host{end: end}
			h.Library = arrays.NewLibrary(h)
			in := value.New(names.Resolve(syntax.Parse(begin+"n = "+c.expression+"\n"), effects.Library{}, nil), h)
			if why := in.Run(); why != "" {
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
