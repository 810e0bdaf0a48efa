//go:build ignore

// Creates a rule: its file, a case that fires and one that does not, and its row in rules.go. It
// also updates the table of rules/README.md. From the root of the repository:
//
//	go run rules/new.go TFM499 tape-in-list
//
// The family, a package under rules/, follows from the code; -family names another, or a new one.
// The parts to fill in are empty, and the tests say which they are:
//
//	go test ./rules -run 'TestCases/TFM499|TestExamples/TFM499'
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// families are the packages of the codes, by their first digit.
	families = map[byte]string{'1': "device", '2': "session", '3': "pipeline", '4': "tape", '5': "graph", '6': "budget", '7': "parallel", '8': "run"}

	codeForm   = regexp.MustCompile(`^TFM[0-9]{3}$`)
	nameForm   = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	familyForm = regexp.MustCompile(`^[a-z]+$`)
)

func main() {
	family := flag.String("family", "", "the `package` under rules/, where the code does not say it")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run rules/new.go [-family PACKAGE] TFM499 name-of-the-problem")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *family); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(code, name, family string) error {
	if !codeForm.MatchString(code) {
		return fmt.Errorf("%q is not the code of a rule, such as TFM499", code)
	}
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%q is not a name for a rule: words that name the problem, such as tape-in-list", name)
	}
	if family == "" {
		if family = families[code[3]]; family == "" {
			return fmt.Errorf("the codes TFM%cxx have no family; name its package with -family", code[3])
		}
	}
	if !familyForm.MatchString(family) {
		return fmt.Errorf("%q is not the name of a package", family)
	}
	const list = "rules/rules.go"
	text, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("run this in the root of the repository: %w", err)
	}
	row := family + "." + exported(name)
	text, err = withRow(text, row, code, family)
	if err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	folder := filepath.Join("rules", family)
	_, err = os.Stat(folder)
	files := []struct{ path, text string }{
		{filepath.Join(folder, strings.ToLower(code)+".go"), ruleFile(code, name, family, err != nil)},
		{filepath.Join("testdata", "rules", code, "bad.py"), "import tensorflow as tf\n\nx = 1  # want \"say here, in place of x = 1, what fires, and what the message says\"\n"},
		{filepath.Join("testdata", "rules", code, "good.py"), "import tensorflow as tf\n"},
	}
	for _, f := range files {
		if _, err := os.Stat(f.path); err == nil {
			return fmt.Errorf("%s already exists", f.path)
		}
	}
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(f.path, []byte(f.text), 0o666); err != nil {
			return err
		}
		fmt.Println("wrote", f.path)
	}
	if err := os.WriteFile(list, text, 0o666); err != nil {
		return err
	}
	fmt.Println("added", row, "to", list)
	for _, cmd := range []*exec.Cmd{
		exec.Command("go", "test", "./rules", "-run", "TestIndex", "-update"),
		exec.Command("go", "test", "./rules/settings", "-run", "TestCases|TestSchema", "-update"), // some list all codes
	} {
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("what lists all rules cannot be written: %s: %w\n%s", cmd, err, out)
		}
	}
	fmt.Printf("wrote what lists all rules\n\nFill in %s and the cases; this says what is missing:\n\n\tgo test ./rules -run 'TestCases/%[2]s|TestExamples/%[2]s'\n\nWith -update, it writes the fixed programs beside the cases. Then write the table again:\n\n\tgo test ./rules -run TestIndex -update\n", files[0].path, code)
	return nil
}

// exported returns the Go name of a rule: "tape-in-list" is TapeInList.
func exported(name string) string {
	out := ""
	for word := range strings.SplitSeq(name, "-") {
		switch word {
		case "tf", "gpu", "cuda", "api", "nan":
			out += strings.ToUpper(word)
		default:
			out += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return out
}

// ruleFile returns the file of a rule that finds nothing.
func ruleFile(code, name, family string, first bool) string {
	var b strings.Builder
	if first {
		fmt.Fprintf(&b, "// Package %s holds the rules about .\n", family)
	}
	rule := exported(name)
	fmt.Fprintf(&b, `package %s

import "github.com/tfmem/tfmem/rules/rule"

// %s is %s.
var %[2]s = &rule.Rule{
	Code: %[4]q, Name: %[5]q, Severity: rule.Warning,
	Summary: "",
	What: %[6]s%[6]s,
	Why: %[6]s%[6]s,
	Bad: %[6]s%[6]s,
	Good: %[6]s%[6]s,
	Limitations: %[6]s%[6]s,
	References: nil,
	Triggers: []string{"tensorflow"},
	Check:    check%[2]s,
}

func check%[2]s(p *rule.Pass) {
}
`, family, rule, code, code, name, "`")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(err) // the template is part of this program
	}
	return string(text)
}

// withRow adds a row to the list of rules, in order of the codes.
func withRow(text []byte, row, code, family string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "rules.go", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	codes, err := codesOf()
	if err != nil {
		return nil, err
	}
	if other, ok := codes[row]; ok {
		return nil, fmt.Errorf("%s is %s already", row, other)
	}
	var all *ast.CompositeLit
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == "All" && len(v.Values) == 1 {
			all, _ = v.Values[0].(*ast.CompositeLit)
		}
		return all == nil
	})
	if all == nil {
		return nil, fmt.Errorf("it has no list All")
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	at := offset(all.Rbrace)
	for _, element := range slices.Backward(all.Elts) {
		name := string(text[offset(element.Pos()):offset(element.End())])
		if !strings.Contains(name, ".") {
			name = "rules." + name
		}
		known, ok := codes[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the code of %s is not found", name)
		case known == code:
			return nil, fmt.Errorf("%s is %s already", code, name)
		case known > code:
			at = offset(element.Pos())
		}
	}
	text = slices.Concat(text[:at], []byte(row+",\n"), text[at:])
	path := strconv.Quote("github.com/tfmem/tfmem/rules/" + family)
	if !bytes.Contains(text, []byte(path)) {
		last := file.Imports[len(file.Imports)-1]
		text = slices.Concat(text[:offset(last.End())], []byte("\n"+path), text[offset(last.End()):])
	}
	return format.Source(text) // this sorts the imports too
}

// codesOf returns the codes of all rules, by package and name.
func codesOf() (map[string]string, error) {
	codes := map[string]string{}
	paths, err := filepath.Glob("rules/*/*.go")
	if err != nil {
		return nil, err
	}
	more, err := filepath.Glob("rules/*.go")
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	for _, path := range append(paths, more...) {
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				return true
			}
			pointer, ok := v.Values[0].(*ast.UnaryExpr)
			if !ok {
				return true
			}
			literal, ok := pointer.X.(*ast.CompositeLit)
			if !ok {
				return true
			}
			for _, e := range literal.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && fmt.Sprint(kv.Key) == "Code" {
					if value, ok := kv.Value.(*ast.BasicLit); ok {
						codes[file.Name.Name+"."+v.Names[0].Name], _ = strconv.Unquote(value.Value)
					}
				}
			}
			return true
		})
	}
	return codes, nil
}
