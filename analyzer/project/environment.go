package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/launch"
)

// environmentFiles are the files in which a project declares the environment of its programs, by
// precedence: .env, as python-dotenv and docker compose read it, and Dockerfiles.
var environmentFiles = []func(name string) bool{called(".env"), launch.IsDockerfile}

func statesEnvironment(name string) bool {
	return slices.ContainsFunc(environmentFiles, func(is func(string) bool) bool { return is(name) })
}

// A variable is the value of an environment variable, and where it is set. The zero variable is
// unset.
type variable struct{ value, where string }

// Backend returns the backend of Keras, KERAS_BACKEND, that a file's project runs with, and where
// it is set: in the nearest of the file's folder and those above, up to the top of the project.
// Both are "" if it is not set. It needs no lock.
func (w *Workspace) Backend(path string) (name, where string) {
	v := &w.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	folder := filepath.Dir(w.Absolute(path))
	found, known := v.backends[folder]
	if !known {
		above, own := w.upward(folder)
		r := &statements{workspace: w, from: filepath.Join(folder, "any.py"), read: map[string]bool{}}
		for _, at := range above[:own] {
			if found = r.variable(at, "KERAS_BACKEND"); found != (variable{}) {
				break
			}
		}
		if v.backends == nil {
			v.backends = map[string]variable{}
		}
		v.backends[folder] = found
	}
	return found.value, found.where
}

// variable returns a folder's value of a variable: the last one in the first file that sets it.
func (r *statements) variable(folder, name string) (found variable) {
	files := r.listed(folder, statesEnvironment)
	slices.Sort(files)
	for _, is := range environmentFiles {
		for _, file := range files {
			if !is(file) || found != (variable{}) {
				continue
			}
			s := &statement{statements: r, seen: map[string]bool{}}
			s.file(filepath.Join(folder, file), func(s *statement, text string) {
				line := 0
				for l := range strings.Lines(text) {
					line++
					value, set := assigned(l, name)
					if set && value != "" && !strings.Contains(value, "$") {
						found = variable{value, fmt.Sprintf("%s:%d", s.workspace.shown(s.path), line)}
					}
				}
			})
		}
	}
	return found
}

// assigned returns the value that a line of a .env or a Dockerfile assigns to a variable:
// NAME=value, after export, or in ENV among others, or ENV NAME value.
func assigned(line, name string) (value string, set bool) {
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), `\`))
	if len(fields) > 0 && (strings.EqualFold(fields[0], "ENV") || fields[0] == "export") {
		fields = fields[1:]
	}
	if len(fields) > 1 && fields[0] == name {
		return unquoted(fields[1]), true
	}
	for _, field := range fields {
		if strings.HasPrefix(field, "#") {
			break
		}
		if key, value, ok := strings.Cut(field, "="); ok && key == name {
			return unquoted(value), true
		}
	}
	return "", false
}

func unquoted(value string) string { return strings.Trim(value, `"'`) }
