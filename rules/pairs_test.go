package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

var pairsFolder = flag.String("pairs", "", "the folder to which TestPairs writes its programs, for testdata/rules/pairs.py")

// A fixed program is the result of one fix in a case.
type fixed struct {
	chosen
	name  string         // of the fix: the rule's code and a number
	codes map[string]int // how many findings of each rule are left
}

// TestPairs makes any two fixes of one case together, of all rules, if they do not touch the same
// place. The result must be as right as that of each alone. It parses, has no finding that neither
// has, has no more findings of a rule than the two bring or leave, and fixing the rest comes to an
// end. testdata/rules/pairs.py runs what can run with TensorFlow.
func TestPairs(t *testing.T) {
	all := Selection{Select: []string{"ALL"}}
	pairs := 0
	for _, r := range checked() {
		for _, path := range cases.Sample(t, programs(t, r), 6) {
			name := r.Code + "/" + strings.TrimSuffix(filepath.Base(path), ".py")
			file := analyze(source.New(filepath.Base(path), read(t, path)))
			findings := Check(file, all)
			before := map[string]int{}
			for _, f := range findings {
				before[f.Rule.Code]++
			}
			write := func(as, text string) {
				if *pairsFolder != "" {
					if err := os.WriteFile(filepath.Join(*pairsFolder, strings.ReplaceAll(name, "/", ".")+as+".py"), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			write("", file.Source.Text())
			made := func(as string, edits ...source.Edit) (*analyzer.File, map[string]int) {
				src, err := file.Source.Edited(edits)
				if err != nil {
					t.Fatalf("%s%s: %v", name, as, err)
				}
				made := analyze(src)
				if made.Tree.HasErrors() && !file.Tree.HasErrors() {
					t.Errorf("%s%s: it does not parse:\n%s", name, as, src.Text())
				}
				write(as, src.Text())
				codes := map[string]int{}
				for _, f := range Check(made, all) {
					codes[f.Rule.Code]++
				}
				return made, codes
			}
			var fixes []fixed
			for _, f := range findings {
				for _, fix := range f.Fixes {
					if fix.Applicability > rule.Display && len(fix.Edits) > 0 && !fix.Apart() {
						as := fmt.Sprintf(".%s-%d", f.Rule.Code, len(fixes))
						_, codes := made(as, fix.Edits...)
						fixes = append(fixes, fixed{chosen{finding: f, edits: fix.Edits}, as, codes})
					}
				}
			}
			for i, one := range fixes {
				for _, other := range fixes[:i] {
					if one.finding.Rule == other.finding.Rule && one.finding.Span == other.finding.Span || touches(one.edits, other.edits) {
						continue
					}
					pairs++
					both, codes := made(other.name+one.name, slices.Concat(one.edits, other.edits)...)
					for code, n := range codes {
						if n > max(one.codes[code], other.codes[code], one.codes[code]+other.codes[code]-before[code]) {
							t.Errorf("%s: %s and %s together bring %s:\n%s", name, one.finding.Rule.Code, other.finding.Rule.Code, code, both.Source.Text())
						}
					}
					mended := mend(t, both, all, rule.Safe)
					if again := mend(t, mended.File, all, rule.Safe); len(again.Applied) > 0 {
						t.Errorf("%s: after %s and %s, mending does not come to an end:\n%s", name, one.finding.Rule.Code, other.finding.Rule.Code, again.File.Source.Text())
					}
				}
			}
		}
	}
	t.Logf("%d pairs", pairs)
	if pairs == 0 {
		t.Error("no case has two fixes")
	}
}
