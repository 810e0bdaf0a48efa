package project

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/launch"
)

// versions holds what the folders of a workspace say of the versions of TensorFlow and Keras, and of
// what they start, as far as it was needed.
type versions struct {
	mu      sync.Mutex
	folders map[string]effects.Versions // by folder, with those of the folders above if it says nothing
	read    map[string]bool             // the files that were read for it
	// backends are the backends of Keras that a folder names.
	backends map[string]variable
	mentions map[string]mention  // by folder
	starting map[string]starting // by folder
	runs     map[string][]Run    // by the path of the program
}

func (v *versions) forget() {
	v.mu.Lock()
	v.clear()
	v.mu.Unlock()
}

func (v *versions) clear() {
	clear(v.folders)
	clear(v.backends)
	clear(v.mentions)
	clear(v.starting)
	clear(v.runs)
}

// Versions returns the versions that a file's project declares: in the nearest of the file's
// folder and those above, up to the top of the project, that declares some. It needs no lock.
func (w *Workspace) Versions(path string) effects.Versions {
	v := &w.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	folder := filepath.Dir(w.Absolute(path))
	known, ok := v.folders[folder]
	if ok {
		return known
	}
	above, own := w.upward(folder)
	if v.folders == nil {
		v.folders, v.read = map[string]effects.Versions{}, map[string]bool{}
	}
	r := &statements{workspace: w, from: filepath.Join(folder, "any.py"), read: v.read}
	for _, at := range above[:own] {
		if known = r.of(at); known != (effects.Versions{}) {
			break
		}
	}
	if !known.TensorFlow.Exact() {
		for _, at := range above[:own] {
			// The installed version is one that satisfies the project's requirements.
			if installed := r.installed(at); installed.TensorFlow.Source != "" {
				if _, ok := known.TensorFlow.And(installed.TensorFlow.Range); ok {
					known = installed
				}
				break
			}
		}
	}
	if !known.TensorFlow.Exact() {
		// Nothing is installed over what an image has, if that will do.
		for _, at := range above[:own] {
			if image := r.image(at); image.TensorFlow.Source != "" {
				if _, ok := known.TensorFlow.And(image.TensorFlow.Range); ok {
					known.TensorFlow = image.TensorFlow
				}
				break
			}
		}
	}
	for _, at := range above[:own] {
		if set := r.variable(at, effects.UseLegacyKeras); set != (variable{}) {
			if effects.ChoosesLegacyKeras(set.value) {
				known.Chosen = set.where
			}
			break
		}
	}
	v.folders[folder] = known
	return known
}

// restated forgets versions that the file at path declares, or may declare, and adds the files
// that it may concern.
func (w *Workspace) restated(path string, affected map[string]bool) {
	folder := filepath.Dir(path)
	inside := filepath.Base(folder) == requirementsFolder || slices.Contains(launch.Folders, filepath.Base(folder))
	w.versions.mu.Lock()
	concerned := len(w.versions.folders)+len(w.versions.backends)+len(w.versions.mentions)+len(w.versions.starting) > 0 && (w.versions.read[path] || StatesVersions(path))
	if concerned {
		w.versions.clear()
	}
	w.versions.mu.Unlock()
	if !concerned {
		return
	}
	if inside {
		folder = filepath.Dir(folder)
	}
	folder += string(filepath.Separator)
	w.mu.Lock()
	defer w.mu.Unlock()
	for p := range w.roots {
		if strings.HasPrefix(p, folder) {
			affected[p] = true
		}
	}
}
