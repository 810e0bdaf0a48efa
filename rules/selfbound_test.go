package rules

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/source"
)

// An assignment of one line, to a name or an attribute.
var assigned = regexp.MustCompile(`(?m)^([ \t]*)([A-Za-z_][\w.]*) = ([^\n]*[^\n\[({,\\])$`)

// selfBound are ways to give NAME a value that leads back to it, directly or through OTHER, in place
// of an assignment of VALUE.
var selfBound = append(values("", "NAME", "-NAME", "NAME * 0.9", "f(NAME)", "NAME[1:]", "[NAME]", "max(0.1, NAME)", "NAME if f() else None", "NAME.batch(8)",
	"(NAME, NAME)", "OTHER", "f(OTHER)", "OTHER if f() else None", "[NAME for NAME in NAME]", "lambda: NAME"),
	"NAME = VALUE\nOTHER = NAME\nfor held in range(3):\n    NAME = OTHER\n    OTHER = NAME",
	"NAME = VALUE\nfor held in range(NAME):\n    NAME = NAME + OTHER\n    OTHER = NAME - OTHER",
	"while True:\n    if held == 1:\n        NAME = NAME * 2\n    if held == 2:\n        NAME = OTHER if held else NAME\n    OTHER = NAME",
	"def held(v):\n    return held(v) if v else held(NAME)\nNAME = held(OTHER)\nOTHER = held(NAME)",
	"def held():\n    v = held()\n    return v['a'], v\nNAME = held()['a']\nOTHER, NAME = held()",
	"class Held:\n    def __init__(self, v=None):\n        self.v = Held(self).v\n        self.w = self.v or v\nNAME = Held(OTHER).v\nOTHER = Held(NAME).w",
	"def held(f):\n    @held\n    def inner(*args):\n        return f(*args)\n    return inner\n@held\ndef OTHER(x):\n    return NAME\nNAME = OTHER(VALUE)",
	"NAME = VALUE\n"+strings.Repeat("if held:\n    NAME = NAME if held else OTHER\nelse:\n    OTHER = NAME or OTHER\n", 30)+"pass",
	"NAME = VALUE\nif held == 0:\n    NAME = 0\n"+elifs(200)+"else:\n    OTHER = NAME",
	"NAME = VALUE\nfor held in range(100):\n"+strings.Repeat("    if held == 5:\n        NAME = NAME * 0.5\n", 20)+"    pass",
)

func values(all ...string) (forms []string) {
	for _, v := range all {
		if v == "" {
			forms = append(forms, "pass")
		} else {
			forms = append(forms, "NAME = "+v+"\nOTHER = NAME")
		}
	}
	return forms
}

func elifs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "elif held == %d:\n    NAME = NAME + OTHER\n", i+1)
	}
	return b.String()
}

// TestSelfBound makes the value of each assignment of every case one that leads back to the name: no
// rule may follow such names without end, or until the stack is full.
func TestSelfBound(t *testing.T) {
	turns := slices.Collect(slices.Chunk(selfBound, 5))
	for _, r := range checked() {
		for _, path := range cases.Sample(t, programs(t, r), 3) {
			text := read(t, path)
			for i, at := range assigned.FindAllStringSubmatchIndex(text, -1) {
				indent, name, value := text[at[2]:at[3]], text[at[4]:at[5]], text[at[6]:at[7]]
				other := strings.ReplaceAll(name, ".", "_") + "_2"
				for _, form := range slices.Concat(cases.Turn(turns, i)...) {
					lines := strings.NewReplacer("NAME", name, "OTHER", other, "VALUE", value, "\n", "\n"+indent).Replace(form)
					Check(analyze(source.New(filepath.Base(path), text[:at[0]]+indent+lines+text[at[1]:])), alone(r))
				}
			}
		}
	}
}
