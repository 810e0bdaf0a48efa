package rules

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suppress"
)

// Check runs the selected rules on a file. It returns the findings in source order, without those
// that comments suppress.
func Check(file *analyzer.File, selection Selection) []rule.Finding {
	findings, _ := CheckContext(context.Background(), file, selection) // nothing interrupts it
	return findings
}

// CheckContext is Check, but stops with the error of [analyzer.File.Do] if ctx is done first.
func CheckContext(ctx context.Context, file *analyzer.File, selection Selection) ([]rule.Finding, error) {
	c := &check{file: file, selection: selection}
	return c.do(ctx, analyzer.Unlimited, func() { c.run(c.quick()) })
}

// Quick is Check without the rules that price models. rest is the remaining part of the check, or
// nil if no such rule may find something. The error is that of [CheckContext].
func Quick(ctx context.Context, file *analyzer.File, selection Selection) (findings []rule.Finding, rest *Rest, err error) {
	c := &check{file: file, selection: selection}
	var priced []*rule.Rule
	if findings, err = c.do(ctx, analyzer.Unlimited, func() { priced = c.quick() }); err != nil {
		return nil, nil, err
	}
	if len(priced) > 0 {
		rest = &Rest{c, priced}
	}
	return findings, rest, nil
}

// Unparsed runs only the rules that are about text that does not parse. It asks for no facts.
func Unparsed(file *analyzer.File, selection Selection) []rule.Finding {
	c := &check{file: file, selection: selection}
	c.run(slices.DeleteFunc(slices.Clone(All), func(r *rule.Rule) bool { return !r.Syntax || !selection.Enabled(r) }))
	return c.findings()
}

// Rest is the part of a check that Quick has left.
type Rest struct {
	begun  *check
	priced []*rule.Rule
}

// Check runs the rules that price models, and returns what [Check] does: the findings of all rules.
// The error is that of [analyzer.File.DoWithin].
func (r *Rest) Check(ctx context.Context, steps int) ([]rule.Finding, error) {
	c := *r.begun
	c.found = slices.Clone(c.found)
	return c.do(ctx, steps, func() { c.run(r.priced) })
}

// A check is the check of one file. Its methods must run within [analyzer.File.Do].
type check struct {
	file      *analyzer.File
	selection Selection
	found     []rule.Finding // in order of the rules, before comments are considered
	whole     bool           // no rule is left to run
	foreign   bool           // it does not use TensorFlow, and its comments are not read
}

// do runs rules, and returns the findings so far.
func (c *check) do(ctx context.Context, steps int, run func()) (findings []rule.Finding, err error) {
	use := func() {
		run()
		findings = c.findings()
	}
	if !c.file.Relevant() { // its analysis is not needed
		use()
	} else if err = c.file.DoWithin(ctx, steps, use); err != nil {
		return nil, err
	}
	return findings, nil
}

// quick runs the rules that price no models. It returns the remaining ones that may find something
// in the file.
func (c *check) quick() (priced []*rule.Rule) {
	var quick []*rule.Rule
	switch {
	case c.file.Unread != "":
		if c.selection.Enabled(NotAnalysed) {
			quick = append(quick, NotAnalysed)
		}
	case !c.file.Relevant():
	case c.file.Foreign() && c.file.Tree.HasErrors():
		if c.selection.Enabled(InvalidSyntax) {
			quick = append(quick, InvalidSyntax)
		}
	case c.file.Foreign():
		c.foreign = true
	default:
		triggered := triggerWords().triggered(c.file.Source.Text())
		failed := slices.ContainsFunc(c.file.Source.Segments(), func(s source.Segment) bool { return s.Failure != nil })
		for _, r := range All {
			switch {
			case r.Check == nil || !c.selection.Enabled(r) || r.Failed && !failed || r.Triggers != nil && !triggered[r] && !(r.Imported && c.file.Names().Connected()) &&
				!(r == InvalidHint && (c.file.Config.Assume != nil || c.file.Config.Observed != nil)):
			case r.Priced:
				priced = append(priced, r)
			default:
				quick = append(quick, r)
			}
		}
	}
	c.run(quick)
	c.whole = len(priced) == 0
	return priced
}

