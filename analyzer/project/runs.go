package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/launch"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A Run is a run of a program that a file of the project starts.
type Run struct {
	launch.Script
	In *source.Source
}

// Place is where the command stands.
func (r Run) Place() string { return fmt.Sprintf("%s:%d", r.In.Path, r.Line) }

// mostRuns bounds the runs of one program: beyond it they are those of an experiment.
const mostRuns = 64

// Runs returns the runs of the program at path that files start which lie in its folder and those above, up
// to the top of its project, or in one of [launch.Folders] there; the nearest first. There are none if they
// are too many to know. It needs no lock.
func (w *Workspace) Runs(path string) []Run {
	path = w.Absolute(path)
	v := &w.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	found, known := v.runs[path]
	if !known {
		if found = w.runsOf(path); v.runs == nil {
			v.runs = map[string][]Run{}
		}
		v.runs[path] = found
	}
	return found
}

// runsOf is Runs with the lock of versions held.
func (w *Workspace) runsOf(path string) (found []Run) {
	v := &w.versions
	above, own := w.upward(filepath.Dir(path))
	above = above[:own]
	if v.read == nil {
		v.read = map[string]bool{}
	}
	r := &statements{workspace: w, from: path, read: v.read}
	for i, folder := range above {
		in := []string{folder}
		below := r.listed(folder, func(name string) bool { return slices.Contains(launch.Folders, name) })
		slices.Sort(below)
		for _, name := range below {
			if at := filepath.Join(folder, name); !slices.Contains(above, at) {
				in = append(in, at)
			}
		}
		for _, at := range in {
			starts := r.starts(at)
			for _, run := range starts.runs {
				if r.program(run, append([]string{at}, above[i:]...)) == path {
					found = append(found, run)
				}
			}
			if starts.more || len(found) > mostRuns {
				return nil
			}
		}
	}
	return found
}

// program returns the path of what runs, or "": it runs in one of some folders, the first in which it is. A
// README has its reader enter the folder that git makes of the project.
func (r *statements) program(run Run, folders []string) string {
	name := filepath.FromSlash(run.File)
	if run.Module != "" {
		name = filepath.Join(strings.Split(run.Module, ".")...) + ".py"
	}
	if filepath.IsAbs(name) {
		return ""
	}
	within := []string{filepath.FromSlash(run.Folder)}
	if _, rest, deeper := strings.Cut(run.Folder, "/"); deeper || run.Folder != "" {
		within = append(within, filepath.FromSlash(rest))
	}
	for _, below := range within {
		for _, folder := range folders {
			at := filepath.Join(folder, below, name)
			if IsBelow(at, folders[len(folders)-1]) && r.workspace.Kind(at) == File {
				return at
			}
			if main := filepath.Join(strings.TrimSuffix(at, ".py"), "__main__.py"); run.Module != "" && r.workspace.Kind(main) == File {
				return main
			}
		}
	}
	return ""
}
