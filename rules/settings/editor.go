package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/tfmem/tfmem/rules/suggest"
)

// An Editor holds the settings of an editor's user, which come on top of a project's files. The nil
// Editor has none.
type Editor struct {
	settings   Settings
	preference preference
	mode       mode
}

// A preference says whether an editor's settings or a project's count first.
type preference string

const (
	editorFirst     preference = "editorFirst"
	filesystemFirst preference = "filesystemFirst"
	editorOnly      preference = "editorOnly"
)

var preferences = []string{string(editorFirst), string(filesystemFirst), string(editorOnly)}

// A mode says in which files an editor shows findings.
type mode string

const (
	openFilesOnly  mode = "openFilesOnly"
	wholeWorkspace mode = "workspace"
)

var modes = []string{string(openFilesOnly), string(wholeWorkspace)}

// inEditor names an editor's settings in messages.
const inEditor = "the editor's settings"

// Keys that only an editor's settings have.
const (
	configurationKey = "configuration"
	preferenceKey    = "configuration-preference"
	modeKey          = "diagnostic-mode"
	lintKey          = "lint" // a table of keys, as other tools have it
)

var onlyEditors = []string{configurationKey, preferenceKey, modeKey, lintKey}

// ofClients are keys for the client that starts the server. The server ignores them, and those that
// begin with "tfmem": what a client says of itself, which a newer one may say more of.
var ofClients = []string{"enable", "path", "args", "interpreter", "import-strategy", "show-notifications", "trace", "log-level", "log-file"}

// Editor reads an editor's settings. They are a JSON object with the keys of a settings file, in
// their spelling or in camel case; null means not set. "configuration" is the path of a settings
// file that counts below them. Further keys are "configurationPreference" and "diagnosticMode".
// Paths and patterns are relative to the folder. Keys without a mistake count even if others have
// one.
func (f *Finder) Editor(object []byte, folder string) (*Editor, []error) {
	var said map[string]any
	if err := json.Unmarshal(object, &said); err != nil {
		return nil, []error{&Error{Path: inEditor, Err: errors.New("they are not a JSON object")}}
	}
	r := &reader{path: inEditor, folder: folder}
	if f.GPU != nil {
		r.gpu = func(setting string) (string, error) { return f.GPU(setting, folder, "") }
	}
	r.file = func(name string) (string, error) { return join(folder, name), nil }
	e := &Editor{preference: editorFirst}
	var file string
	mistakes := r.object(said, func(l leaf) error {
		switch name := l.path[0]; name {
		case configurationKey:
			return r.choose(l, &file, nil)
		case preferenceKey:
			return r.choose(l, (*string)(&e.preference), preferences)
		case modeKey:
			return r.choose(l, (*string)(&e.mode), modes)
		case "extend":
			return r.errorf(0, "extend is for settings files; the key that names one here is configuration")
		default:
			return r.set(l)
		}
	})
	e.settings = r.out
	if file != "" {
		file = join(folder, file)
		base, err := f.Load(file, folder)
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("configuration of %s: %w", inEditor, err))
		} else {
			base = base.unsettled()
			e.settings.over(base)
		}
	}
	for _, err := range mistakes {
		var at *Error
		if errors.As(err, &at) && at.Path == inEditor {
			at.Line, at.Column = 0, 0 // the place is unknown
		}
	}
	return e, mistakes
}

// object calls set for each key of an object, in order, and returns the mistakes.
func (r *reader) object(said map[string]any, set func(leaf) error) (mistakes []error) {
	for _, key := range slices.Sorted(maps.Keys(said)) {
		v, name := said[key], kebab(key)
		if table, ok := v.(map[string]any); ok && name == lintKey {
			mistakes = append(mistakes, r.object(table, set)...)
			continue
		}
		if v == nil || slices.Contains(ofClients, name) || strings.HasPrefix(name, "tfmem-") {
			continue
		}
		k := LookupKey(name)
		if k == nil && !slices.Contains(onlyEditors, name) {
			mistakes = append(mistakes, r.unknownInEditor(key))
			continue
		}
		for _, l := range leavesOf([]string{name}, v) {
			if k != nil && k.table && k.list && l.value.kind == unstable.String {
				l.value = itemsOf(l.value.text)
			}
			if err := set(l); err != nil {
				mistakes = append(mistakes, err)
			}
		}
	}
	return mistakes
}

