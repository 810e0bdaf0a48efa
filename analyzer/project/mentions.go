package project

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/launch"
)

// isMention reports whether people write in a file, for others or for a shell, which TensorFlow a
// project needs.
func isMention(name string) bool {
	lower := strings.ToLower(name)
	base, ext := strings.TrimSuffix(lower, filepath.Ext(lower)), filepath.Ext(lower)
	switch ext {
	case "", ".md", ".rst":
		return base == "readme" || launch.IsDockerfile(name)
	case ".sh":
		return true
	case ".txt":
		return base == "readme" || slices.ContainsFunc([]string{"conda", "environment", "package", "spec", "install", "dependenc"}, func(word string) bool { return strings.HasPrefix(base, word) })
	}
	return launch.IsDockerfile(name)
}

// A mention is the oldest version of TensorFlow that files of a folder name for people.
type mention struct {
	version effects.Version
	where   string
}

// Mentioned returns the oldest version of TensorFlow that the project names for people or for a
// shell, and where: in a README, a shell script, a Dockerfile or a list of packages in the file's
// folder or at the top of its project. where is "" if it names none. It needs no lock.
func (w *Workspace) Mentioned(path string) (oldest effects.Version, where string) {
	v := &w.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	folder := filepath.Dir(w.Absolute(path))
	found, known := v.mentions[folder]
	if !known {
		above, own := w.upward(folder)
		if v.mentions == nil {
			v.mentions = map[string]mention{}
		}
		if v.read == nil {
			v.read = map[string]bool{}
		}
		r := &statements{workspace: w, from: filepath.Join(folder, "any.py"), read: v.read}
		found = r.mentions(folder)
		if top := above[own-1]; top != folder {
			if at := r.mentions(top); found.where == "" || at.where != "" && at.version.Before(found.version) {
				found = at
			}
		}
		v.mentions[folder] = found
	}
	return found.version, found.where
}

// mostMentions bounds the files of a folder whose heads are read.
const mostMentions = 16

// mentions returns what the files of a folder name, by their heads.
func (r *statements) mentions(folder string) (oldest mention) {
	files := r.listed(folder, isMention)
	slices.Sort(files)
	for _, name := range files[:min(len(files), mostMentions)] {
		path := filepath.Join(folder, name)
		r.read[path] = true
		if err := r.workspace.inside(r.from, path); err != nil {
			r.workspace.refuse(path, err)
			continue
		}
		text, err := r.workspace.fs.Head(path)
		if err != nil {
			continue
		}
		if v, line := effects.MentionedVersion(text); line > 0 && (oldest.where == "" || v.Before(oldest.version)) {
			oldest = mention{v, fmt.Sprintf("%s:%d", r.workspace.shown(path), line)}
		}
	}
	return oldest
}
