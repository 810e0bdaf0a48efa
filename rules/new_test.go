package rules

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNew creates rules with new.go in a copy of the tree: the copy builds, only the rule's own
// files have changed, and the tests say what must be filled in.
func TestNew(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a copy of the tree")
	}
	t.Parallel()
	root := t.TempDir()
	copied := map[string]string{}
	for _, part := range []string{"go.mod", "go.sum", "README.md", "analyzer", "cmd", "editors/python/embed.go", "editors/python/tfmem", "gpu", "lsp", "rules", "testdata/rules", "testdata/rewrites", "testdata/examples", "testdata/settings"} {
		readTree(t, "..", part, copied)
	}
	copyTree(t, root, copied)
	inCopy := func(program string, args ...string) (string, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir = root
		// The build does not depend on the copy's path, so Go's cache holds it once.
		cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -trimpath -race=false"))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	maker := filepath.Join(t.TempDir(), "maker.exe")
	if out, err := inCopy("go", "build", "-o", maker, "rules/new.go"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// selected returns the tests of one rule.
	selected := func(code string) string { return "TestCases/" + code + "|TestExamples/" + code }
	for _, args := range [][]string{{"TFM998", "probe-in-list"}, {"-family", "example", "TFM999", "probe-of-gpu"}} {
		if args[0] == "TFM998" {
			args = append([]string{"-family", "tape"}, args...)
		}
		out, err := inCopy(maker, args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if want := "go test ./rules -run '" + selected(args[2]) + "'\n"; !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	for _, c := range []struct{ want, args string }{
		{`TFM998 is tape.ProbeInList already`, "-family example TFM998 another-probe"},
		{`example.ProbeOfGPU is TFM999 already`, "-family example TFM997 probe-of-gpu"},
		{`the codes TFM9xx have no family; name its package with -family`, "TFM997 another-probe"},
		{`"TFM1" is not the code of a rule, such as TFM499`, "TFM1 another-probe"},
		{`"Probe" is not a name for a rule: words that name the problem`, "TFM197 Probe"},
	} {
		if out, err := inCopy(maker, strings.Fields(c.args)...); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("new.go %s: %v, want %q:\n%s", c.args, err, c.want, out)
		}
	}
	if out, err := inCopy("go", "vet", "./rules/...", "./cmd/tfmem"); err != nil {
		t.Errorf("the tree with the rules does not build: %v\n%s", err, out)
	}
	list := read(t, filepath.Join(root, "rules", "rules.go"))
	if !regexp.MustCompile(`\n\ttape\.ProbeInList,\n\texample\.ProbeOfGPU,\n\}`).MatchString(list) || !strings.Contains(list, "rules/example\"") {
		t.Errorf("the list of rules is\n%s", list)
	}
	changed := map[string]bool{"rules/rules.go": true, "rules/README.md": true, "rules/settings/tfmem.schema.json": true}
	now := map[string]string{}
	for _, part := range []string{"go.mod", "go.sum", "README.md", "analyzer", "cmd", "gpu", "lsp", "rules", "testdata"} {
		readTree(t, root, part, now)
	}
	for path, text := range now {
		before, was := copied[path]
		switch {
		case was && text != before && !changed[path] && !strings.HasPrefix(path, "testdata/settings/"):
			t.Errorf("%s has changed", path)
		case !was && !strings.Contains(path, "TFM99") && !strings.Contains(path, "tfm99"):
			t.Errorf("%s is new", path)
		}
	}
	if !strings.Contains(now["rules/settings/tfmem.schema.json"], "TFM999") {
		t.Error("the schema of the settings does not have the new rule")
	}
	if !strings.Contains(now["rules/README.md"], "| [TFM999](#tfm999-probe-of-gpu) | probe-of-gpu |") || !strings.Contains(now["rules/README.md"], "## TFM999 probe-of-gpu") {
		t.Error("the table does not have the new rule")
	}
	if !strings.Contains(now["testdata/settings/severity.txtar"], "TFM999") {
		t.Error("the settings that list all codes do not have the new rule")
	}
	out, err := inCopy("go", "test", "./rules", "-run", selected("TFM999"))
	if err == nil {
		t.Error("the tests pass, though nothing is filled in")
	}
	for _, want := range []string{"Summary is empty", "What is empty", "Why is empty", "Bad is empty", "Good is empty", "Limitations is empty", "References is empty", "the bad example has 0 findings, want 1", "no finding matches"} {
		if !strings.Contains(out, want) {
			t.Errorf("the tests do not say %q:\n%s", want, out)
		}
	}
}

// copyTree copies files, by their paths, into a folder.
func copyTree(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		to := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// readTree reads a file, or all files of a folder, by their paths from the root.
func readTree(t *testing.T, root, part string, into map[string]string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, part), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err == nil {
			into[filepath.ToSlash(rel)] = read(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
