package settings

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestComplete checks what may be typed at a "|" of a settings file. The first choices are given as
// the resulting text, up to the end of the line; "" for none.
func TestComplete(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tfmem.toml", "|", "select = "},
		{"tfmem.toml", "gp|", "select = "},
		{"tfmem.toml", "select = []\nfail-on = 'error'\n|\nignore = []\n", "extend-select = "},
		{"tfmem.toml", "gpu|\ngpu = 'none'\n", "select = "},
		{"tfmem.toml", "sel| = []", "select = []"},
		{"tfmem.toml", "fail-on = |", `fail-on = "error"`},
		{"tfmem.toml", "fail-on = \"w|", `fail-on = "error"`},
		{"tfmem.toml", "fail-on = \"w|arn\" # why", `fail-on = "error" # why`},
		{"tfmem.toml", "fail-on = 'w|'", `fail-on = 'error'`},
		{"tfmem.toml", "select = |", `select = ["TFM1", "TFM601"]`},
		{"tfmem.toml", "select = [|]", `select = ["ALL"]`},
		{"tfmem.toml", "select = [\n  # all\n  \"TFM101\",\n  \"T|\n]\n", `  "ALL"`},
		{"tfmem.toml", "select = []|", ""},
		{"tfmem.toml", "gpu = \"\" |", ""},
		{"tfmem.toml", "# |", ""},
		{"tfmem.toml", "gpu = 'none' # |", ""},
		{"tfmem.toml", "extend = \"|\"", ""},
		{"tfmem.toml", "exclude = [\"|\"]", ""},
		{"tfmem.toml", "colour = \"|\"", ""},
		{"tfmem.toml", "gpu = \"|\"", `gpu = "auto"`},
		{"tfmem.toml", "severity.|", "severity.ALL = "},
		{"tfmem.toml", "[severity]\nTFM1|", "ALL = "},
		{"tfmem.toml", "[severity]\nTFM1 = |", `TFM1 = "error"`},
		{"tfmem.toml", "severity = { TFM101 = \"|", `severity = { TFM101 = "error"`},
		{"tfmem.toml", "severity = { TFM101 = \"off\", |", `severity = { TFM101 = "off", ALL = `},
		{"tfmem.toml", "[per-file-ignores]\n\"tests/**\" = [\"|\"]", `"tests/**" = ["ALL"]`},
		{"tfmem.toml", "[|", "[per-file-ignores]"},
		{"tfmem.toml", "[s|]", "[per-file-ignores]"},
		{"tfmem.toml", "x = = 1\n[severity]\nTFM1 = |", `TFM1 = "error"`},
		{"tfmem.toml", "\ufefffail-on = |", "\ufefffail-on = \"error\""},
		{"pyproject.toml", "|", ""},
		{"pyproject.toml", "[project]\n|", ""},
		{"pyproject.toml", "[project]\nname = \"|\"", ""},
		{"pyproject.toml", "[tool.tfmem]\n|", "select = "},
		{"pyproject.toml", "[tool.tfmem]\n|\n[tool.ruff]\nselect = []\n", "select = "},
		{"pyproject.toml", "[tool.tfmem]\nselect = []\n|\n[tool.ruff]\n", "extend-select = "},
		{"pyproject.toml", "[tool.tfmem]\nselect = [\"|\"]", `select = ["ALL"]`},
		{"pyproject.toml", "[tool]\ntfmem.gpu = \"|\"", `tfmem.gpu = "auto"`},
		{"pyproject.toml", "[tool.t|", "[tool.tfmem]"},
		{"pyproject.toml", "[tool.tfmem.severity]\nTFM1 = \"|\"", `TFM1 = "error"`},
		{"pyproject.toml", "[tool.ruff]\nselect = [\"|\"]", ""},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		choices, start, end := Complete(c.name, []byte(before+after), len(before), nil)
		got := ""
		if len(choices) > 0 {
			text := before + after
			got = text[strings.LastIndexByte(text[:start], '\n')+1:start] + choices[0].Text + text[end:]
			got, _, _ = strings.Cut(got, "\n")
			if got == "" {
				got = text[:start] + choices[0].Text
			}
		}
		if got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
	choices, _, _ := Complete("tfmem.toml", []byte("gpu = \"\""), 7, []string{"Probe 8000"})
	if !slices.ContainsFunc(choices, func(c Choice) bool { return c.Text == "Probe 8000" }) {
		t.Error("the names of GPUs are not offered")
	}
}

