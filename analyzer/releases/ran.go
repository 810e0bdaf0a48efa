package releases

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// version is a version of TensorFlow or Keras, as a program prints it. named is that of TensorFlow
// beside its name, as in a list of packages.
var (
	version = regexp.MustCompile(`\b([12])\.(\d{1,2})\.\d+`)
	named   = regexp.MustCompile(`(?i)\btensorflow(?:[-_]gpu)?(?: version)?[ \t:=]*v?([12])\.(\d{1,2})\.\d+`)
)

// RanOlder returns what shows that the program ran with a TensorFlow older than a version: the
// notebook says so or, where the project declares no version, its README or a script for a shell
// names one.
func (r *Releases) RanOlder(than effects.Version) Evidence {
	if e := r.notebookRanOlder(than); e.Found() || r.versions.TensorFlow.Source != "" {
		return e
	}
	oldest, where := r.program.Mentioned()
	return when(where != "" && oldest.Before(than), fmt.Sprintf("%s names TensorFlow %s", where, oldest), syntax.Node{})
}

// notebookRanOlder returns what shows that a notebook ran with a TensorFlow older than a version. A
// cell installs it, or put out TensorFlow's version by its name, or reads no other version and put
// out one.
func (r *Releases) notebookRanOlder(than effects.Version) Evidence {
	if installed := r.program.Installed.TensorFlow; installed.Before(than) {
		return Evidence{Why: fmt.Sprintf("%s installs TensorFlow %s", installed.Source, installed.Range)}
	}
	for _, g := range r.program.Source.Segments() {
		if g.Printed == "" {
			continue
		}
		found := named.FindAllStringSubmatch(g.Printed, -1)
		if len(found) == 0 && r.readsOnlyTensorFlow(g.Span()) {
			found = version.FindAllStringSubmatch(g.Printed, -1)
		}
		if len(found) == 1 {
			major, _ := strconv.Atoi(found[0][1])
			minor, _ := strconv.Atoi(found[0][2])
			ran := effects.Version{Major: major, Minor: minor}
			return when(ran.Before(than), fmt.Sprintf("a cell has printed TensorFlow %s", ran), syntax.Node{})
		}
	}
	return Evidence{}
}

// readsOnlyTensorFlow reports whether a cell reads TensorFlow's version, and that of no other
// package.
func (r *Releases) readsOnlyTensorFlow(cell source.Span) bool {
	reads, others := false, false
	for s := range r.program.Names.Tree.Statements() {
		if r.program.Source.Segments()[r.program.Source.SegmentAt(s.Start())].Span() != cell {
			continue
		}
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Attribute && strings.Contains(strings.ToLower(n.Child(syntax.FieldAttribute).Text()), "version") {
				ours := strings.HasPrefix(r.program.Names.Qualified(n), "tensorflow.") && !strings.HasPrefix(r.program.Names.Qualified(n), "tensorflow.keras.")
				reads, others = reads || ours, others || !ours
			}
			return true
		})
	}
	return reads && !others
}
