package names_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestSymtable compares the scopes of every Python file below the folder in TFMEM_SYMTABLE, and
// the names bound in each, with those of Python's own symtable, and prints how many agree. Scopes
// agree if they have the same kind and name, start on the same line, and bind the same names.
func TestSymtable(t *testing.T) {
	folder := os.Getenv("TFMEM_SYMTABLE")
	if folder == "" {
		t.Skip("TFMEM_SYMTABLE names no folder of Python files")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("there is no python3 to compare with: %v", err)
	}
	cmd := exec.Command(python, "testdata/scopes.py", folder)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	files, all, agree := 0, 0, 0
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var file struct {
			Path   string
			Scopes [][]any
		}
		if err := json.Unmarshal(line, &file); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file.Path)
		if err != nil || !utf8.Valid(text) {
			continue
		}
		files++
		theirs := make([]string, len(file.Scopes))
		for i, s := range file.Scopes {
			theirs[i] = fmt.Sprintf("%v %v on line %v binds %v", s[0], s[1], s[2], s[3])
		}
		ours := describe(string(text))
		slices.Sort(theirs)
		slices.Sort(ours)
		all += len(theirs)
		missing, extra := differ(theirs, ours), differ(ours, theirs)
		agree += len(theirs) - len(missing)
		if len(missing)+len(extra) > 0 {
			t.Logf("%s\n\tPython: %s\n\there:   %s", file.Path, strings.Join(missing, "\n\t        "), strings.Join(extra, "\n\t        "))
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s testdata/scopes.py %s: %v", python, folder, err)
	}
	if files == 0 {
		t.Fatalf("no file below %s was compared", folder)
	}
	t.Logf("%s: %d of %d scopes in %d files agree (%.4f %%)", folder, agree, all, files, 100*float64(agree)/float64(all))
	if float64(agree) < 0.999*float64(all) {
		t.Error("want 99.9 % at least")
	}
}

// differ returns what a contains more often than b; both are sorted.
func differ(a, b []string) []string {
	var out []string
	count := map[string]int{}
	for _, s := range b {
		count[s]++
	}
	for _, s := range a {
		if count[s]--; count[s] < 0 {
			if len(s) > 300 {
				s = s[:300] + "…"
			}
			out = append(out, s)
		}
	}
	return out
}

// describe formats the scopes of a text as testdata/scopes.py does.
func describe(text string) []string {
	in := names.Resolve(syntax.Parse(text), nothing{}, nil)
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			starts = append(starts, i+1)
		}
	}
	line := func(offset int) int {
		i, found := slices.BinarySearch(starts, offset)
		if found {
			i++
		}
		return i
	}
	var out []string
	for _, s := range scopes(in) {
		kind, name, at := "module", "top", 0
		if s.Node.Valid() {
			at = line(s.Node.Start())
		}
		switch s.Kind {
		case names.FunctionScope:
			kind, name = "function", s.Func.Name
		case names.LambdaScope:
			kind, name = "lambda", "lambda"
		case names.ClassScope:
			kind, name = "class", s.Class.Name
		case names.ComprehensionScope:
			kind, name = "comprehension", map[syntax.Kind]string{
				syntax.ListComprehension: "listcomp", syntax.SetComprehension: "setcomp",
				syntax.DictionaryComprehension: "dictcomp", syntax.GeneratorExpression: "genexpr",
			}[s.Node.Kind()]
		}
		bound := []string{}
		for _, n := range s.Names() {
			if slices.ContainsFunc(s.Bindings(n), func(b *names.Binding) bool { return bindsHere(in, s, b) }) {
				bound = append(bound, n)
			}
		}
		out = append(out, fmt.Sprintf("%s %s on line %d binds %v", kind, name, at, bound))
	}
	return out
}

// bindsHere reports whether a binding of a scope stands in the scope itself, and not in another
// one under global or nonlocal.
func bindsHere(in *names.Info, s *names.Scope, b *names.Binding) bool {
	if b.Kind == names.ParameterBinding || s.Kind == names.ComprehensionScope {
		return true
	}
	home := in.ScopeOf(b.Node)
	for home.Kind == names.ComprehensionScope { // a walrus binds in the enclosing scope
		home = home.Parent
	}
	return home == s
}

// nothing is a library that knows no name.
type nothing struct{}

func (nothing) Canonical(name string) string         { return name }
func (nothing) Returns(string) string                { return "" }
func (nothing) Base(string) string                   { return "" }
func (nothing) Exports(string, string) bool          { return false }
func (nothing) Has(string, string) (has, known bool) { return false, false }
