package suppress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suggest"
)

// UnusedSuppression is TFM001. It is a warning, and so fails a check, as ruff's
// RUF100 and staticcheck's unused directives do: a comment that suppresses
// nothing hides the next finding on its line.
var UnusedSuppression = &rule.Rule{
	Code: "TFM001", Name: "unused-suppression", Severity: rule.Warning,
	Summary: "A comment suppresses a finding that is not there.",
	What: `
Checks for comments that suppress nothing: "# noqa: TFM102", "# tfmem:
ignore[TFM102]", "# tfmem: ignore" and the forms for a whole file, "# tfmem:
ignore-file[TFM102]" and "# tfmem: ignore-file", where the named rules find
nothing. Also checks for codes that no rule has.

A comment for a line applies to findings that start on that line, and to
findings in a statement that ends there. For a compound statement such as with
or def, that is its header, up to the colon.`,
	Why: `
Once the code is fixed, the comment tells readers of a problem that is gone,
and hides the next one on the same line.`,
	Bad: `
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # noqa: TFM102
`,
	Good: `
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
`,
	Priced: true,
	FixSafety: `
Removing the comment, or one code from its list, is safe: the program does not
change, and nothing else is reported. Replacing an unknown code by the nearest
known one is unsafe, because another may be meant. An unknown code is never
removed, because a newer tfmem may know it.`,
	Limitations: `
Only tfmem's own comments and codes that begin with TFM are checked. A bare "#
noqa" and other tools' codes are neither reported nor changed. The rule does
not report comments about rules that did not run, comments about rules that
depend on the GPU (TFM601: a colleague's GPU may be smaller), comments that
list TFM001 itself, or files that do not parse.`,
	References: []rule.Reference{
		{Title: "ruff: error suppression", URL: "https://docs.astral.sh/ruff/linter/#error-suppression"},
	},
}

// unused returns the findings about directives that suppressed nothing.
func unused(f *analyzer.File, directives []directive, all []*rule.Rule, runs func(*rule.Rule) bool) []rule.Finding {
	var out []rule.Finding
	report := func(found rule.Finding) {
		found.Rule, found.Severity = UnusedSuppression, UnusedSuppression.Severity
		out = append(out, found)
	}
	for i := range directives {
		d := &directives[i]
		if d.wrong != "" {
			report(rule.Finding{Span: d.span, Message: "This comment suppresses nothing: " + d.wrong + "."})
			continue
		}
		if !d.listed {
			if d.form != noqa && !d.used && certain(f.Source.Text(), all, runs) {
				report(rule.Finding{
					Span: d.span, Message: "This comment suppresses nothing: tfmem finds nothing " + d.where() + "." + d.advice(f.Source.Text()),
					Tags:  []rule.Tag{rule.Unnecessary},
					Fixes: rule.OneFix("Remove the comment", rule.Safe, d.removal(f)),
				})
			}
			continue
		}
		var idle []int
		for j, c := range d.codes {
			switch {
			case c.rule != nil:
				if !c.used && c.rule != UnusedSuppression && !c.rule.DependsOnGPU && runs(c.rule) {
					idle = append(idle, j)
				}
			case d.form != noqa || strings.HasPrefix(strings.ToUpper(c.text), "TFM"):
				report(d.unknown(c, all))
			}
		}
		if len(idle) > 0 {
			report(d.idle(f, idle))
		}
	}
	return out
}

// certain reports whether a directive that names no rule and suppressed nothing is useless
// everywhere: every rule ran, and none that examined this text depends on the GPU.
func certain(text string, all []*rule.Rule, runs func(*rule.Rule) bool) bool {
	for _, r := range all {
		if !runs(r) {
			return false
		}
		if r.DependsOnGPU && slices.ContainsFunc(r.Triggers, func(w string) bool { return strings.Contains(text, w) }) {
			return false
		}
	}
	return true
}

func (d *directive) where() string {
	if d.form == file {
		return "in this file"
	}
	return "on this line"
}

// advice says what to do about a comment in a place where it does not count.
func (d *directive) advice(text string) string {
	if d.form != file && strings.Trim(text[source.LineStart(text, d.comment.Start):d.comment.Start], " \t\f\ufeff") == "" {
		return " Put it at the end of the line that it is meant for."
	}
	return ""
}

