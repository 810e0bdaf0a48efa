// Package rewrite holds the changes that tfmem offers where nothing is wrong: what a person would
// otherwise copy from a guide, to train with less memory or to see where it goes.
//
// A rewrite is a value with its documentation beside its check, like a rule. It is offered only
// where it surely applies; everywhere else it says why not. It never reads or writes files, and
// knows neither the command line nor LSP.
package rewrite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// All are the rewrites, in the order in which they are offered.
var All = []*Rewrite{
	AccumulateGradients,
	ProfileLoop,
	PrintPeakMemory,
	MirroredStrategy,
	OwnProcess,
	CudaMallocAsync,
}

// A Rewrite is one change that may be offered.
type Rewrite struct {
	Name    string // "profile-loop", its name on the command line
	Title   string // imperative, as an editor shows it
	What    string // what it inserts, and where it is offered
	Changes string // what it may change in the program, its memory and its speed

	// Before and After are an example: the rewrite, requested at the line of Before that ends in
	// Here, gives After.
	Before, After string

	// Triggers are words. A text without any of them is skipped.
	Triggers []string

	// Check returns the change at a place. Its error says why there is none, as a clause that
	// begins in lower case.
	Check func(*Place) (Change, error)
}

// Here marks the place of a rewrite in an example and in a case.
const Here = "  # <- here"

// A Place is where a rewrite is requested: a span of a file's joined text, empty for a
// cursor.
type Place struct {
	*rule.Pass
	Span source.Span
}

// A Change is the result of a rewrite in a file.
type Change struct {
	Title  string // if it says more than the rewrite's own
	Edits  []source.Edit
	Module *Module // a file that must not be there yet; nil for none
}

// An Offer is a rewrite and its change at a place.
type Offer struct {
	*Rewrite
	Change
}

// Lookup finds a rewrite by its name, in any letter case, or returns nil.
func Lookup(name string) *Rewrite {
	for _, r := range All {
		if strings.EqualFold(r.Name, name) {
			return r
		}
	}
	return nil
}

// Names returns the names of all rewrites.
func Names() []string {
	var names []string
	for _, r := range All {
		names = append(names, r.Name)
	}
	return names
}

// Offers returns the rewrites that are possible at a span of a file. Their changes are not yet
// verified: that takes a parse of the whole text for each, and an editor asks whenever the cursor
// moves.
func Offers(file *analyzer.File, span source.Span) []Offer {
	var offers []Offer
	for _, r := range All {
		if change, err := r.change(file, span); err == nil {
			offers = append(offers, Offer{r, change})
		}
	}
	return offers
}

// Verify returns an error if the file would no longer parse with the change made.
func (c Change) Verify(file *analyzer.File) error {
	edited, err := file.Source.Edited(c.Edits)
	if err != nil {
		return fmt.Errorf("tfmem has a bug: %w", err)
	}
	if syntax.Parse(edited.Text()).Broken() > file.Tree.Broken() || c.Module != nil && syntax.Parse(c.Module.Text).HasErrors() {
		return errors.New("tfmem has a bug: the code would no longer parse")
	}
	return nil
}

// Make returns the verified change of the rewrite at a span of a file. The error says why there is
// none.
func (r *Rewrite) Make(file *analyzer.File, span source.Span) (Change, error) {
	change, err := r.change(file, span)
	if err == nil {
		err = change.Verify(file)
	}
	if err != nil {
		return Change{}, err
	}
	return change, nil
}

// change is Make without the verification.
func (r *Rewrite) change(file *analyzer.File, span source.Span) (Change, error) {
	switch {
	case file.Unread != "":
		return Change{}, errors.New(file.Unread)
	case !file.Relevant():
		return Change{}, errors.New("the file does not use TensorFlow")
	case !r.triggered(file.Source.Text()):
		return Change{}, fmt.Errorf("the file holds none of %s", strings.Join(r.Triggers, ", "))
	}
	var change Change
	var err error
	if failed := file.Do(context.Background(), func() { change, err = r.make(file, span) }); failed != nil {
		return Change{}, failed
	}
	return change, err
}

func (r *Rewrite) make(file *analyzer.File, span source.Span) (Change, error) {
	if file.Foreign() {
		return Change{}, errors.New("the file runs Keras on a backend other than TensorFlow")
	}
	place := &Place{Pass: &rule.Pass{File: file}, Span: span}
	if !place.node().Valid() {
		return Change{}, errors.New("there is no code here, or more than one statement")
	}
	change, err := r.Check(place)
	if err != nil {
		return Change{}, err
	}
	change.Edits = joined(change.Edits)
	if _, err := file.Source.Edited(change.Edits); errors.Is(err, source.ErrMasked) {
		return Change{}, errors.New("the edit would change a magic of the notebook")
	}
	if change.Title = source.Printable(change.Title); change.Title == "" {
		change.Title = r.Title
	}
	return change, nil
}

// joined sorts edits and merges insertions at the same place: not every editor keeps the order of
// several.
func joined(edits []source.Edit) []source.Edit {
	slices.SortStableFunc(edits, func(a, b source.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	var out []source.Edit
	for _, e := range edits {
		if n := len(out); n > 0 && out[n-1].Span.End == e.Span.Start {
			out[n-1].Span.End, out[n-1].New = e.Span.End, out[n-1].New+e.New
			continue
		}
		out = append(out, e)
	}
	return out
}

func (r *Rewrite) triggered(text string) bool {
	for _, word := range r.Triggers {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// Markdown returns the rewrite's documentation.
func (r *Rewrite) Markdown() string {
	text := strings.TrimSpace
	return fmt.Sprintf("# %s\n\n%s.\n\n## What it does\n%s\n\n## What it may change\n%s\n\n## Example\n```python\n%s\n```\n\nbecomes:\n```python\n%s\n```\n",
		r.Name, r.Title, text(r.What), text(r.Changes), text(r.Before), text(r.After))
}