// unknownInEditor rejects an unknown key, in its own spelling.
func (r *reader) unknownInEditor(key string) error {
	known := append(KeyNames(), onlyEditors...)
	if kebab(key) != key {
		for i := range known {
			known[i] = camel(known[i])
		}
	}
	advice := suggest.DidYouMean(key, known)
	if advice == "" {
		advice = "; the keys are " + strings.Join(known, ", ")
	}
	return r.errorf(0, "unknown key %q%s", key, advice)
}

// choose reads a string, which must be one of the choices if there are any.
func (r *reader) choose(l leaf, to *string, choices []string) error {
	name := camel(l.path[0])
	switch {
	case len(l.path) > 1 || l.value.kind != unstable.String:
		return r.errorf(0, "%s is a string", name)
	case choices != nil && !slices.Contains(choices, l.value.text):
		return r.errorf(0, "%s: %q is not one of %s%s", name, l.value.text, strings.Join(choices, ", "), suggest.DidYouMean(l.value.text, choices))
	}
	*to = l.value.text
	return nil
}

// leavesOf returns the values in a JSON value under a key.
func leavesOf(path []string, v any) (out []leaf) {
	table, ok := v.(map[string]any)
	if !ok || len(table) == 0 {
		return []leaf{{path: path, value: jsonValue(v)}}
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if table[key] != nil {
			out = append(out, leavesOf(append(slices.Clip(path), key), table[key])...)
		}
	}
	return out
}

func jsonValue(v any) value {
	switch v := v.(type) {
	case string:
		return value{kind: unstable.String, text: v}
	case []any:
		out := value{kind: unstable.Array}
		for _, item := range v {
			out.values = append(out.values, jsonValue(item))
		}
		return out
	case map[string]any:
		return value{kind: unstable.InlineTable}
	case bool:
		return value{kind: unstable.Bool, text: strconv.FormatBool(v)}
	case float64:
		return value{kind: unstable.Float, text: strconv.FormatFloat(v, 'f', -1, 64)}
	}
	return value{kind: unstable.Float} // no key has such a value
}

// itemsOf returns the list that a text has between commas. The tables of VS Code's settings editor
// have only texts.
func itemsOf(text string) value {
	out := value{kind: unstable.Array}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out.values = append(out.values, value{kind: unstable.String, text: item})
		}
	}
	return out
}

// kebab returns a key as settings files spell it.
func kebab(key string) string {
	var b strings.Builder
	for i, c := range key {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// camel returns a key of a settings file as editors spell it.
func camel(key string) string {
	words := strings.Split(key, "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// IsEditors reports whether an object has a key of tfmem's settings. Other objects hold settings of
// the whole editor.
func IsEditors(object map[string]json.RawMessage) bool {
	for key := range object {
		name := kebab(key)
		if LookupKey(name) != nil || slices.Contains(onlyEditors, name) {
			return true
		}
	}
	return false
}

// WantsWorkspace reports whether the editor also wants findings of files that are not open.
func (e *Editor) WantsWorkspace() bool { return e != nil && e.mode == wholeWorkspace }

// With merges a project's settings with the editor's: above them, below them, or replaced by them,
// as the user prefers.
func (e *Editor) With(files *Settings) *Settings {
	if e == nil {
		return files
	}
	own := e.settings
	own.Path = files.Path
	out := &own
	switch e.preference {
	case filesystemFirst:
		out = files.unsettled()
		out.over(&own)
	case editorFirst:
		out.over(files.unsettled())
	}
	out.settle()
	return out
}

// unsettled returns a copy of s as it was read.
func (s *Settings) unsettled() *Settings {
	out := *s
	out.selection = s.said
	return &out
}
