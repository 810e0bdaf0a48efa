package settings

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// An Error is a mistake in, or about, a settings file.
type Error struct {
	Path         string
	Line, Column int // from 1, in characters; 0 if the file could not be read
	Offset       int // in bytes, of the same place
	Err          error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.Path, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// A reader creates settings from one file's text.
type reader struct {
	path   string // as it is shown
	source []byte // without a byte order mark
	mark   int    // the mark's length
	folder string // absolute; patterns are relative to it
	gpu    func(setting string) (string, error)
	file   func(name string) (path string, err error) // resolves the path of a file that settings name

	out      Settings
	extend   string // as it is written, or empty
	extendAt int
}

// A leaf is a key whose value is not a table, or is an empty one.
type leaf struct {
	key   *Key
	path  []string // without the table of a pyproject.toml
	at    int      // the offset of its first own key
	value value
}

// name returns the key as messages write it.
func (l leaf) name() string {
	if len(l.path) > 1 {
		return fmt.Sprintf("%s of %q", l.path[0], l.path[1])
	}
	return l.path[0]
}

// A value is a string, a number, a bool, a list of values or, with neither, something else. Of a
// table only the kind is kept.
type value struct {
	at     int
	kind   unstable.Kind
	text   string
	values []value
}

// isPyproject reports whether a file has settings of other tools too.
func isPyproject(path string) bool { return filepath.Base(path) == "pyproject.toml" }

// byteOrderMark is what some editors put at the start of a text.
const byteOrderMark = "\ufeff"

// read reads the settings of a file, as far as they have no mistakes. ok is false for a
// pyproject.toml without any.
func (r *reader) read() (ok bool, mistakes []error) {
	if text, marked := bytes.CutPrefix(r.source, []byte(byteOrderMark)); marked {
		r.source, r.mark = text, len(byteOrderMark)
	}
	var table []string
	if isPyproject(r.path) {
		table = []string{"tool", "tfmem"}
		// A mistake in another tool's part of the file is not reported.
		if !bytes.Contains(r.source, []byte("tfmem")) {
			return false, nil
		}
	}
	var document map[string]any
	if err := toml.Unmarshal(r.source, &document); err != nil {
		return false, []error{r.notTOML(err)}
	}
	ok = table == nil
	if tool, is := document["tool"].(map[string]any); is && !ok {
		_, ok = tool["tfmem"]
	}
	if !ok {
		return false, nil
	}
	leaves, err := r.leaves(table)
	if err != nil {
		return true, []error{err}
	}
	for _, l := range leaves {
		if err := r.set(l); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	return true, mistakes
}

func (r *reader) set(l leaf) error {
	if len(l.path) == 0 {
		return r.errorf(l.at, "tool.tfmem is one table; it begins with the line [tool.tfmem]")
	}
	k := LookupKey(l.path[0])
	switch {
	case k == nil:
		return r.unknownKey(l)
	case k.table && len(l.path) == 1 && l.value.kind == unstable.InlineTable:
		return nil // empty
	case k.table && len(l.path) == 1:
		return r.errorf(l.at, "%s is a table, such as\n%s", k.Name, k.Example)
	case k.table && !k.deep && len(l.path) > 2, !k.table && len(l.path) > 1:
		return r.errorf(l.at, "%s is not a table with a key %q; an example is\n%s", strings.Join(l.path[:len(l.path)-1], "."), l.path[len(l.path)-1], k.Example)
	}
	l.key = k
	return k.set(r, l)
}

// leaves returns the keys and values below a table, in order.
func (r *reader) leaves(table []string) ([]leaf, error) {
	var out []leaf
	emit := func(path []string, at []int, v value) {
		if len(path) < len(table) || !slices.Equal(path[:len(table)], table) {
			return
		}
		l := leaf{path: path[len(table):], at: at[len(at)-1], value: v}
		switch {
		case len(l.path) == 0 && v.kind == unstable.InlineTable:
			return
		case len(l.path) > 0 && LookupKey(l.path[0]) == nil:
			l.at = at[len(table)]
		}
		if v.at == 0 {
			l.value.at = l.at
		}
		out = append(out, l)
	}
	var add func(path []string, at []int, n *unstable.Node)
	add = func(path []string, at []int, n *unstable.Node) {
		if n.Kind == unstable.InlineTable && n.Child().Valid() {
			for it := n.Children(); it.Next(); {
				names, places := keys(it.Node().Key())
				add(slices.Concat(path, names), slices.Concat(at, places), it.Node().Value())
			}
			return
		}
		emit(path, at, valueOf(n))
	}
	var p unstable.Parser
	p.Reset(r.source)
	var header []string
	var places []int
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			header, places = keys(e.Key())
			emit(header, places, value{kind: unstable.InlineTable})
		case unstable.ArrayTable:
			header, places = keys(e.Key())
			if n := len(table); len(header) >= n && slices.Equal(header[:n], table) {
				return nil, r.errorf(places[len(places)-1], "%s is not a list of tables; write it between single brackets", strings.Join(header, "."))
			}
		case unstable.KeyValue:
			names, at := keys(e.Key())
			add(slices.Concat(header, names), slices.Concat(places, at), e.Value())
		}
	}
	if err := p.Error(); err != nil {
		return nil, r.notTOML(err)
	}
	return out, nil
}

func keys(it unstable.Iterator) (names []string, at []int) {
	for it.Next() {
		names = append(names, string(it.Node().Data))
		at = append(at, int(it.Node().Raw.Offset))
	}
	return names, at
}

func valueOf(n *unstable.Node) value {
	v := value{at: int(n.Raw.Offset), kind: n.Kind}
	switch n.Kind {
	case unstable.String, unstable.Integer, unstable.Float, unstable.Bool:
		v.text = string(n.Data)
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			if it.Node().Kind != unstable.Comment {
				v.values = append(v.values, valueOf(it.Node()))
			}
		}
	}
	return v
}

// text returns a value that must be a string.
func (r *reader) text(l leaf) (string, error) {
	if l.value.kind != unstable.String {
		return "", r.errorf(l.value.at, "%s is a string between quotes, such as\n%s", l.name(), l.key.Example)
	}
	return l.value.text, nil
}

// list returns a value that must be a list of strings.
func (r *reader) list(l leaf, of string) ([]value, error) {
	if l.value.kind != unstable.Array {
		return nil, r.errorf(l.value.at, "%s is a list of %s", l.name(), of)
	}
	for _, v := range l.value.values {
		if v.kind != unstable.String {
			return nil, r.errorf(max(v.at, l.value.at), "%s is a list of %s", l.name(), of)
		}
	}
	return l.value.values, nil
}

// notTOML converts an error of the TOML library.
func (r *reader) notTOML(err error) error {
	at := 0
	var d *toml.DecodeError
	if errors.As(err, &d) {
		line, column := d.Position()
		for ; line > 1; line-- {
			at += bytes.IndexByte(r.source[at:], '\n') + 1
		}
		at += column - 1
	}
	return r.errorf(at, "%s", strings.TrimPrefix(err.Error(), "toml: "))
}

// place formats an offset for people.
func (r *reader) place(at int) string {
	if r.path == inEditor {
		return r.path // the place is unknown
	}
	return fmt.Sprintf("%s:%d", r.path, 1+bytes.Count(r.source[:min(at, len(r.source))], []byte("\n")))
}

// errorf returns a mistake at an offset.
func (r *reader) errorf(at int, format string, args ...any) error {
	before := r.source[:min(at, len(r.source))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return &Error{
		Path: r.path, Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(before[line:]),
		Offset: len(before) + r.mark, Err: fmt.Errorf(format, args...),
	}
}
