package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/rules/explain"
)

// ranPrograms are the files to look for a cause in.
type ranPrograms struct {
	files   []string
	missing []string // that ran, and are not here
	guessed bool     // nothing names them
}

// programs returns the files to look for the cause in: those that were named, the notebook, the
// files of the traceback, what the log names as run, or else the scripts of this folder.
func (e *explanation) programs(path string, log *explain.Log, found []explain.Explanation) (p ranPrograms) {
	switch {
	case slices.Equal(e.sources, []string{"none"}) || len(found) == 0:
		return p
	case len(e.sources) > 0:
		return ranPrograms{files: e.sources}
	case notebook.Is(path):
		return ranPrograms{files: []string{path}}
	}
	// The message with the figures is seldom the one that has the traceback.
	for i := range log.Messages {
		for _, f := range log.Messages[i].Frames {
			p.add(f.File)
		}
	}
	if len(p.files) == 0 && len(p.missing) == 0 {
		for _, name := range log.Scripts {
			p.add(name)
		}
	}
	if len(p.files) > 0 || len(p.missing) > 0 {
		return p
	}
	return ranPrograms{files: entryScripts(), guessed: true}
}

// add adds a file that the log names, if it is a program of the user's.
func (p *ranPrograms) add(file string) {
	if installed(file) || !strings.HasSuffix(file, ".py") {
		return
	}
	here, _ := os.Getwd()
	inside, err := filepath.Rel(here, abs(file))
	if err == nil && filepath.IsLocal(inside) {
		if info, err := os.Stat(inside); err == nil && info.Mode().IsRegular() {
			if !slices.Contains(p.files, inside) {
				p.files = append(p.files, inside)
			}
			return
		}
	}
	// Python's own modules lie in a folder lib, also on Windows.
	if !strings.Contains(strings.ToLower(strings.ReplaceAll(file, "\\", "/")), "/lib/") && !slices.Contains(p.missing, file) {
		p.missing = append(p.missing, file)
	}
}

// installed reports whether a file of a traceback belongs to Python or to an installed library.
func installed(file string) bool {
	file = strings.ReplaceAll(file, "\\", "/")
	for _, folder := range []string{"site-packages/", "dist-packages/", "/lib/python", "<", "/tmp/ipykernel", "__autograph_generated_file"} {
		if strings.Contains(file, folder) {
			return true
		}
	}
	return false
}

func abs(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}

// mostScripts is how many files of this folder are looked at: a folder of hundreds of scripts says
// nothing about which one ran.
const mostScripts = 32

// entryScripts returns the files of this folder that people run and that use TensorFlow.
func entryScripts() (found []string) {
	c, err := newConfigurator(context.Background(), "none", fromHere)
	if err != nil {
		return nil
	}
	c.follow()
	entries, err := project.ReadDir(".", func(e fs.DirEntry) bool { return e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".py") })
	if err != nil || len(entries) > mostScripts {
		return nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		name := e.Name()
		how, err := c.of(name)
		text, err2 := checker.ReadFile(name)
		if err != nil || err2 != nil || !strings.Contains(text, "tensorflow") && !strings.Contains(text, "keras") {
			continue
		}
		files, err := how.toPrice(name, text, true)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(files, isScript) {
			found = append(found, name)
		}
	}
	return found
}

// isScript reports whether a file is what people run.
func isScript(file *analyzer.File) (is bool) {
	if file.Unread != "" {
		return false
	}
	_ = file.Do(context.Background(), func() { is = file.Role().Kind == facts.Script }) // nothing interrupts it
	return is
}
