package host_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

const folder = "../../../testdata/host/"

// figureOf returns the figure of a program that has no GPU, as where the record was made.
func figureOf(t *testing.T, path string) *host.Figure {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return host.Of(keras.Evaluate(names.Resolve(syntax.Parse(string(text)), effects.Library{}, nil)), host.Runs{WithoutGPU: true}, nil)
}

// TestTruth compares the figures with the memory that the programs took with real TensorFlow
// (testdata/host/record.py), and prints the table.
func TestTruth(t *testing.T) {
	f, err := os.Open(folder + "host.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	var off []float64
	for _, row := range rows[1:] {
		peak, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		figure := figureOf(t, folder+"cases/"+row[0]+".py")
		if figure == nil {
			t.Errorf("%s: no figure", row[0])
			continue
		}
		e := float64(figure.Bytes)/peak - 1
		off = append(off, math.Abs(e))
		fmt.Fprintf(&table, "%-22s %7.1f MB recorded, %7.1f MB told, %+6.1f %%\n", row[0], peak/1e6, float64(figure.Bytes)/1e6, 100*e)
		if os.Getenv("TFMEM_PARTS") != "" {
			for _, p := range figure.Parts {
				fmt.Fprintf(&table, "      %7.1f (low %7.1f) %s %s %v\n", float64(p.Bytes)/1e6, float64(p.Low)/1e6, p.Kind, p.What, p.Unknown)
			}
		}
		for _, p := range figure.Open() {
			t.Errorf("%s: %s is not known: %s", row[0], p.What, p.Unknown)
		}
		if math.Abs(e) > 0.20 {
			t.Errorf("%s: %.1f MB told, %.1f MB recorded", row[0], float64(figure.Bytes)/1e6, peak/1e6)
		}
		if peak > float64(figure.High) || peak < 0.95*float64(figure.Low) {
			t.Errorf("%s: recorded %.1f MB, outside of %.1f to %.1f", row[0], peak/1e6, float64(figure.Low)/1e6, float64(figure.High)/1e6)
		}
	}
	slices.Sort(off)
	median := off[len(off)/2]
	t.Logf("%d programs, median %.1f %%, worst %.1f %%\n%s", len(off), 100*median, 100*off[len(off)-1], table.String())
	if median > 0.05 {
		t.Errorf("the median error is %.1f %%", 100*median)
	}
}

// TestUnknown holds that a figure tells what it does not count, and where that is.
func TestUnknown(t *testing.T) {
	for text, want := range map[string]string{
		"import numpy as np\nx = np.load('a.npy')": "an array",
		"import tensorflow as tf\nd = tf.data.Dataset.list_files('*').map(lambda n: tf.zeros([9])).cache()\nlist(d)": "the cache",
		"import pandas as pd\nt = pd.read_csv('a.csv')":                                                              "a table",
		"import numpy as np\nl = []\nwhile input():\n    l.append(np.ones((512, 512)))":                              "a list of arrays",
	} {
		f := host.Of(keras.Evaluate(names.Resolve(syntax.Parse(text), effects.Library{}, nil)), host.Runs{}, nil)
		if f == nil || len(f.Open()) == 0 || f.Open()[0].What != want || f.Open()[0].Unknown.String() == "" {
			t.Errorf("%s: %+v, want %s to be unknown", text, f, want)
		}
	}
}

// TestOnGPU holds that a tensor of the program's own counts where there is no GPU, and one of a dataset
// everywhere.
func TestOnGPU(t *testing.T) {
	for text, want := range map[string][2]int64{
		"import tensorflow as tf\nx = tf.ones((1000, 1000))":                                      {4e6, 0},
		"import tensorflow as tf\nwith tf.device('CPU'):\n    x = tf.ones((1000, 1000))":          {4e6, 4e6},
		"import tensorflow as tf\nx = tf.ones((1000, 1000))\nd = tf.data.Dataset.from_tensors(x)": {4e6, 4e6},
	} {
		p := keras.Evaluate(names.Resolve(syntax.Parse(text), effects.Library{}, nil))
		for i, without := range []bool{true, false} {
			var n int64
			if f := host.Of(p, host.Runs{WithoutGPU: without}, nil); f != nil {
				n = f.Bytes
			}
			if n != want[i] {
				t.Errorf("%s without a GPU %t: %d bytes, want %d", text, without, n, want[i])
			}
		}
	}
}
