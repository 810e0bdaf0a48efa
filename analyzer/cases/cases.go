// Package cases reads test cases that are Python files: comments at the ends of
// their lines say what is to be found there. It is for tests only.
//
//	model = layers.Dense(1)  # name: tensorflow.keras.layers.Dense  # type: -
//
// Each case is checked as it stands, and under changes of its text that change
// nothing of what it means.
package cases

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A Case is one file, or a variant of it.
type Case struct {
	Path string
	Text string
	// Variant is empty for the file as it stands.
	Variant string
}

// Wants are the expectations of one kind by line, from 1; what stands between
// commas is an expectation of its own.
type Wants map[int][]string

// variants are changes of a text that change nothing of what it means. Each
// keeps the lines' numbers.
var variants = []struct {
	name   string
	change func(string) string
}{
	{"", func(s string) string { return s }},
	{"crlf", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
	{"bom", func(s string) string { return "\ufeff" + s }},
	{"tabs", func(s string) string {
		return indentation.ReplaceAllStringFunc(s, func(indent string) string { return strings.ReplaceAll(indent, "    ", "\t") })
	}},
	{"non-ascii", func(s string) string {
		first, rest, _ := strings.Cut(s, "\n")
		return first + "  # 学習 🚀 é\n" + rest
	}},
}

var (
	indentation = regexp.MustCompile(`(?m)^(?:    )+`)
	trailing    = regexp.MustCompile(`(\S)\s*# ([a-z]+): `)
	expectation = regexp.MustCompile(`# ([a-z]+): ([^#]*)`)
)

// Run checks every .py file of a folder and its variants. A comment after code
// that looks like an expectation, of none of the given kinds, is an error, and
// so is a file without expectations, unless no kinds are given.
func Run(t *testing.T, folder string, kinds []string, check func(*testing.T, *Case)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.py"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no cases in %s: %v", folder, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
			for _, v := range variants {
				c := &Case{Path: path, Text: v.change(string(b)), Variant: v.name}
				if v.name != "" && c.Text == string(b) {
					continue // nothing is indented
				}
				if v.name == "" && len(kinds) > 0 {
					c.readable(t, kinds)
				}
				if v.name == "" {
					check(t, c)
				} else if !t.Failed() {
					t.Run(v.name, func(t *testing.T) { check(t, c) })
				}
			}
		})
	}
}

func (c *Case) readable(t *testing.T, kinds []string) {
	t.Helper()
	found := false
	for i, line := range c.lines() {
		for _, m := range trailing.FindAllStringSubmatch(line, -1) {
			if slices.Contains(kinds, m[2]) {
				found = true
			} else {
				t.Errorf("%s:%d: %q is none of the expectations %s", c.Path, i+1, m[2], strings.Join(kinds, ", "))
			}
		}
	}
	if !found {
		t.Errorf("%s expects nothing", c.Path)
	}
}

func (c *Case) lines() []string {
	return strings.Split(strings.ReplaceAll(c.Text, "\r\n", "\n"), "\n")
}

// Wants reads the expectations of one kind.
func (c *Case) Wants(kind string) Wants {
	out := Wants{}
	for i, line := range c.lines() {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue // a comment alone on its line is prose
		}
		for _, m := range expectation.FindAllStringSubmatch(line, -1) {
			if m[1] == kind {
				for part := range strings.SplitSeq(strings.TrimSpace(m[2]), ",") {
					out[i+1] = append(out[i+1], strings.TrimSpace(part))
				}
			}
		}
	}
	return out
}

// Compare holds what is found on each line with expectations of a kind against
// them.
func (c *Case) Compare(t *testing.T, kind string, got func(line int) []string) {
	t.Helper()
	wants := c.Wants(kind)
	for _, line := range slices.Sorted(maps.Keys(wants)) {
		if want, got := strings.Join(wants[line], ", "), strings.Join(got(line), ", "); got != want {
			t.Errorf("%s:%d: # %s: %s\n\tbut it is %s", c.Path, line, kind, want, got)
		}
	}
}

// Line is the number, from 1, of the line that holds the byte at offset.
func (c *Case) Line(offset int) int { return strings.Count(c.Text[:offset], "\n") + 1 }
