package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/rules"
)

// TestReadme holds what the README shows against what tfmem prints; -update
// writes it.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NO_COLOR", "1")
	t.Setenv("KERAS_HOME", os.DevNull)
	t.Setenv("KERAS_BACKEND", "")
	want := fill(t, string(text), "output", shown(t, "check", "--select", "TFM102", "testdata/examples/train_gan.py"))
	want = fill(t, want, "estimate", shown(t, "estimate", "--gpu", "RTX 3060", "testdata/examples/train_flowers.py"))
	want = fill(t, want, "rules", ruleTable())
	if *cases.Update {
		if err := os.WriteFile("README.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, string(text)); !*cases.Update && diff != "" {
		t.Errorf("README.md does not show what tfmem prints; run go test ./cmd/tfmem -run TestReadme -update (-printed +README):\n%s", diff)
	}
}

// fill puts text between "<!-- begin NAME -->" and "<!-- end NAME -->".
func fill(t *testing.T, readme, name, text string) string {
	t.Helper()
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok1 := strings.Cut(readme, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("README.md has no place for %q", name)
	}
	return before + begin + text + end + after
}

// shown is a command and what it prints, as a person sees it.
func shown(t *testing.T, args ...string) string {
	t.Helper()
	command := newRoot()
	var out bytes.Buffer
	command.SetOut(&out)
	command.SetErr(&out)
	command.SetArgs(args)
	if err := command.Execute(); err != nil && err != exitCode(exitFindings) {
		t.Fatal(err)
	}
	typed := "tfmem"
	for _, a := range args {
		if strings.Contains(a, " ") {
			a = `"` + a + `"`
		}
		typed += " " + a
	}
	return "```console\n$ " + typed + "\n" + strings.TrimRight(out.String(), "\n") + "\n```\n"
}

func ruleTable() string {
	var b strings.Builder
	b.WriteString("| code | name | finds |\n|---|---|---|\n")
	for _, r := range rules.All {
		fmt.Fprintf(&b, "| [%s](rules/README.md#%s-%s) | %s | %s |\n", r.Code, strings.ToLower(r.Code), r.Name, r.Name, r.Summary)
	}
	return b.String()
}
