package rules

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
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
	layers(30)+"NAME = held30(VALUE)[0]\nOTHER = held30(NAME)",
	"NAME = [[NAME for OTHER in NAME] for NAME in [OTHER for OTHER in NAME]]\nOTHER = {NAME: NAME for NAME in (NAME for OTHER in NAME)}",
	"NAME = VALUE\ndef held():\n    global NAME\n    NAME = held_too(NAME)\ndef held_too(v):\n    global NAME\n    held()\n    return [NAME, v]\nheld()\nOTHER = held_too(NAME)",
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

// layers returns functions of which each calls the one before it twice.
func layers(n int) string {
	b := strings.Builder{}
	b.WriteString("def held0(v):\n    return [v]\n")
	for i := range n {
		fmt.Fprintf(&b, "def held%d(v):\n    return held%d(v) + held%d(v)\n", i+1, i, i)
	}
	return b.String()
}

// TestSelfBound makes the value of each assignment of every case one that leads back to the name: no
// rule may follow such names without end, or until the stack is full, neither in a check, nor while
// the text is typed, nor in an estimate.
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
					bound := source.New(filepath.Base(path), text[:at[0]]+indent+lines+text[at[1]:])
					Check(analyze(bound), alone(r))
					typed(t, source.New(filepath.Base(path), text), bound, alone(r))
					if i == 0 {
						estimate.Of(analyze(bound), estimate.Options{Others: small})
					}
				}
			}
		}
	}
}

// small are GPUs that an estimate compares with.
var small = []memory.Device{{Name: "a small one", Total: 8 << 30}}

// typed checks a text as the server does after an edit of another.
func typed(t *testing.T, before, after *source.Source, selection Selection) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	document := analyzer.NewDocument()
	defer document.Close()
	for _, s := range []*source.Source{before, after} {
		file := document.Analyze(s, analyzer.Config{})
		_, rest, err := Quick(ctx, file, selection)
		if err == nil && rest != nil {
			_, err = rest.Check(ctx, 20_000) // as lsp does
		}
		if err != nil && !errors.Is(err, analyzer.ErrTooLong) {
			t.Errorf("%s: %v", s.Path, err)
		}
	}
}