// run runs the remaining rules, unless the check is cancelled.
func (c *check) run(rules []*rule.Rule) {
	before := len(c.found)
	for _, r := range rules {
		spent, failed := rule.Run(r, c.file, &c.found)
		if c.file.Step(0) != nil {
			return
		}
		if (spent != nil || failed != nil) && c.selection.Enabled(NotAnalysed) {
			c.found = append(c.found, unfinished(c.file, r, spent, failed))
		}
	}
	if (c.file.FlowCut() != nil || c.file.Cut() != nil || len(budget.Bugs(c.file)) > 0) && c.selection.Enabled(NotAnalysed) {
		var cuts []rule.Finding
		rule.Run(NotAnalysed, c.file, &cuts)
		for _, cut := range cuts {
			// A cut that the quick rules met first is reported already.
			if !slices.ContainsFunc(c.found, func(f rule.Finding) bool { return f.Rule == NotAnalysed && f.Message == cut.Message }) {
				c.found = append(c.found, cut)
			}
		}
	}
	c.settle(c.found[before:])
	c.whole = true
}

// settle gives findings the severities of the settings, makes their texts printable, and removes
// fixes that cannot be made.
func (c *check) settle(findings []rule.Finding) {
	c.selection.regrade(findings)
	c.selection.unfix(findings)
	makeable := map[*source.Edit]bool{} // by the first edit of a fix, because findings may share a fix
	for i := range findings {
		f := &findings[i]
		printable(&f.Message)
		for j := range f.Fixes {
			printable(&f.Fixes[j].Message)
		}
		for j := range f.Related {
			printable(&f.Related[j].Message)
		}
		f.Fixes = slices.DeleteFunc(f.Fixes, func(fix rule.Fix) bool {
			if len(fix.Edits) == 0 {
				return false
			}
			ok, known := makeable[&fix.Edits[0]]
			if !known {
				ok = c.makeable(fix)
				makeable[&fix.Edits[0]] = ok
			}
			return !ok
		})
	}
}

// printable makes a text printable. It does not write to one that already is, which may be shared.
func printable(text *string) {
	if shown := source.Printable(*text); shown != *text {
		*text = shown
	}
}

// findings returns the findings of the rules that ran, in source order, without those that comments
// suppress.
func (c *check) findings() []rule.Finding {
	findings := slices.Clone(c.found)
	if !c.selection.IgnoreComments && !c.foreign {
		// Whether a comment is of use is only known when all rules have run.
		runs := func(r *rule.Rule) bool {
			return c.selection.Enabled(r) && (c.whole || !r.Priced)
		}
		findings = suppress.Apply(c.file, findings, All, runs)
		c.settle(findings)
	}
	relate(findings)
	return Sorted(findings)
}

// relate relates findings to those that may be their causes, and offers the fixes of these there.
func relate(findings []rule.Finding) {
	for i := range findings {
		f := &findings[i]
		for _, code := range f.Causes {
			for j := range findings {
				cause := &findings[j]
				if cause.Rule.Code != code {
					continue
				}
				claim, _, _ := strings.Cut(cause.Message, ". ")
				f.Related = append(slices.Clip(f.Related), rule.Related{Span: cause.Span, Message: "a possible cause (" + code + "): " + strings.TrimSuffix(claim, ".")})
				if len(cause.Fixes) > 0 {
					cause.FixesAt = append(slices.Clip(cause.FixesAt), f.Span)
				}
			}
		}
	}
}

// Sorted sorts findings by their places.
func Sorted(findings []rule.Finding) []rule.Finding {
	sort.SliceStable(findings, func(i, j int) bool { return Compare(&findings[i], &findings[j]) < 0 })
	return findings
}

// Compare is negative if a comes before b in that order.
func Compare(a, b *rule.Finding) int {
	return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Rule.Code, b.Rule.Code))
}

// makeable reports whether a fix can be made in the original text. Some of the analysed text may
// stand for another, such as a notebook's magics. Nothing is moved across code that does not parse:
// what runs between the two places is not known, and may be one side of a merge conflict.
func (c *check) makeable(fix rule.Fix) bool {
	return !slices.ContainsFunc(fix.Edits, func(e source.Edit) bool { return !c.file.Source.Editable(e) }) &&
		(len(fix.Edits) == 1 || !c.file.Tree.HasErrors() || !c.broken(fix))
}

// broken reports whether a statement does not parse that stands at, or between, the edits of a fix.
func (c *check) broken(fix rule.Fix) bool {
	from, to := fix.Edits[0].Span.Start, fix.Edits[0].Span.End
	for _, e := range fix.Edits {
		from, to = min(from, e.Span.Start), max(to, e.Span.End)
	}
	for s := range c.file.Tree.Statements() {
		if s.HasError() && s.End() > from && s.Start() < to {
			return true
		}
	}
	return false
}
