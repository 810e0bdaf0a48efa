package rules

import (
	"errors"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// maxPasses bounds how often a file is analysed and mended again: a fix may
// make way for another, but two fixes that undo each other must come to an end.
const maxPasses = 10

// Fixed is the outcome of mending a file.
type Fixed struct {
	File      *analyzer.File // as it is after the fixes
	Applied   []rule.Finding // mended, each in the text of its own pass
	Remaining []rule.Finding // found in File
}

// ErrFixBreaks is returned where a file parsed before its fixes and would not
// afterwards; nothing must be written then.
var ErrFixBreaks = errors.New("the fixes would leave code that does not parse")

// Mend applies fixes of at least the given applicability until nothing changes.
// analyze makes the file of a changed text.
func Mend(file *analyzer.File, selection Selection, least rule.Applicability, analyze func(*source.Source) *analyzer.File) (Fixed, error) {
	out := Fixed{File: file}
	for range maxPasses {
		out.Remaining = Check(out.File, selection)
		text, applied, err := apply(out.File.Source.Text(), out.Remaining, least)
		if err != nil {
			return Fixed{File: file}, err
		}
		if len(applied) == 0 {
			return out, nil
		}
		next := analyze(source.New(out.File.Source.Path, text))
		if next.Tree.HasErrors() && !out.File.Tree.HasErrors() {
			return Fixed{File: file}, ErrFixBreaks
		}
		out.File = next
		out.Applied = append(out.Applied, applied...)
	}
	out.Remaining = Check(out.File, selection)
	return out, nil
}

// apply makes the first fix of every finding that is applicable enough, leaving
// out those that touch the place of one before.
func apply(text string, findings []rule.Finding, least rule.Applicability) (string, []rule.Finding, error) {
	var edits []source.Edit
	var applied []rule.Finding
	for _, f := range findings {
		for _, fix := range f.Fixes {
			if fix.Applicability < least {
				continue
			}
			if !touches(edits, fix.Edits) {
				edits = append(edits, fix.Edits...)
				applied = append(applied, f)
			}
			break
		}
	}
	if len(applied) == 0 {
		return text, nil, nil
	}
	text, err := source.Apply(text, edits)
	return text, applied, err
}

func touches(made, next []source.Edit) bool {
	for _, a := range made {
		for _, b := range next {
			if a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End {
				return true
			}
		}
	}
	return false
}
