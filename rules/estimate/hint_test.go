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
		{"n = load('n')", "n = load('n')  # tfmem: shape=(None, ?)|n = load('n')  # tfmem: value=?"},
		{"n = (load(\n    'n',\n))  # the width", "))  # the width  # tfmem: shape=(None, ?)|))  # the width  # tfmem: value=?"},
		{"n = load('n')  # tfmem: value=?", ""},
		{"n, m = load('n')", ""},
		{"n = 1 + load('n')", ""},
		{"import pandas as pd\ntable = pd.merge(one, two)\nn = table.shape[1]", "table = pd.merge(one, two)  # tfmem: columns=?"},
		{"def width():\n    return load('n')\nn = width()", "    return load('n')  # tfmem: shape=(None, ?)|    return load('n')  # tfmem: value=?"},
		{"def main(n):\n  " + strings.ReplaceAll(strings.TrimSpace(model), "\n", "\n  "), "def main(n):  # tfmem: n.shape=(None, ?)|def main(n):  # tfmem: n=?"},
		{"model = load('n')\nmodel.compile('adam')\nmodel.fit(x)", ""}, // no comment says a model
		{"t = load('n')\nt.model.compile('adam')\nt.model.fit(x)", ""},
		{"model = (load('n')\n  .model)\nmodel.compile('adam')\nmodel.fit(x)", ""},
		{"def main(model: keras.Model):\n  model.compile('adam')\n  model.fit(x)", ""},
		{"def make(n):\n  return [keras.Sequential([keras.Input((n,))])][n]\nn = load('n')\nmodel = make(n)\nmodel.compile('adam')\nmodel.fit(x)", "n = load('n')  # tfmem: shape=(None, ?)|n = load('n')  # tfmem: value=?"},
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
