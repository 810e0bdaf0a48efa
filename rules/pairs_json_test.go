package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A pairsRecord is what testdata/rules/pairs.py found.
type pairsRecord struct {
	TensorFlow string                       `json:"tensorflow"`
	Keras      string                       `json:"keras"`
	Date       string                       `json:"date"`
	Fixed      int                          `json:"cases with fixes"`
	Complete   int                          `json:"of them with all that they need"`
	Ended      int                          `json:"of them to their end"`
	Programs   int                          `json:"programs run"`
	One        int                          `json:"ran to their end after one fix"`
	Two        int                          `json:"ran to their end after two"`
	ByRule     map[string]int               `json:"by rule"`
	Run        map[string]string            `json:"cases that were run"` // hashes of their texts
	NotRun     map[string]map[string]string `json:"cases that were not"` // by reason
}

const notRunYet = "it was not run yet: it is new, or has changed"

// TestPairsJSON holds the record of fixes that were run with TensorFlow, alone and in pairs, against
// the cases that there are: each is in it with the text that it has, or is named with the reason why it
// was not run. With -update it names those that are new.
func TestPairsJSON(t *testing.T) {
	path := filepath.Join(folder, "pairs.json")
	var record pairsRecord
	strict := json.NewDecoder(strings.NewReader(read(t, path)))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&record); err != nil {
		t.Fatal(err)
	}
	if len(record.Run) < 100 || record.One < 200 || record.Two < 100 {
		t.Errorf("of %d cases %d programs ran to their end after one fix, and %d after two: that is little", len(record.Run), record.One, record.Two)
	}
	if left := record.Complete - len(record.Run); left < 0 || left > len(record.NotRun[notRunYet]) {
		t.Errorf("%d cases had all that they need, and %d are named", record.Complete, len(record.Run))
	}
	present, recorded := map[string]string{}, maps.Clone(record.Run)
	for _, r := range checked() {
		for _, path := range programs(t, r) {
			text := source.New(filepath.Base(path), read(t, path)).Text()
			present[r.Code+"/"+strings.TrimSuffix(filepath.Base(path), ".py")] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16]
		}
	}
	for why, all := range record.NotRun {
		for name, hash := range all {
			if recorded[name] != "" {
				t.Errorf("%s is named twice, once as %q", name, why)
			}
			recorded[name] = hash
		}
	}
	if *cases.Update {
		same := func(name, hash string) bool { return present[name] == hash }
		other := func(name, hash string) bool { return !same(name, hash) }
		maps.DeleteFunc(record.Run, other)
		waiting := record.NotRun[notRunYet]
		delete(record.NotRun, notRunYet)
		for _, all := range record.NotRun {
			maps.DeleteFunc(all, other)
		}
		fresh := maps.Clone(present)
		maps.DeleteFunc(fresh, func(name, hash string) bool { return recorded[name] == hash && waiting[name] == "" })
		if len(fresh) > 0 {
			record.NotRun[notRunYet] = fresh
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", " ")
		if err := enc.Encode(record); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if recorded[name] != present[name] {
			t.Errorf("%s is not in pairs.json, or with another text: run testdata/rules/pairs.py, or this test with -update", name)
		}
		delete(recorded, name)
	}
	for name := range recorded {
		t.Errorf("%s is in pairs.json, and is no case: run this test with -update", name)
	}
	for _, why := range slices.Sorted(maps.Keys(record.NotRun)) {
		t.Logf("%d cases were not run: %s", len(record.NotRun[why]), why)
	}
	t.Logf("%d cases were run with TensorFlow %s", len(record.Run), record.TensorFlow)
}
