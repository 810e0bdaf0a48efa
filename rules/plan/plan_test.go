package plan

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

const folder = "../../testdata/plan"

var (
	deviceLine = regexp.MustCompile(`(?m)^# (?:device|machine): (?:(\d+) x )?(\d+ (?:GiB|MiB))$`)
	kerasLine  = regexp.MustCompile(`(?m)^# keras: (\S+)$`)
)

// opened reads a case, alone or, if its name ends in .txtar, the first file of its project.
func opened(t *testing.T, path string) *analyzer.File {
	t.Helper()
	if filepath.Ext(path) != ".txtar" {
		return open(t, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	main := ""
	for _, part := range strings.Split("\n"+string(text), "\n-- ")[1:] {
		name, body, _ := strings.Cut(part, " --\n")
		main = cmp.Or(main, filepath.Join(folder, name))
		if err := os.WriteFile(filepath.Join(folder, name), []byte(body+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	alone := open(t, main)
	config := alone.Config
	config.Workspace, config.Asked = project.New(project.Disk{}, folder, folder), true
	return analyzer.Analyze(source.New(filepath.Base(main), alone.Source.Text()), config)
}

// open reads a case. "# device: 8 GiB", or in MiB, is its GPU, "# machine: 2 x 8 GiB" all GPUs of its machine, and
// "# keras: 3.15" the Keras that runs it.
func open(t *testing.T, path string) *analyzer.File {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var config analyzer.Config
	if m := kerasLine.FindStringSubmatch(string(text)); m != nil {
		r, err := effects.ParseRange(m[1])
		if err != nil {
			t.Fatal(err)
		}
		config.Versions.Keras = effects.Stated{Range: r, Source: "named by the case"}
	}
	m := deviceLine.FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("%s names no GPU", path)
	}
	count, _ := strconv.Atoi(m[1])
	size, unit, _ := strings.Cut(m[2], " ")
	total, _ := strconv.ParseInt(size, 10, 64)
	total <<= map[string]int{"MiB": 20, "GiB": 30}[unit]
	device := memory.Device{Name: "a GPU of " + m[2], Total: total, Major: 8, Minor: 6, Source: "named by the case", Listed: count > 1, Screen: memory.NoScreen}
	config.Devices = func() []memory.Device { return slices.Repeat([]memory.Device{device}, max(count, 1)) }
	return analyzer.Analyze(source.New(filepath.Base(path), string(text)), config)
}

// TestPlans compares the plans of each program of testdata/plan with the golden beside it. Each plan
// holds when its edits are made in the text: the file parses, is priced as the plan says, and fits.
//
//	go test ./rules/plan -run TestPlans/mixed -update
func TestPlans(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.[pt][yx]*"))
	paths = slices.DeleteFunc(paths, func(path string) bool {
		return strings.HasPrefix(filepath.Base(path), "record") || filepath.Ext(path) == ".txt"
	})
	if err != nil || len(paths) < 12 {
		t.Fatalf("%d programs, %v", len(paths), err)
	}
	used, ran := map[string]bool{}, 0
	for _, path := range paths {
		name := strings.TrimSuffix(path, filepath.Ext(path))
		t.Run(filepath.Base(name), func(t *testing.T) {
			cases.Alone(t)
			ran++
			file := opened(t, path)
			plans, err := Find(t.Context(), file)
			var b strings.Builder
			if err != nil {
				fmt.Fprintf(&b, "error: %v\n", err)
			} else {
				describe(&b, plans)
			}
			cases.Golden(t, name+".txt", b.String())
			if err != nil {
				return
			}
			for _, p := range plans.Fitting {
				holds(t, file, p)
				for _, step := range p.Steps {
					used[step.Name] = true
				}
			}
		})
	}
	if t.Failed() || ran < len(paths) { // a -run pattern left cases out
		return
	}
	for _, c := range changes {
		if !used[c.Name] && c.Name != "steps-per-execution" { // it saves nothing anywhere
			t.Errorf("no case has a plan with %s", c.Name)
		}
	}
}

func describe(b *strings.Builder, plans *Plans) {
	state := func(s *State) string {
		return fmt.Sprintf("%s, %s (%s to %s), batch %d", s.Verdict, memory.Bytes(s.Need.Peak), memory.Bytes(s.Need.Low), memory.Bytes(s.Need.High), s.Batch())
	}
	fmt.Fprintf(b, "before: %s\n", state(plans.Before))
	for i, p := range plans.Fitting {
		var titles []string
		for _, step := range p.Steps {
			titles = append(titles, step.Title)
		}
		fmt.Fprintf(b, "plan %d: %s: %s: %s\n", i+1, strings.Join(titles, " + "), state(p.After), p.Costs())
		for _, e := range p.Elsewhere {
			for _, edit := range e.Edits() {
				fmt.Fprintf(b, "  in %s: %q\n", e.Source.Path, edit.New)
			}
		}
	}
	for _, r := range plans.Refused {
		fmt.Fprintf(b, "not %s: %s", r.Name, r.Why)
		if r.After != nil {
			fmt.Fprintf(b, ": %s", state(r.After))
		}
		b.WriteString("\n")
	}
	if plans.Bounded {
		b.WriteString("bounded\n")
	}
	if plans.Empty {
		b.WriteString("empty\n")
	}
	if plans.Assumes != "" {
		b.WriteString(plans.Assumes + "\n")
	}
}

// holds makes a plan's edits.
func holds(t *testing.T, file *analyzer.File, p Plan) {
	t.Helper()
	edited, err := file.Source.Edited(p.Edits)
	if err != nil {
		t.Fatal(err)
	}
	config := file.Config
	texts := map[string]string{}
	for _, e := range p.Elsewhere {
		other, err := e.Source.Edited(e.Edits())
		if err != nil {
			t.Fatal(err)
		}
		texts[e.Source.Path] = other.Text()
		if syntax.Parse(other.Text()).HasErrors() {
			t.Errorf("%v: %s does not parse:\n%s", p.Steps, e.Source.Path, other.Text())
		}
	}
	if len(texts) > 0 {
		config.Workspace = config.Workspace.With(texts)
	}
	then := analyzer.Analyze(edited, config)
	if then.Tree.HasErrors() {
		t.Errorf("%v does not parse:\n%s", p.Steps, edited.Text())
	}
	for s := range then.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			if text := n.Text(); n.Kind() == syntax.String && strings.Contains(text, "\n") && !strings.Contains(file.Source.Text(), text) {
				t.Errorf("%v change a string to %s", p.Steps, text)
			}
			return true
		})
	}
	now, err := Price(t.Context(), then)
	if err != nil {
		t.Fatalf("%v: %v", p.Steps, err)
	}
	if now.Need != p.After.Need || !now.Fits() {
		t.Errorf("%v: the edited text needs %v and is %s, the plan promised %v", p.Steps, now.Need, now.Verdict, p.After.Need)
	}
}
