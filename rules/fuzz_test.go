package rules

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

// FuzzCheck checks that any program has the same findings each time, with places inside it, and
// that the result of all fixes parses if the program did.
func FuzzCheck(f *testing.F) {
	for _, r := range checked() {
		f.Add(read(f, programs(f, r)[0]))
	}
	f.Add("import tensorflow as tf  # why\rtf.Session()\r")
	// The parser takes the keyword argument for a statement of its own.
	f.Add("import tensorflow as tf\na=(lambda y:n(x,0,#\ns=f(per_process_gpu_memory_fraction=0t.(fkeras())")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		all := Selection{Select: []string{"ALL"}}
		file := analyze(source.New("a.py", text))
		findings := Check(file, all)
		if again := Check(analyze(source.New("a.py", text)), all); codes(again) != codes(findings) {
			t.Errorf("%q: %s, then %s", text, codes(findings), codes(again))
		}
		for _, x := range findings {
			if x.Span.Start < 0 || x.Span.End < x.Span.Start || x.Span.End > len(text) {
				t.Errorf("%q: %s is at %v", text, x.Rule.Code, x.Span)
			}
		}
		if fixed := ApplyFixes(file, all, rule.Unsafe, analyze); len(fixed.Failed) > 0 {
			t.Errorf("%q: %v", text, fixed.Failed)
		} else if file.Relevant() && !file.Tree.HasErrors() && fixed.File.Tree.HasErrors() {
			t.Errorf("%q becomes %q", text, fixed.File.Source.Text())
		}
	})
}
