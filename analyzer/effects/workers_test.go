package effects

import (
	"os"
	"strings"
	"testing"
)

// TestWorkersRecorded compares how the table says that names start processes with what they did.
func TestWorkersRecorded(t *testing.T) {
	text, err := os.ReadFile("../../testdata/workers/libraries.csv")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		name := fields[0]
		if name == "ray.remote" {
			name = "ray.remote_function.RemoteFunction.remote"
		}
		e := Lookup(name)
		if e == nil || !e.Effects.Has(StartsWorkers) {
			continue
		}
		if found++; e.By != fields[1] {
			t.Errorf("%s starts by %q, and was recorded to start by %q", name, e.By, fields[1])
		}
	}
	if found != 3 {
		t.Errorf("%d names were recorded", found)
	}
}
