package lsp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/tfmem/tfmem/rules/settings"
)

// settingsSection is the name of the settings in an editor.
const settingsSection = "tfmem"

// An object is a JSON object.
type object = map[string]json.RawMessage

// A configuration holds the editor's settings as the client sends them: in initialize, then in
// workspace/didChangeConfiguration, then in answers to workspace/configuration. Later ones
// override earlier ones, key by key.
type configuration struct {
	mu      sync.Mutex // analyses read what the client sends
	initial object
	pushed  object
	asked   map[string]object // by folder path; "" for files in no folder
	asking  task              // asks the client for the settings

	reading    sync.Mutex // guards read, and is held while files are read
	generation uint64
	read       map[string]*settings.Editor // by folder path
}

// settingsIn returns the settings in what a client sends: under the name of the section, under
// "settings" as for ruff, or at the top. It reports false if there are none.
func settingsIn(raw []byte) (object, bool) {
	var outer object
	if json.Unmarshal(raw, &outer) != nil {
		return nil, false
	}
	for _, name := range []string{settingsSection, "settings"} {
		if inner, ok := outer[name]; ok {
			if found, ok := settingsIn(inner); ok {
				return found, true
			}
			var own object
			err := json.Unmarshal(inner, &own)
			return own, err == nil && own != nil
		}
	}
	return outer, settings.IsEditors(outer)
}

// initialize reads the settings in initialize.
func (c *configuration) initialize(raw []byte) {
	c.initial, _ = settingsIn(raw)
}

// push reads the settings in workspace/didChangeConfiguration, and reports whether they changed.
// Clients send nothing, or an empty object, to say that something has changed, or because they
// always do.
func (c *configuration) push(raw []byte) bool {
	pushed, ok := settingsIn(raw)
	if !ok {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed := !same(c.pushed, pushed)
	c.pushed = pushed
	return changed
}

func same(a, b object) bool {
	return maps.EqualFunc(a, b, func(a, b json.RawMessage) bool { return string(a) == string(b) })
}

// answer reads the settings for folders, and reports whether they changed.
func (c *configuration) answer(paths []string, answers []protocol.LSPAny) (changed bool) {
	asked := map[string]object{}
	for i, path := range paths[:min(len(paths), len(answers))] {
		var said object
		if json.Unmarshal(answers[i], &said) == nil {
			asked[path] = said
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	changed = !maps.EqualFunc(c.asked, asked, same)
	c.asked = asked
	return changed
}

// of returns all settings for a folder, or nil if there are none.
func (c *configuration) of(path string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := object{}
	for _, said := range []object{c.initial, c.pushed, c.asked[path]} {
		for key, v := range said {
			if string(v) != "null" {
				all[key] = v
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err) // it was JSON
	}
	return raw
}

// editor returns the editor's settings for the file at path. It may read files.
func (s *session) editor(path string) *settings.Editor {
	if s.opts.Editor == nil {
		return nil
	}
	c := &s.configuration
	folder := s.folders.around(path)
	c.reading.Lock()
	defer c.reading.Unlock()
	if generation := s.generation.Load(); c.read == nil || c.generation != generation {
		c.read, c.generation = map[string]*settings.Editor{}, generation
	}
	e, known := c.read[folder]
	if known {
		return e
	}
	if raw := c.of(folder); raw != nil {
		var mistakes []error
		e, mistakes = s.opts.Editor(raw, folder, s.folders.paths())
		if len(mistakes) > 0 {
			var words []string
			for _, m := range mistakes {
				words = append(words, m.Error())
			}
			s.out.complain(strings.Join(slices.Compact(words), "\n"))
		}
	}
	c.read[folder] = e
	return e
}

// DidChangeConfiguration handles changed settings in the editor.
func (s *session) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	if s.configuration.push(params.Settings) {
		s.inBackground(s.settingsChanged)
	}
	s.configuration.asking.call()
	return nil
}

// askForSettings asks the client for the settings of each folder and outside of folders, if the
// client supports that.
func (s *session) askForSettings() {
	all := s.folders.all()
	var answers []protocol.LSPAny
	if err := s.out.ask(protocol.MethodWorkspaceConfiguration, configurationOf(all), &answers); err != nil {
		s.out.failed(err, "the client does not say what its user wants")
		return
	}
	paths := []string{""}
	for _, f := range all {
		paths = append(paths, f.path)
	}
	if s.configuration.answer(paths, answers) {
		s.settingsChanged()
	}
}
