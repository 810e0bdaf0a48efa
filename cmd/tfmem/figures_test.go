package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/modelreport"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/lsp"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestOneFigure checks that the message of a rule, the lens, the terminal, the page and the JSON
// show one training alike: its peak, what the memory at the peak is used for, and the largest batch
// that fits, each rounded in the same way.
func TestOneFigure(t *testing.T) {
	var programs []string
	for _, pattern := range []string{"rules/TFM60[1-3]/*.py", "estimate/styles/cases/*.py", "estimate/loops/cases/*.py"} {
		found, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d programs, %v", pattern, len(found), err)
		}
		for i, path := range found {
			if strings.HasPrefix(pattern, "rules") || i%8 == 0 {
				programs = append(programs, path)
			}
		}
	}
	compared, told := 0, 0
	for _, path := range programs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		device := memory.Device{Name: "a GPU", Total: 8 << 30, Major: 8, Minor: 6, Source: "named by a test"}
		if m := regexp.MustCompile(`(?m)^# (?:device|desktop): (\d+) GiB$`).FindSubmatch(text); m != nil {
			gib, _ := strconv.ParseInt(string(m[1]), 10, 64)
			device.Total = gib << 30
		}
		file := analyzer.Analyze(source.New(filepath.Base(path), string(text)), analyzer.Config{Devices: func() []memory.Device { return []memory.Device{device} }})
		models, _ := estimate.Of(file, estimate.Options{})
		messages := map[string]bool{}
		for _, f := range rules.Check(file, rules.Selection{}) {
			if f.Rule.Code == "TFM601" {
				messages[f.Message] = false
			}
		}
		for _, m := range models {
			if m.Main() == nil || m.Part {
				continue
			}
			compared++
			shown := figures(t, m, &device)
			for view, text := range shown {
				for what, figure := range figuresOf(m, view) {
					if !strings.Contains(text, figure) {
						t.Errorf("%s, %s: the %s does not show %q as the %s", path, m.Name, view, figure, what)
					}
				}
			}
			for message := range messages {
				for _, phase := range m.Phases { // the message may be about another phase than the main one
					if !phase.Priced() || !strings.Contains(message, fmt.Sprintf("A batch of %d ", phase.Batch)) || !strings.Contains(message, "about "+memory.Bytes(phase.Peak)+" ") {
						continue
					}
					messages[message] = true
					wanted := partsOf(phase, memory.Bytes)
					if phase == m.Main() && m.Largest > 0 {
						wanted["largest batch"] = memory.Count(m.Largest)
					}
					for what, figure := range wanted {
						if !strings.Contains(message, figure) {
							t.Errorf("%s, %s: %q does not show %q as the %s", path, m.Name, message, figure, what)
						}
					}
				}
			}
		}
		for message, found := range messages {
			if found {
				told++
			} else if len(models) == 1 {
				t.Errorf("%s: no estimate has the figures of %q", path, message)
			}
		}
	}
	if compared < 50 || told < 10 {
		t.Errorf("only %d models and %d messages are compared", compared, told)
	}
}

// figures returns what each view shows of a model.
func figures(t *testing.T, m estimate.Model, device *memory.Device) map[string]string {
	t.Helper()
	var terminal, inJSON, inHTML bytes.Buffer
	models := []estimate.Model{m}
	for _, err := range []error{
		modelreport.Text(&terminal, models, report.Palette{}, true), modelreport.ReportOf(models, &modelreport.Coverage{}, device, nil).Write(&inJSON),
		estimate.Page(models, device, false, func(*source.Source, source.Span) page.Place { return page.Place{} }).Write(&inHTML),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{"terminal": terminal.String(), "JSON": inJSON.String(), "page": html.UnescapeString(inHTML.String()), "lens": lsp.Title(m)}
}

// figuresOf returns the texts by which a view shows a model's figures.
func figuresOf(m estimate.Model, view string) map[string]string {
	main := m.Main()
	size := memory.Bytes
	if view == "JSON" {
		size = func(n int64) string { return fmt.Sprint(n) }
	}
	out := partsOf(main, size)
	if view == "lens" {
		out = map[string]string{"peak": size(m.Total().Peak)}
	}
	if m.Verdict == memory.Exceeds && m.Largest > 0 && !m.Fixed() {
		out["largest batch"] = memory.Count(m.Largest)
		if view == "JSON" {
			out["largest batch"] = fmt.Sprint(m.Largest)
		}
	}
	return out
}

// partsOf returns the peak of a phase, and what the memory there is used for.
func partsOf(p *memory.Phase, size func(int64) string) map[string]string {
	out, use := map[string]string{"peak": size(p.Peak)}, p.AtPeak()
	for _, k := range executor.Kinds {
		if use[k] > 0 {
			out["memory for "+k.String()] = size(use[k])
		}
	}
	return out
}
