// Package baseline remembers the findings of old code, so that only new ones fail a check.
//
// A finding is remembered by its file, its rule and the text of the line it starts on, and not by
// the line's number: it stays known when code moves, and is new when the line changes. The package
// knows neither the command line nor an editor, nor how findings are printed.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// largest is the size in bytes beyond which a baseline is not read.
const largest = 64 << 20

// format is the version of the file's format.
const format = 1

// A Baseline is the content of one file.
type Baseline struct {
	path   string
	counts map[key]int
}

// A key is what a finding is known by.
type key struct{ file, code, line string }

// The file's format. Each finding is a line of its own, sorted, so that changes are easy to review
// and to merge.
type (
	document struct {
		Version  int     `json:"tfmem_baseline"`
		Findings []entry `json:"findings"`
	}
	entry struct {
		File  string `json:"file"` // relative to the baseline's folder, with slashes
		Code  string `json:"code"`
		Line  string `json:"line"` // its text
		Count int    `json:"count"`
	}
)

// New returns an empty baseline that belongs to a path.
func New(path string) *Baseline { return &Baseline{path: path, counts: map[key]int{}} }

// Path is the path of its file.
func (b *Baseline) Path() string { return b.path }

// Read reads a baseline.
func Read(path string) (*Baseline, error) {
	text, err := project.ReadFile(path, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no baseline %s; --write-baseline writes it", path)
	} else if err != nil {
		return nil, fmt.Errorf("cannot read the baseline: %w", err)
	}
	return Parse(path, text)
}

// Parse is Read with the file's text.
func Parse(path string, text []byte) (*Baseline, error) {
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s is not a baseline: %w", path, err)
	}
	if d.Version != format {
		return nil, fmt.Errorf("%s is not a baseline that this version of tfmem reads; --write-baseline writes a new one", path)
	}
	b := New(path)
	for _, e := range d.Findings {
		b.counts[key{e.File, e.Code, e.Line}] += e.Count
	}
	return b, nil
}

// Add remembers a finding in a file.
func (b *Baseline) Add(file string, s *source.Source, f rule.Finding) { b.counts[b.key(file, s, f)]++ }

// Knows reports whether a finding is remembered, as often as it was added, and forgets it once.
func (b *Baseline) Knows(file string, s *source.Source, f rule.Finding) bool {
	k := b.key(file, s, f)
	if b.counts[k] == 0 {
		return false
	}
	b.counts[k]--
	return true
}

// Unknown returns the findings in a file that are not remembered, or not that often. Nothing is
// forgotten. No baseline remembers nothing.
func (b *Baseline) Unknown(file string, s *source.Source, findings []rule.Finding) []rule.Finding {
	if b == nil || len(b.counts) == 0 {
		return findings
	}
	found := map[key]int{}
	var unknown []rule.Finding
	for _, f := range findings {
		k := b.key(file, s, f)
		if found[k]++; found[k] > b.counts[k] {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// Left returns how many findings in these files are remembered and were not asked for.
func (b *Baseline) Left(files []string) int {
	among := map[string]bool{}
	for _, file := range files {
		among[b.name(file)] = true
	}
	n := 0
	for k, count := range b.counts {
		if among[k.file] {
			n += count
		}
	}
	return n
}

// Keep remembers what another baseline of the same path does, except for these files and for those
// that are gone.
func (b *Baseline) Keep(o *Baseline, except []string) {
	gone := map[string]bool{}
	for _, file := range except {
		gone[b.name(file)] = true
	}
	for k, count := range o.counts {
		if _, known := gone[k.file]; !known {
			gone[k.file] = project.Disk{}.Kind(filepath.Join(filepath.Dir(b.path), filepath.FromSlash(k.file))) == project.Nothing
		}
		if !gone[k.file] {
			b.counts[k] += count
		}
	}
}

// Text returns the content of the file, and the number of findings in it.
func (b *Baseline) Text() (text []byte, findings int) {
	keys := slices.SortedFunc(maps.Keys(b.counts), func(a, c key) int {
		return cmp.Or(cmp.Compare(a.file, c.file), cmp.Compare(a.code, c.code), cmp.Compare(a.line, c.line))
	})
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"tfmem_baseline\": %d,\n  \"findings\": [", format)
	separator := "\n    "
	for _, k := range keys {
		if n := b.counts[k]; n > 0 {
			findings += n
			var line bytes.Buffer
			enc := json.NewEncoder(&line)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(entry{k.file, k.code, k.line, n}); err != nil {
				panic(fmt.Sprintf("strings and numbers are no JSON: %v", err))
			}
			out.WriteString(separator + strings.TrimSuffix(line.String(), "\n"))
			separator = ",\n    "
		}
	}
	if findings > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes(), findings
}

func (b *Baseline) key(file string, s *source.Source, f rule.Finding) key {
	return key{b.name(file), f.Rule.Code, strings.ToValidUTF8(f.Line(s), "\ufffd")}
}

// name returns a file's path relative to the folder of the baseline.
func (b *Baseline) name(file string) string {
	if absolute, err := filepath.Abs(file); err == nil {
		if rel, err := filepath.Rel(filepath.Dir(b.path), absolute); err == nil {
			file = rel
		}
	}
	return strings.ToValidUTF8(filepath.ToSlash(file), "\ufffd")
}
