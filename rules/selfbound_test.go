package rules

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/source"
)

// An assignment of one line, to a name or an attribute.
var assigned = regexp.MustCompile(`(?m)^([ \t]*)([A-Za-z_][\w.]*) = [^\n]*[^\n\[({,\\]$`)

// TestSelfBound leaves out the value of each assignment of every case, and makes it one of the name
// itself, or of a second name that has the value of the first: no rule may follow such names without
// end.
func TestSelfBound(t *testing.T) {
	for _, r := range checked() {
		for _, path := range cases.Sample(t, programs(t, r), 3) {
			text := read(t, path)
			for _, at := range assigned.FindAllStringSubmatchIndex(text, -1) {
				indent, name := text[at[2]:at[3]], text[at[4]:at[5]]
				for _, value := range []string{"", "NAME", "NAME * 0.9", "f(NAME)", "NAME[1:]", "[NAME]", "max(0.1, NAME)", "NAME if f() else None", "NAME.batch(8)", "(NAME, NAME)", "OTHER", "f(OTHER)", "OTHER if f() else None"} {
					line := indent + "pass"
					if value != "" {
						line = indent + name + " = " + strings.NewReplacer("NAME", name, "OTHER", name+"_2").Replace(value)
						line += "\n" + indent + name + "_2 = " + name
					}
					Check(analyze(source.New(filepath.Base(path), text[:at[0]]+line+text[at[1]:])), alone(r))
				}
			}
		}
	}
}
