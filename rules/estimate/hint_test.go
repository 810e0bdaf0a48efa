package estimate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestHintOffers checks the lines that a training that is not priced offers to write.
func TestHintOffers(t *testing.T) {
	const model = "model = keras.Sequential([keras.Input((n,)), keras.layers.Dense(1)])\nmodel.compile('adam', 'mse')\nmodel.fit(np.zeros((64, 4)), np.zeros((64, 1)))\n"
	for _, c := range []struct{ text, want string }{
		{"n = load('n')", "n = load('n')  # tfmem: value=?"},
		{"n = (load(\n    'n',\n))  # the width", "))  # the width  # tfmem: value=?"},
		{"n = load('n')  # tfmem: value=?", ""},
		{"n, m = load('n')", ""},
		{"n = 1 + load('n')", ""},
		{"import pandas as pd\ntable = pd.merge(one, two)\nn = table.shape[1]", "table = pd.merge(one, two)  # tfmem: columns=?"},
		{"def width():\n    return load('n')\nn = width()", "    return load('n')  # tfmem: value=?"},
		{"def main(n):\n  " + strings.ReplaceAll(strings.TrimSpace(model), "\n", "\n  "), "def main(n):  # tfmem: n=?"},
		{"model = load('n')\nmodel.compile('adam')\nmodel.fit(x)", ""}, // no comment says a model
		{"t = load('n')\nt.model.compile('adam')\nt.model.fit(x)", ""},
		{"model = (load('n')\n  .model)\nmodel.compile('adam')\nmodel.fit(x)", ""},
		{"def main(model: keras.Model):\n  model.compile('adam')\n  model.fit(x)", ""},
		{"def make(n):\n  return [keras.Sequential([keras.Input((n,))])][n]\nn = load('n')\nmodel = make(n)\nmodel.compile('adam')\nmodel.fit(x)", "n = load('n')  # tfmem: shape=(None, ?)|n = load('n')  # tfmem: value=?"},
		// A number that is taken from what is not known does not say what that is.
		{"data = load('n')\nn = data.shape[1]", "data = load('n')  # tfmem: shape=(None, ?)|data = load('n')  # tfmem: value=?"},
		{"n = load('n')\nn = n.shape[1]", "n = load('n')  # tfmem: shape=(None, ?)|n = load('n')  # tfmem: value=?"},
		{"data = load('n')\nn = len(data)", "data = load('n')  # tfmem: shape=(None, ?)|data = load('n')  # tfmem: value=?"},
		{"def main(data):\n  n = data.shape[1]\n  " + strings.ReplaceAll(strings.TrimSpace(model), "\n", "\n  "), "def main(data):  # tfmem: data.shape=(None, ?)|def main(data):  # tfmem: data=?"},
		{"def make(width):\n  return keras.Sequential([keras.Input((4,)), keras.layers.Dense(width * 2)])\nwidth = load('n')\nmodel = make(width)\nmodel.compile('adam')\nmodel.fit(x)", "width = load('n')  # tfmem: value=?"},
		{"def make(width):\n  return keras.Sequential([keras.Input((4,)), keras.layers.Dense(width)])\ndata = load('n')\nmodel = make(data.shape[1])\nmodel.compile('adam')\nmodel.fit(x)", "data = load('n')  # tfmem: shape=(None, ?)|data = load('n')  # tfmem: value=?"},
		{"def make(units):\n  model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(units)])\n  model.compile('adam')\n  model.fit(x)", "def make(units):  # tfmem: units=?"},
		{"def make(width, depth):\n  model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(width)])\n  model.compile('adam')\n  model.fit(x)\nmake(8)", "def make(width, depth):  # tfmem: width=?"},
		{"rate = load('n')\nmodel = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.LeakyReLU(rate)])\nmodel.compile('adam')\nmodel.fit(x)", "rate = load('n')  # tfmem: value=?"},
	} {
		text := "import numpy as np\nfrom mine import load\nfrom tensorflow import keras\n" + c.text + "\n"
		if !strings.Contains(text, "model.fit") {
			text += model
		}
		file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
		out, err := estimate.Read(context.Background(), file, estimate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(text, "model.fit") + len("model.f")
		var got []string
		for _, o := range out.HintsAt(source.Span{Start: at, End: at}) {
			edited, err := file.Source.Edited([]source.Edit{*o.Edit})
			if err != nil {
				t.Fatal(err)
			}
			after := edited.Text()
			end := o.Edit.Span.End + len(o.Edit.New)
			got = append(got, after[source.LineStart(after, end):end])
			if all := hints.Of(analyzer.Analyze(edited, analyzer.Config{}).Tree); all == nil || len(all.Wrong) != 1 {
				t.Errorf("%q: the comment is no hint to be completed", after)
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q:\n%s, want\n%s", c.text, s, c.want)
		}
	}
}
