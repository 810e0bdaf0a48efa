package estimate_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestObserved compares what is known of programs without a run and with what a run told. In a case,
// observed.json lies beside the program, train.py.
func TestObserved(t *testing.T) {
	const folder = "../../testdata/observed/programs"
	all, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range all {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			cases.Alone(t)
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			root, text := t.TempDir(), ""
			var index *observed.Index
			for _, f := range archive.Files {
				at := filepath.Join(root, f.Name)
				switch f.Name {
				case "train.py":
					text = string(f.Data)
				case "observed.json":
					file, err := observed.Load(bytes.NewReader(f.Data))
					if err != nil {
						t.Fatal(err)
					}
					if index, err = observed.NewIndex(root, file); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, f.Data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			for _, c := range []struct {
				name  string
				index *observed.Index
			}{{"from the text", nil}, {"with a run", index}} {
				fmt.Fprintf(&out, "%s\n", c.name)
				file := analyzer.Analyze(source.New(filepath.Join(root, "train.py"), text), analyzer.Config{Workspace: project.New(project.Disk{}, root, root), Observed: c.index, Asked: true})
				tell(&out, file)
			}
			cases.Golden(t, strings.TrimSuffix(path, ".txtar")+".txt", out.String())
		})
	}
}

// tell writes what is known of the models of a file.
func tell(out *strings.Builder, file *analyzer.File) {
	models, _ := estimate.Of(file, estimate.Options{})
	for _, m := range models {
		fmt.Fprintf(out, "  %s:", m.Name)
		if m.Priced() {
			fmt.Fprintf(out, " %d parameters", m.Parameters)
		}
		for _, p := range m.Phases {
			fmt.Fprintf(out, ", %s on batches of %d", p.Kind, p.Batch)
			if p.Profile != nil {
				fmt.Fprintf(out, ", %s at the peak", memory.Bytes(p.Need.Peak))
			}
		}
		fmt.Fprintln(out)
		for _, r := range m.Reasons {
			fmt.Fprintf(out, "    not priced: %s\n", r.Cause)
		}
		for _, said := range m.Hints {
			fmt.Fprintf(out, "    %s\n", said)
		}
	}
	for _, said := range estimate.Outdated(file) {
		fmt.Fprintf(out, "  %s\n", said)
	}
	for _, f := range rules.Check(file, rules.Selection{Select: []string{"TFM004"}}) {
		fmt.Fprintf(out, "  %s: %s\n", f.Severity, f.Message)
	}
	for _, t := range estimate.Trainings(file) {
		if t.Why != nil {
			fmt.Fprintf(out, "  a training is not priced: %s\n", t.Why.Cause)
		}
	}
}
