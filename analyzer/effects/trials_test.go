package effects

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestTrials compares "keeps-results" with what real searches keep of the models that their trials return
// (testdata/freed/record_trials.py).
func TestTrials(t *testing.T) {
	text, err := os.ReadFile("../../testdata/freed/trials.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Of, Does string
		Most     int
	}
	if err := json.Unmarshal(text, &rows); err != nil || len(rows) < 5 {
		t.Fatalf("there are %d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		kept := row.Most > 2 // when a trial begins, the one before may still have a name
		switch e := Lookup(row.Of); {
		case e == nil:
			t.Errorf("the table does not know %s", row.Of)
		case strings.HasPrefix(row.Does, "returned") && e.KeepsResults != kept:
			t.Errorf("%s: what is %s is kept: %v, and the table says %v", row.Of, row.Does, kept, e.KeepsResults)
		case strings.HasPrefix(row.Does, "given") != kept && !strings.HasPrefix(row.Does, "returned"):
			t.Errorf("%s: a model that is %s is kept: %v", row.Of, row.Does, kept)
		}
	}
}
