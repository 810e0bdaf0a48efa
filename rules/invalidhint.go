package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suggest"
)

// InvalidHint is TFM004.
var InvalidHint = &rule.Rule{
	Code: "TFM004", Name: "invalid-hint", Severity: rule.Error,
	Summary: "A comment for tfmem contradicts the program, or means nothing.",
	What: `
Checks the comments that tell tfmem what only a run would: "# tfmem: value=8000",
"# tfmem: shape=(None, 30)", "# tfmem: columns=30" and "# tfmem: rows=1000" on
the line of an assignment or a return, and "# tfmem: units=64, x.shape=(None,
30)" in the header of a function, for its parameters. Of a dataset the shape is
that of a batch. Reports those that cannot
be understood, that stand where there is no such value, and that differ from
what the program says itself. Also reports where the program contradicts what
the settings assume, and what they assume of a line or an expression that the
file does not have. What they assume of an expression of any file is a warning at
the end of a check of all files, if none has it. Where a run told another shape of
an array or a table than the program says, that is a warning.`,
	Why: `
The estimate takes such a comment as it is. One that is wrong makes the figures
wrong, and one that means nothing leaves them unknown.`,
	Bad: `
from tensorflow import keras

features = 12  # tfmem: value=30
model = keras.Sequential([keras.Input((features,)), keras.layers.Dense(1)])
`,
	Good: `
from tensorflow import keras

features = 12
model = keras.Sequential([keras.Input((features,)), keras.layers.Dense(1)])
`,
	Limitations: `
Whether a value that only a run would tell is the right one cannot be checked.
A comment about a value that is known within bounds only is taken.`,
	References: []rule.Reference{
		{Title: "tfmem: values known only at run time", URL: "https://github.com/tfmem/tfmem/blob/main/rules/ESTIMATE.md"},
	},
	Triggers: []string{"tfmem"},
	Priced:   true,
	Check:    checkHints,
}

func checkHints(p *rule.Pass) {
	if p.File.Config.Observed != nil {
		checkObserved(p)
	}
	comments, assumed := hints.Of(p.File.Tree), p.File.Config.Assume
	if comments == nil && assumed == nil {
		return
	}
	settings := assumed.About(p.File.Names().Path)
	about, written := subjects(p, comments, settings)
	if comments != nil {
		for _, m := range comments.Wrong {
			p.Report(rule.Finding{Span: m.Span, Message: "tfmem does not understand this comment. " + strings.ToUpper(m.Why[:1]) + m.Why[1:] + "."})
		}
		for _, h := range comments.All {
			if !about[h] {
				p.Report(rule.Finding{Span: h.Span, Message: aimless(h)})
			}
		}
	}
	for _, h := range settings {
		if !about[h] {
			p.Report(unwritten(p, h, written))
		}
	}
	for _, h := range p.File.Models().Hints {
		if h.Wrong == "" || h.At.Tree() != p.File.Tree {
			continue
		}
		if h.From != "" {
			p.Report(rule.Finding{Span: rule.Span(h.At), Message: fmt.Sprintf("%s of %q contradicts the program. %s It stands in %s.", h, h.Of, h.Wrong, h.From)})
			continue
		}
		p.Report(rule.Finding{Span: h.Span, Message: fmt.Sprintf("%s contradicts the program. %s", h, h.Wrong)})
	}
}

// checkObserved reports what a run told and the program says otherwise. Whether the text or the run is
// to be believed a person must find out, so that it is no error.
func checkObserved(p *rule.Pass) {
	for _, o := range p.File.Models().Observed {
		if o.Wrong != "" && o.At.Tree() == p.File.Tree {
			p.ReportAs(rule.Warning, rule.Finding{Span: rule.Span(o.At), Message: fmt.Sprintf("What a run told of %s contradicts the program. %s In %s it was %s. Run tfmem probe again.", o.What, o.Wrong, p.File.Config.Observed.Run(), o.Said)})
		}
	}
}

// subjects are the hints, of comments and of the settings about this file, that stand where there is
// something that they can be about. Where the settings are about this file, written are the
// expressions in it that are not much longer than those they name.
func subjects(p *rule.Pass, comments *hints.Comments, settings []*hints.Hint) (about map[*hints.Hint]bool, written map[string]bool) {
	about, written = map[*hints.Hint]bool{}, map[string]bool{}
	named, longest := map[string][]*hints.Hint{}, 0
	for _, h := range settings {
		_, name := h.Subject()
		named[name], longest = append(named[name], h), max(longest, 2*len(name))
	}
	lines := source.NewLines(p.File.Tree.Text())
	found := func(name string) {
		for _, h := range named[name] {
			about[h] = true
		}
	}
	visit := func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Assignment, syntax.ReturnStatement:
			for _, h := range comments.On(n) {
				about[h] = about[h] || h.Of == ""
			}
			if settings != nil {
				found(strconv.Itoa(1 + lines.Line(n.Start())))
				found(n.Child(syntax.FieldLeft).Text())
			}
		case syntax.FunctionDefinition:
			f := p.File.Names().FunctionAt(n)
			if f == nil {
				break
			}
			for _, h := range comments.InHeader(n) {
				for _, parameter := range f.Params {
					about[h] = about[h] || h.Of == parameter.Name
				}
			}
		case syntax.Identifier, syntax.Attribute, syntax.Subscript, syntax.Call:
			if text := n.Text(); len(text) <= longest {
				found(text)
				written[text] = true
			}
		}
		return true
	}
	for s := range p.File.Tree.Statements() {
		s.Walk(visit)
	}
	return about, written
}

// unwritten says of what the settings assume about this file that it is about nothing.
func unwritten(p *rule.Pass, h *hints.Hint, written map[string]bool) rule.Finding {
	_, name := h.Subject()
	n, err := strconv.Atoi(name)
	lines := source.NewLines(p.File.Tree.Text())
	switch {
	case err != nil:
		near := suggest.DidYouMean(name, slices.Sorted(maps.Keys(written)))
		return rule.Finding{Message: fmt.Sprintf("Nothing here is called %q, of which %s is said%s It stands in %s.", name, h, cmp.Or(near, "."), h.From)}
	case n < 1 || n > lines.Count():
		return rule.Finding{Message: fmt.Sprintf("There is no line %s, of which %s is said. It stands in %s.", name, h, h.From)}
	}
	return rule.Finding{Span: lines.Span(n - 1), Message: fmt.Sprintf("Line %s neither assigns nor returns, and %s is said of it. It stands in %s.", name, h, h.From)}
}

// aimless says why a hint is about nothing.
func aimless(h *hints.Hint) string {
	if h.Of == "" {
		return "This comment is about nothing: its line neither ends an assignment nor a return."
	}
	var kinds []string
	for _, k := range hints.Kinds {
		kinds = append(kinds, string(k))
	}
	if near := suggest.DidYouMean(h.Of, kinds); near != "" && !slices.Contains(kinds, h.Of) {
		return fmt.Sprintf("There is nothing called %s%s", h.Of, near)
	}
	return fmt.Sprintf("No parameter on this line is called %s. Of an assignment or a return, say value, shape, columns or rows.", h.Of)
}
