package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSample takes a sample that is spread evenly and always the same, and everything
// where that is asked for.
func TestSample(t *testing.T) {
	var items []int
	for i := range 10 {
		items = append(items, i)
	}
	for _, everything := range []string{"", "1"} {
		t.Setenv(Everything, everything)
		for n, want := range map[int][]int{1: {0}, 3: {0, 3, 6}, 5: {0, 2, 4, 6, 8}, 10: items, 20: items} {
			if everything != "" {
				want = items
			}
			if race {
				n *= 3
			}
			if got := Sample(t, items, n); !slices.Equal(got, want) {
				t.Errorf("with %s=%q, %d of %v are %v, want %v", Everything, everything, n, items, got, want)
			}
		}
		if got := Sample(t, []int{}, 3); len(got) > 0 {
			t.Errorf("of nothing it takes %v", got)
		}
		turns := map[int][]int{0: {0}, 9: {9}, 10: {0}, 23: {3}}
		for i, want := range turns {
			if everything != "" {
				want = items
			}
			if got := Turn(items, i); !slices.Equal(got, want) {
				t.Errorf("with %s=%q, the turn of %d is %v, want %v", Everything, everything, i, got, want)
			}
		}
	}
}

// A noted test notes its errors.
type noted struct {
	testing.TB
	errors []string
}

func (n *noted) Errorf(format string, args ...any) {
	n.errors = append(n.errors, fmt.Sprintf(format, args...))
}

// TestGolden sees that a file which is missing, or another, is written by the command
// that is named.
func TestGolden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.golden")
	const command = "go test ./analyzer/cases -run 'TestGolden$' -update\n"
	for _, want := range []string{path + " is missing", "(-want +got)", ""} {
		n := &noted{TB: t}
		Golden(n, path, "new\n")
		if got := strings.Join(n.errors, "\n"); !strings.Contains(got, want) || (want != "") != strings.Contains(got, command) {
			t.Errorf("it says %q, want %q and %q", got, want, command)
		}
		text := "old\n"
		if want != path+" is missing" {
			text = "new\n"
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
