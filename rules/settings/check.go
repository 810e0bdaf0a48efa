package settings

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A Mistake is an [Error] with an end, a byte offset.
type Mistake struct {
	*Error
	End int
}

// IsSettings reports whether a file contains settings, according to its name.
func IsSettings(path string) bool { return slices.Contains(Names, filepath.Base(path)) }

// Check returns all mistakes in the text of a settings file, given by its absolute path, in the
// order of their places. In a pyproject.toml it skips the settings of other tools, and does not
// report invalid TOML outside tfmem's table.
func (f *Finder) Check(path string, text []byte) []Mistake {
	r := f.reader(path, text, filepath.Dir(path))
	ok, mistakes := r.read()
	if !ok && len(mistakes) > 0 && isPyproject(path) && !r.inOurs(mistakes[0]) {
		return nil
	}
	if r.extend != "" {
		if _, err := f.extended(r, path, nil); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Path != r.path {
				err = r.errorf(r.extendAt, "extend: %w", err)
			}
			mistakes = append(mistakes, err)
		}
	}
	var out []Mistake
	for _, err := range mistakes {
		var e *Error
		if errors.As(err, &e) {
			out = append(out, Mistake{e, wordEnd(text, e.Offset)})
		}
	}
	slices.SortStableFunc(out, func(a, b Mistake) int { return a.Offset - b.Offset })
	return out
}

// inOurs reports whether a TOML error of a pyproject.toml is below the header of tfmem's table.
func (r *reader) inOurs(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	header, _ := headerBefore(r.source[:e.Offset-r.mark])
	return len(header) > 1 && header[0] == "tool" && header[1] == "tfmem"
}

// headerBefore returns the table that is open at the end of a text. ok is false if the text is not
// valid TOML.
func headerBefore(text []byte) (header []string, ok bool) {
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
		if e := p.Expression(); e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			header, _ = keys(e.Key())
		}
	}
	return header, p.Error() == nil
}

// wordEnd returns the end of the key, string or other value that starts at an offset. It is at
// least one byte further if the text goes on.
func wordEnd(text []byte, at int) int {
	end := at
	if end < len(text) && (text[end] == '"' || text[end] == '\'') {
		for end++; end < len(text) && text[end] != '\n'; end++ {
			if text[end] == text[at] && text[end-1] != '\\' {
				return end + 1
			}
		}
		return end
	}
	for end < len(text) && isBare(text[end]) {
		end++
	}
	if end == at {
		for end < len(text) && text[end] != '\n' && text[end] != '\r' && text[end] != '#' {
			end++
		}
		for end > at && (text[end-1] == ' ' || text[end-1] == '\t') {
			end--
		}
	}
	return end
}

// isBare reports whether a byte may be in an unquoted key, or between two.
func isBare(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}
