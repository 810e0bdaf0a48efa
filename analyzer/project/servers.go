package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/launch"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A Started is a server that a file of the project starts, or configures, for a module.
type Started struct {
	launch.Server
	// In is the file that starts it, WorkersIn the one that counts its workers, and PreloadIn the one
	// that has it import the module before it forks them.
	In, WorkersIn, PreloadIn *source.Source
	// Named is set if that file names the module. If not, it is a configuration beside the module.
	Named bool
}

// Line returns the span of a line, counted from 1, of one of these files.
func Line(in *source.Source, line int) source.Span { return in.Segments()[0].Lines().Span(line - 1) }

// starting is what the files of a folder start.
type starting struct {
	servers []Started
	runs    []Run
	more    bool // there are files that were not read
}

// mostStarting bounds the files of a folder that are read for what they start.
const mostStarting = 32

// Servers returns the servers that import the module at path, as files in its folder and those above
// say, up to the top of its project; the nearest first. It needs no lock.
func (w *Workspace) Servers(path string) (found []Started) {
	path = w.Absolute(path)
	v := &w.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	above, own := w.upward(filepath.Dir(path))
	if v.read == nil {
		v.read = map[string]bool{}
	}
	r := &statements{workspace: w, from: path, read: v.read}
	for _, folder := range above[:own] {
		for _, s := range r.starts(folder).servers {
			s, ok := r.imports(s, folder, path)
			if ok {
				found = append(found, s)
			}
		}
	}
	return found
}

// starts returns what the files of a folder start.
func (r *statements) starts(folder string) starting {
	v := &r.workspace.versions
	found, known := v.starting[folder]
	if known {
		return found
	}
	names := r.listed(folder, launch.Is)
	slices.Sort(names)
	found.more = len(names) > mostStarting
	for _, name := range names[:min(len(names), mostStarting)] {
		in, read := r.started(filepath.Join(folder, name), launch.Read)
		for _, s := range read.Servers {
			found.servers = append(found.servers, Started{Server: s, In: in, WorkersIn: in, PreloadIn: in})
		}
		for _, s := range read.Scripts {
			found.runs = append(found.runs, Run{s, in})
		}
	}
	if v.starting == nil {
		v.starting = map[string]starting{}
	}
	v.starting[folder] = found
	return found
}

// started returns what a file starts.
func (r *statements) started(path string, read func(name, text string) launch.Starts) (in *source.Source, found launch.Starts) {
	s := &statement{statements: r, seen: map[string]bool{}}
	s.file(path, func(s *statement, text string) {
		in, found = source.New(s.workspace.shown(path), text), read(filepath.Base(path), text)
	})
	return in, found
}

// imports completes a server that a file in a folder starts, if it imports the module at path. Without
// a file of configuration, gunicorn reads gunicorn.conf.py where it runs (gunicorn/config.py, get_default_config_file).
func (r *statements) imports(s Started, folder, path string) (Started, bool) {
	if s.Elsewhere {
		return s, false
	}
	at := filepath.Join(folder, filepath.FromSlash(s.Folder))
	configuration := launch.IsGunicorn(filepath.Base(s.In.Path))
	if !configuration && s.Program == "gunicorn" {
		config, chosen := strings.TrimPrefix(s.Config, "python:"), s.Config != ""
		if !chosen {
			config = "gunicorn.conf.py"
		}
		if config = filepath.Join(at, filepath.FromSlash(config)); (chosen || r.workspace.Kind(config) == File) && filepath.Ext(config) == ".py" && IsBelow(config, folder) {
			in, read := r.started(config, func(_, text string) launch.Starts { return launch.Starts{Servers: launch.GunicornSettings(text)} })
			for _, c := range read.Servers {
				if !s.Workers.Said {
					s.WorkersIn = in
				}
				if s.PreloadedBy == "" {
					s.PreloadIn = in
				}
				s.Server = s.Configured(c)
			}
		}
	}
	switch {
	case s.Module == "" && s.File == "" && configuration:
		return s, filepath.Base(s.In.Path) == "gunicorn.conf.py" && filepath.Dir(path) == folder && filepath.Base(path) != "gunicorn.conf.py"
	case s.File != "":
		s.Named = filepath.Join(at, filepath.FromSlash(s.File)) == path
		return s, s.Named
	case s.Module == "":
		return s, false
	}
	// It runs in that folder, or else, as an image copies the program's own, in that of the module.
	parts := filepath.Join(strings.Split(s.Module, ".")...)
	for _, in := range []string{at, filepath.Dir(path)} {
		for _, file := range []string{filepath.Join(in, parts) + ".py", filepath.Join(in, parts, "__init__.py")} {
			if r.workspace.Kind(file) == File {
				s.Named = file == path
				return s, s.Named
			}
		}
	}
	return s, false
}
