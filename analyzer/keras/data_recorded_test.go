package keras_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// unlikeChunks are the ends of predict at which much more is in use than is put there, and why.
var unlikeChunks = map[string]string{
	"named_outputs/3/14":    "9 % more: labels of 40 KiB lie in chunks of 60 KiB, in which batches were before",
	"vae_rolls/tf_keras/14": "1.5 MB more than 23.0; the cause is not known",
}

// TestRecordedData compares what lies on the device during each call with what real TensorFlow has
// there (testdata/estimate/data.csv).
func TestRecordedData(t *testing.T) {
	folder := filepath.Join("..", "..", "testdata", "estimate")
	file, err := os.Open(filepath.Join(folder, "data.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]*graph.Program{}
	for _, row := range rows[1:] {
		name, version, line, call, note := row[0], row[1], row[2], row[3], row[6]
		t.Run(name+"/"+version+"/"+line+"/"+call, func(t *testing.T) {
			if note != "" {
				t.Skip(note)
			}
			p := programs[name+version]
			if p == nil {
				text, err := os.ReadFile(filepath.Join(folder, "data", "cases", name+".py"))
				if err != nil {
					t.Fatal(err)
				}
				tree := syntax.Parse(string(text))
				major := effects.Version{Major: 3, Minor: 15}
				if version != "3" {
					major = effects.Version{Major: 2, Minor: 21}
				}
				library := effects.With(effects.Versions{Keras: effects.Stated{Range: effects.Exactly(major), Source: "the test"}})
				p = keras.Evaluate(names.Resolve(tree, library, nil))
				programs[name+version] = p
			}
			during, joined, found := int64(0), int64(0), false
			for _, u := range p.Uses {
				method := call
				if method == "validation" {
					method = "fit"
				}
				at := 1 + strings.Count(u.Node.Tree().Text()[:u.Node.Start()], "\n")
				if strconv.Itoa(at) != line || u.Method != method {
					continue
				}
				data := u.Data
				if call == "validation" {
					if u.Validation == nil {
						t.Skip("the validation in fit is not followed")
					}
					data = u.Validation.Data
				}
				during, found = graph.DataBytes(data, 0), true
				for _, term := range data {
					joined += term.Joined
				}
			}
			if !found {
				t.Fatal("it is not known")
			}
			compare(t, "during the call", during-joined, row[4])
			if joined > 0 && unlikeChunks[name+"/"+version+"/"+line] == "" {
				compare(t, "at the end of the call", during+joined, row[5])
			}
		})
	}
}

// compare allows for indices of rows, of 8 bytes each, and for batches that are prepared ahead.
func compare(t *testing.T, what string, got int64, recorded string) {
	want, err := strconv.ParseInt(recorded, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d, recorded %d", what, got, want)
	if off := float64(got) - float64(want); math.Abs(off) > 0.02*float64(want)+1e6 {
		t.Errorf("%s: %d, but TensorFlow has %d", what, got, want)
	}
}
