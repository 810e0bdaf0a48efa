package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
)

// difference is what --diff prints of a file.
func difference(t *testing.T, old, new string) string {
	t.Helper()
	var b strings.Builder
	r := checker.Result{Path: "a.py", Original: source.New("a.py", old), File: &analyzer.File{Source: source.New("a.py", new)}}
	if err := writeDiff(&b, []checker.Result{r}, report.Palette{}, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// lines are a few lines of few kinds, so that two texts share some.
func lines(r *rand.Rand, most int) string {
	var b strings.Builder
	for range r.IntN(most) {
		b.WriteString([]string{"a", "b", "--c", "", "d\r", "\xff", "++ e"}[r.IntN(7)] + "\n")
	}
	return b.String() + []string{"", "e"}[r.IntN(2)]
}

// What --diff prints, patch(1) understands.
func TestDiffApplies(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("patch is not installed, so nobody can apply the differences")
	}
	r := rand.New(rand.NewPCG(5, 6))
	folder := t.TempDir()
	for i := range 100 {
		most := 30
		if i%10 == 0 {
			most = 1000 // beyond what is compared for the shortest difference
		}
		old, new := lines(r, most), lines(r, most)
		if old == new || old == "" || new == "" {
			continue // patch(1) makes and deletes files then
		}
		d := difference(t, old, new)
		path := filepath.Join(folder, "a.py")
		if err := os.WriteFile(path, []byte(old), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("patch", "--binary", "-p0", "-s")
		cmd.Dir, cmd.Stdin = folder, strings.NewReader(d)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("patch refuses: %v\n%s\n%s", err, out, d)
		}
		if got, _ := os.ReadFile(path); string(got) != new {
			t.Fatalf("patch made %q of %q, want %q", got, old, new)
		}
	}
}

func TestDiffOfEqualTextsIsEmpty(t *testing.T) {
	if d := difference(t, "x\n", "x\n"); d != "" {
		t.Errorf("got %q", d)
	}
}