// TestExplain checks the documentation of what is at a "|".
func TestExplain(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tfmem.toml", "gp|u = 'none'", "**gpu**"},
		{"tfmem.toml", "[sev|erity]\nTFM1 = 'off'", "**severity**"},
		{"tfmem.toml", "[severity]\nTFM10|1 = 'off'", "# missing-memory-growth"},
		{"tfmem.toml", "severity.TF|M101 = 'off'", "# missing-memory-growth"},
		{"tfmem.toml", "sev|erity.TFM101 = 'off'", "**severity**"},
		{"tfmem.toml", "select = ['TFM601', 'TFM1|01']", "# missing-memory-growth"},
		{"tfmem.toml", "select = ['TFM|1']", ""},
		{"tfmem.toml", "colo|ur = 1", ""},
		{"pyproject.toml", "[tool.tfmem]\ngpu| = 'none'", "**gpu**"},
		{"pyproject.toml", "[tool.ruff]\nsel|ect = []", ""},
		{"pyproject.toml", "[tool.ruff]\nselect = ['TFM1|01']", ""},
	} {
		before, after, _ := strings.Cut(c.text, "|")
		markdown, start, end, ok := Explain(c.name, []byte(before+after), len(before))
		if ok != (c.want != "") || !strings.HasPrefix(markdown, c.want) {
			t.Errorf("%s %q: got %.30q, want %q", c.name, c.text, markdown, c.want)
		}
		if ok && (start > len(before) || end < len(before)) {
			t.Errorf("%s %q: the word is %d to %d", c.name, c.text, start, end)
		}
	}
}

// TestCheck checks all mistakes of a file, in order, each with its subject.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tfmem.toml", "gpu = 'none'\n", ""},
		{"tfmem.toml", "selekt = []\nfail-on = \"eror\"\nseverity.TFM999 = 'off'\n", `selekt: unknown key "selekt"; did you mean select?
"eror": fail-on: "eror" is not one of error, warning, information or hint; did you mean error?
TFM999: severity: there is no rule TFM999; did you mean TFM109?
`},
		{"tfmem.toml", "gpu = \n", "?"},
		{"tfmem.toml", "\ufeffcolor = 1\n", "?color"},
		{"tfmem.toml", "extend = 'none.toml'\n", "extend: extend: cannot read none.toml: file does not exist\n"},
		{"tfmem.toml", "extend = 'base.toml'\n", "extend: extend: base.toml:1:1: unknown key \"x\"; the keys are"},
		{"pyproject.toml", "[project]\nname = \n[tool.tfmem]\n", ""},
		{"pyproject.toml", "[tool.tfmem]\ngpu = \n", "?"},
		{"pyproject.toml", "[tool.ruff]\nselekt = []\n", ""},
		{"pyproject.toml", "[tool.tfmem]\nselekt = []\n", "selekt: unknown key"},
	} {
		f := finder([]txtar.File{{Name: "base.toml", Data: []byte("x = 1\n")}})
		var got strings.Builder
		for _, m := range f.Check(filepath.Join(root, c.name), []byte(c.text)) {
			fmt.Fprintf(&got, "%s: %v\n", c.text[m.Offset:m.End], m.Err)
			if m.Offset > m.End {
				t.Errorf("%q: it ends before it begins", c.text)
			}
		}
		switch want, any := strings.CutPrefix(c.want, "?"); {
		case any && (got.Len() == 0 || !strings.HasPrefix(got.String(), want)), !any && !strings.HasPrefix(got.String(), want), want == "" && !any && got.Len() > 0:
			t.Errorf("%s %q: got\n%s, want\n%s", c.name, c.text, got.String(), c.want)
		}
	}
}

// FuzzComplete checks that there is an answer at each place of any file.
func FuzzComplete(f *testing.F) {
	f.Add("[tool.tfmem]\nselect = [\"TFM1\"]\nseverity = { TFM1 = 'off' }\n", 20)
	f.Add("a.\"b\".c = [[{x = 1}, 2], '", 9)
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = min(max(at, 0), len(text))
		for _, name := range Names {
			choices, start, end := Complete(name, []byte(text), at, nil)
			if start < 0 || start > at || end < at || end > len(text) {
				t.Errorf("%q at %d: %d choices for %d to %d", text, at, len(choices), start, end)
			}
			if _, start, end, ok := Explain(name, []byte(text), at); ok && (start > at || end < at || end > len(text)) {
				t.Errorf("%q at %d: explained from %d to %d", text, at, start, end)
			}
		}
	})
}
