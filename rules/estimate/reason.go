package estimate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Reason is why something is not priced, and the place that is at the bottom of it.
type Reason struct {
	*value.Cause
	// Source is the file's own text, or if Imported is set that of a module that it imports.
	Source   *source.Source
	Span     source.Span
	Imported bool
	// Found is set if the cause has a place of its own. If not, the place is that of what is not
	// priced.
	Found bool
	// Of is the call of which the model itself is not known; none if the model lacks something.
	Of   syntax.Node
	size bool // of data that a price leaves out
	// number is set if what is at the place is to be a number, whatever it may be by itself.
	number bool
	// program is the path of the program that a run would tell more of; "" if none is to be run.
	program string
}

// reason finds the place of a cause.
func reason(file *analyzer.File, why *value.Cause, of syntax.Node) Reason {
	r := Reason{Cause: why, Source: file.Source}
	if of.Valid() {
		if src := file.SourceOf(of); src != nil {
			r.Source, r.Span = src, rule.Callee(of)
		}
	}
	for c := why; c != nil; c = c.From {
		if !c.At.Valid() {
			continue
		}
		if src := file.SourceOf(c.At); src != nil {
			r.Source, r.Span, r.Found = src, rule.Span(c.At), true
		}
	}
	r.Imported = r.Source != file.Source
	if file.Config.Observed == nil && strings.HasSuffix(file.Source.Path, ".py") {
		r.program = file.Source.Path
	}
	r.number = r.Found && isNumber(file, why)
	return r
}

// reasons are the reasons why a model is not priced.
func reasons(file *analyzer.File, a *memory.Assessment) (all []Reason) {
	for _, why := range a.Unresolved {
		all = append(all, reason(file, why, a.Model.Node))
	}
	return all
}

// Where says where a reason is, for who reads a text: "line 12", "cell 3, line 2",
// "data.py, line 12".
func (r Reason) Where() string {
	p := r.Source.Place(r.Span)
	g := &r.Source.Segments()[p.Segment]
	where := fmt.Sprintf("line %d", 1+g.Lines().Position(p.Span.Start, source.UTF32).Line)
	if g.Cell > 0 {
		where = fmt.Sprintf("cell %d, %s", g.Cell, where)
	}
	if r.Imported {
		where = path.Base(strings.ReplaceAll(r.Source.Path, `\`, "/")) + ", " + where
	}
	return where
}

// Quote is the text at the place of a reason: its first line, and not all of a long one.
func (r Reason) Quote() string {
	text, _, more := strings.Cut(r.Source.Slice(r.Span), "\n")
	if len(text) > longestQuote {
		text, more = strings.ToValidUTF8(text[:longestQuote], ""), true
	}
	if text = strings.TrimSpace(text); more {
		text += "…"
	}
	return text
}

// longestQuote is how much of a line is quoted, in bytes.
const longestQuote = 60

// Lacking returns the reasons at an offset, each with what it keeps from being priced: the name of
// a model, or the method of a call on one that is not known. Those of the smallest place come
// first.
func (f *File) Lacking(offset int) (found []Lack) {
	seen := map[*value.Cause]bool{}
	add := func(r Reason, what string) {
		if r.Found && !r.Imported && !seen[r.Cause] && r.Span.Start <= offset && offset <= r.Span.End {
			seen[r.Cause] = true
			found = append(found, Lack{r, what})
		}
	}
	for _, m := range f.Models {
		for _, r := range m.Reasons {
			add(r, m.Name)
		}
	}
	for _, c := range f.Calls {
		if c.Why != nil {
			add(*c.Why, c.Method)
		}
	}
	slices.SortStableFunc(found, func(a, b Lack) int { return a.Span.Len() - b.Span.Len() })
	return found
}

// A Lack is a reason, with what it keeps from being priced.
type Lack struct {
	Reason
	Of string
}
