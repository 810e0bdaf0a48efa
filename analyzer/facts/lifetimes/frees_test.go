package lifetimes

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestStaying compares the models that stay if they are only called with what testdata/freed/record_saved.py
// records of models of 16 MiB.
func TestStaying(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/freed/saved.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Of  string
		MiB int
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	recorded := 0
	for _, r := range rows {
		if stays := r.MiB >= 8; stays != slices.Contains(staying, r.Of) {
			t.Errorf("%d MiB of each model of %s stay", r.MiB, r.Of)
		} else if stays {
			recorded++
		}
	}
	if recorded != len(staying) {
		t.Errorf("%d of %d are recorded", recorded, len(staying))
	}
}