// unknown reports a code that no rule has.
func (d *directive) unknown(c code, all []*rule.Rule) rule.Finding {
	var codes, known []string
	for _, r := range all {
		codes = append(codes, r.Code)
		known = append(known, r.Code, r.Name)
	}
	if d.form == noqa {
		known = codes
	}
	near := suggest.Nearest(c.text, known)
	f := rule.Finding{Span: c.span, Message: fmt.Sprintf("There is no rule %s%s", c.text, suggest.DidYouMean(c.text, known))}
	if near == "" {
		f.Message += "."
		return f
	}
	f.Fixes = rule.OneFix("Change "+c.text+" to "+near, rule.Unsafe, source.Edit{Span: c.span, New: near})
	return f
}

// idle reports codes of rules that found nothing, with a fix that removes them and, if no others
// are left, the comment.
func (d *directive) idle(f *analyzer.File, idle []int) rule.Finding {
	var names []string
	for _, i := range idle {
		names = append(names, d.codes[i].text)
	}
	verb := " is "
	if len(names) > 1 {
		verb = " are "
	}
	found := rule.Finding{
		Message: strings.Join(names, ", ") + verb + "suppressed here, but not found " + d.where() + "." + d.advice(f.Source.Text()),
		Tags:    []rule.Tag{rule.Unnecessary},
	}
	fix := rule.Fix{Message: "Remove " + strings.Join(names, ", ") + " from the comment", Applicability: rule.Safe}
	if len(idle) == len(d.codes) {
		found.Span = d.span
		fix.Message, fix.Edits = "Remove the comment", []source.Edit{d.removal(f)}
	} else {
		found.Span = source.Span{Start: d.codes[idle[0]].span.Start, End: d.codes[idle[len(idle)-1]].span.End}
		fix.Edits = d.shorten(idle)
	}
	found.Fixes = []rule.Fix{fix}
	return found
}

// shorten removes items of a list, each with the separator next to one that stays.
func (d *directive) shorten(idle []int) []source.Edit {
	gone := make([]bool, len(d.codes))
	for _, i := range idle {
		gone[i] = true
	}
	last := len(d.codes) - 1 // the last that stays
	for gone[last] {
		last--
	}
	var edits []source.Edit
	for _, i := range idle {
		span := d.codes[i].span
		if i < last {
			span.End = d.codes[i+1].span.Start
		} else {
			span.Start = d.codes[i-1].span.End
		}
		edits = append(edits, source.Edit{Span: span})
	}
	return edits
}

// removal removes the directive, and as much of its comment as is pointless without it. The words
// around it stay.
func (d *directive) removal(f *analyzer.File) source.Edit {
	text := f.Source.Text()
	before := strings.TrimRight(text[d.comment.Start:d.span.Start], " \t")
	after := strings.TrimLeft(text[d.span.End:d.comment.End], " \t")
	switch {
	case after != "" && strings.HasPrefix(after, "#"):
		return source.Edit{Span: source.Span{Start: d.span.Start, End: d.comment.End - len(after)}}
	case after != "":
		return source.Edit{Span: source.Span{Start: d.span.Start, End: d.comment.End - len(after)}, New: "# "}
	case before != "":
		return source.Edit{Span: source.Span{Start: d.comment.Start + len(before), End: d.comment.End}}
	}
	line := source.LineStart(text, d.comment.Start)
	code := strings.TrimRight(text[line:d.comment.Start], " \t\f")
	if strings.TrimLeft(code, "\ufeff") != "" {
		return source.Edit{Span: source.Span{Start: line + len(code), End: d.comment.End}}
	}
	// The line has nothing else. Its line break stays if it is not the cell's.
	span := source.Span{Start: line + len(code), End: d.comment.End}
	whole := span
	switch {
	case strings.HasPrefix(text[span.End:], "\r\n"):
		whole.End += 2
	case whole.End < len(text):
		whole.End++
	}
	if f.Source.Place(whole).Exact {
		span = whole
	}
	return source.Edit{Span: span}
}
