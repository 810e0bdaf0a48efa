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

// TestPairs makes any two fixes of one case together, of all rules, where they do not touch the
// same place. The result is as right as that of each alone: it parses, has no finding that
// neither has, no more of a rule's than the two bring or leave, and to mend what is left comes to
// an end. testdata/rules/pairs.py runs under TensorFlow what can run.
func TestPairs(t *testing.T) {
	all := Selection{Select: []string{"ALL"}}
	pairs := 0
	for _, r := range checked() {
		for _, path := range cases.Sample(t, programs(t, r), 6) {
			name := r.Code + "/" + strings.TrimSuffix(filepath.Base(path), ".py")
			file := analyze(source.New(filepath.Base(path), read(t, path)))
			findings := Check(file, all)
			var fixes []chosen
			for _, f := range findings {
				for _, fix := range f.Fixes {
					if fix.Applicability > rule.Display && len(fix.Edits) > 0 {
						fixes = append(fixes, chosen{f, fix.Edits})
					}
				}
			}
			before := map[string]int{}
			for _, f := range findings {
				before[f.Rule.Code]++
			}
			alone := make([]map[string]int, len(fixes))
			write := func(as, text string) {
				if *pairsFolder != "" {
					if err := os.WriteFile(filepath.Join(*pairsFolder, strings.ReplaceAll(name, "/", ".")+as+".py"), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			found := func(edits []source.Edit, as string) (*analyzer.File, map[string]int) {
				src, err := file.Source.Edited(edits)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return nil, nil
				}
				made := analyze(src)
				if made.Tree.HasErrors() && !file.Tree.HasErrors() {
					t.Errorf("%s: it does not parse:\n%s", name, src.Text())
				}
				write(as, src.Text())
				codes := map[string]int{}
				for _, f := range Check(made, all) {
					codes[f.Rule.Code]++
				}
				return made, codes
			}
			for i, one := range fixes {
				for j, other := range fixes[:i] {
					if one.finding.Rule == other.finding.Rule && one.finding.Span == other.finding.Span || touches(one.edits, other.edits) {
						continue
					}
					pairs++
					for _, k := range []int{i, j} {
						if alone[k] == nil {
							_, alone[k] = found(fixes[k].edits, fmt.Sprintf(".%d", k))
						}
					}
					made, codes := found(slices.Concat(one.edits, other.edits), fmt.Sprintf(".%d.%d", j, i))
					if made == nil {
						continue
					}
					for code, n := range codes {
						if n > max(alone[i][code], alone[j][code], alone[i][code]+alone[j][code]-before[code]) {
							t.Errorf("%s: %s and %s together bring %s:\n%s", name, one.finding.Rule.Code, other.finding.Rule.Code, code, made.Source.Text())
						}
					}
					mended := mend(t, made, all, rule.Safe)
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
