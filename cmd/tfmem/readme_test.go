package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/lsp"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestReadme holds what documents show against what tfmem prints; -update writes them.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("NO_COLOR", "1")
	t.Setenv("KERAS_HOME", os.DevNull)
	t.Setenv("KERAS_BACKEND", "")
	for _, document := range []struct {
		path, place string
		args        []string
	}{
		{"README.md", "output", []string{"check", "--select", "TFM102", "testdata/examples/train_gan.py"}},
		{"rules/ESTIMATE.md", "estimate", []string{"estimate", "--gpu", "RTX 3060", "testdata/examples/train_flowers.py"}},
	} {
		text, err := os.ReadFile(document.path)
		if err != nil {
			t.Fatal(err)
		}
		want := cases.Fill(t, string(text), document.place, shown(t, document.args...))
		if *cases.Update {
			if err := os.WriteFile(document.path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s does not show what tfmem prints; run go test ./cmd/tfmem -run TestReadme -update (-printed +%[1]s):\n%s", document.path, diff)
		}
	}
}

// TestReadmeLens holds the line above fit that the README quotes against what an editor shows of the
// example of rules/ESTIMATE.md on another GPU; -update writes it.
func TestReadmeLens(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("KERAS_HOME", os.DevNull)
	t.Setenv("KERAS_BACKEND", "")
	found, err := gpu.Parse("RTX 3090", nil)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("testdata/examples/train_flowers.py")
	if err != nil {
		t.Fatal(err)
	}
	file := analyzer.Analyze(source.New("train_flowers.py", string(program)), analyzer.Config{Devices: func() []memory.Device { return devices(found, "") }})
	models, _ := estimate.Of(file, estimate.Options{})
	models = estimate.InOrder(models).Main
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`"≈ [^"]*"`)
	want := quoted.ReplaceAllString(string(text), `"`+lsp.Title(models[0])+`"`)
	if !quoted.Match(text) {
		t.Error("README.md quotes no line above fit")
	} else if *cases.Update {
		if err := os.WriteFile("README.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("README.md does not quote what an editor shows; run go test ./cmd/tfmem -run TestReadmeLens -update (-shown +README):\n%s", diff)
	}
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
