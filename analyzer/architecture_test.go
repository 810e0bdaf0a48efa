package analyzer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/tfmem/tfmem"

// layers are the packages from the ground up, a layer an entry: a package may
// know those of the layers below its own. What stands below a name belongs to
// it ("rules" is also rules/device), unless it is listed itself. Packages that
// are not there yet are listed already.
var layers = [][]string{
	{"analyzer/source", "analyzer/tensor", "analyzer/tfdata", "analyzer/keras/classes"},
	{"analyzer/headers", "analyzer/folders", "analyzer/tally", "analyzer/traced"},
	{"analyzer/syntax", "analyzer/notebook"},
	{"analyzer/saved"},
	{"analyzer/account"},
	{"analyzer/names", "analyzer/hints"},
	{"analyzer/effects", "analyzer/facts/origins"},
	{"analyzer/flow", "analyzer/observed"},
	{"analyzer/releases"},
	{"analyzer/library"},
	{"analyzer/value"},
	{"analyzer/interp"},
	{"analyzer/python/options"},
	{"analyzer/python"},
	{"analyzer/dataset", "analyzer/objects"},
	{"analyzer/shapes"},
	{"analyzer/arrays/numpy"},
	{"analyzer/arrays/pandas", "analyzer/arrays/images", "analyzer/arrays/gym"},
	{"analyzer/arrays/sklearn"},
	{"analyzer/arrays"},
	{"analyzer/graph"},
	{"analyzer/keras/state"},
	{"analyzer/keras/layers"},
	{"analyzer/keras/ops"},
	{"analyzer/keras/pipelines"},
	{"analyzer/keras/steps"},
	{"analyzer/keras/models"},
	{"analyzer/keras", "analyzer/memory/executor"},
	{"analyzer/facts"},
	{"analyzer/facts/obstacles", "analyzer/facts/sessions"},
	{"analyzer/facts/lifetimes"},
	{"analyzer/memory/xla"},
	{"analyzer/memory", "analyzer/memory/host"},
	{"analyzer/launch"},
	{"analyzer/project"},
	{"analyzer"},
	{"rules"},
	{"lsp"},
	{"editors/python"}, // texts alone
	{"cmd"},
}

// testHelpers are packages that only tests import.
var testHelpers = []string{"analyzer/cases"}

// strangers are packages of ours that know none of ours. All but cmd leave them
// alone too, so that what they say is injected.
var strangers = []string{"gpu"}

// owners lists what only some packages may import; a path that ends in "/" is
// all below it.
var owners = []struct {
	path string
	by   []string
	why  string
}{
	{"github.com/smacker/go-tree-sitter", []string{"analyzer/syntax"}, "only syntax knows tree-sitter"},
	{"github.com/smacker/go-tree-sitter/", []string{"analyzer/syntax"}, "only syntax knows tree-sitter"},
	{"C", []string{"analyzer/syntax", "gpu/nvml"}, "C stays behind syntax and gpu/nvml"},
	{"go.yaml.in/yaml/", []string{"analyzer/python", "analyzer/launch"}, "only python reads the YAML of programs, and launch that of containers"},
	{"go.lsp.dev/", []string{"lsp"}, "only lsp knows the protocol"},
	{"github.com/NVIDIA/go-nvml/", []string{"gpu/nvml"}, "only gpu/nvml knows NVML"},
	{"github.com/modelcontextprotocol/", []string{"cmd/tfmem-mcp"}, "only tfmem-mcp knows the agents' protocol: its SDK brings HTTP"},
	{module + "/gpu/nvml", []string{"cmd/tfmem-nvml"}, "the linter itself links no NVML"},
	{"github.com/pelletier/go-toml/", []string{"rules/settings", "analyzer/project", "analyzer/python"}, "only rules/settings knows TOML, project what pyproject.toml requires, and python what programs read"},
	{"github.com/bmatcuk/doublestar/", []string{"rules/settings"}, "patterns mean one thing, what rules/settings makes of them"},
	{"net/", []string{"lsp", "cmd"}, "analysis needs no network"},
	// The approximation of "only project reads files, and only cmd writes them", of which
	// TestReader holds the first half; lsp looks after processes and its own logs.
	{"os", []string{"analyzer/project", "lsp", "cmd", "gpu"}, "only project reads files and only cmd writes them"},
	{"os/exec", []string{"lsp", "cmd", "gpu"}, "no code that is read is ever run"},
	// An answer depends on texts, settings and devices; syntax only measures itself and
	// shares work out among processors.
	{"time", []string{"analyzer/syntax", "lsp", "cmd", "gpu"}, "no clock decides an answer"},
	{"math/rand", nil, "no chance decides an answer"},
	{"math/rand/v2", nil, "no chance decides an answer"},
	{"crypto/rand", nil, "no chance decides an answer"},
	{"hash/maphash", nil, "no chance decides an answer"},
	{"runtime", []string{"analyzer/syntax", "analyzer/memory", "lsp", "cmd"}, "no answer depends on the processors; memory names the line of its own that panicked"},
	{"io/ioutil", nil, "only project reads files and only cmd writes them"},
}

// topLevel is what may lie at the root of the repository beside dot-files. The
// names are the user's own choice.
var topLevel = []string{"cmd", "lsp", "analyzer", "rules", "gpu", "editors", "testdata", "go.mod", "go.sum", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"}

type pkg struct {
	ImportPath, Dir, Name             string
	Imports                           []string
	GoFiles, CgoFiles, IgnoredGoFiles []string
}

// packages are the module's, without their tests. go list runs with cgo, since
// syntax needs it, and finds what build constraints leave out only for the
// system at hand.
func packages(t *testing.T) []pkg {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 8 {
		t.Fatalf("go list finds only %d packages", len(all))
	}
	return all
}

var listed = sync.OnceValues(func() (all []pkg, err error) {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,Name,Imports,GoFiles,CgoFiles,IgnoredGoFiles", "./...")
	cmd.Dir = ".."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list ./...: %w", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
})

// mostLines is the number of lines, without tests, that a package of analyzer may have: a room that
// is larger has more than one subject.
const mostLines = 6000

func TestSizes(t *testing.T) {
	for _, p := range packages(t) {
		if !inside(strings.TrimPrefix(p.ImportPath, module+"/"), "analyzer") {
			continue
		}
		lines := 0
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(text, []byte("\n"))
		}
		if lines > mostLines {
			t.Errorf("%s has %d lines, and may have %d", p.ImportPath, lines, mostLines)
		}
	}
}

// inside tells whether a package is, or lies below, one of the folders.
func inside(p string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return p == f || strings.HasPrefix(p, f+"/") })
}

// layerOf is the layer of a package, by the longest name that holds it, or -1.
func layerOf(p string) int {
	layer, longest := -1, -1
	for i, names := range layers {
		for _, name := range names {
			// The package analyzer itself is not all that lies below it.
			if (p == name || name != "analyzer" && inside(p, name)) && len(name) > longest {
				layer, longest = i, len(name)
			}
		}
	}
	return layer
}

// TestDirections keeps knowledge running one way, as the design has it:
// source ← notebook, syntax ← names ← effects, flow ← value ← interp ← python ← dataset, objects ←
// arrays ← keras ← memory ← project ← analyzer ← rules ← lsp, cmd. Two packages of
// one layer do not know each other unless one lies below the other.
func TestDirections(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := strings.CutPrefix(p.ImportPath, module+"/")
		layer := layerOf(from)
		if inside(from, testHelpers...) {
			continue
		}
		if layer < 0 && !inside(from, strangers...) {
			t.Errorf("%s stands in no layer: add it to the design first, then to this test", from)
			continue
		}
		for _, i := range p.Imports {
			to, ours := strings.CutPrefix(i, module+"/")
			switch {
			case !ours:
			case inside(to, testHelpers...):
				t.Errorf("%s imports %s, which is for tests", from, to)
			case inside(from, strangers...):
				if !inside(to, strangers...) {
					t.Errorf("%s imports %s, but is to know nobody", from, to)
				}
			case inside(to, strangers...):
				if !inside(from, "cmd") {
					t.Errorf("%s imports %s: what it says is injected by cmd", from, to)
				}
			case from == "analyzer/effects":
				t.Errorf("analyzer/effects imports %s, but is data", to)
			case layerOf(to) > layer, layerOf(to) == layer && !kin(from, to):
				t.Errorf("%s imports %s, which stands above or beside it", from, to)
			}
		}
	}
}

// kin tells whether two packages belong to one part of the house: the rules and
// their families, the command and its internals.
func kin(a, b string) bool {
	first := func(p string) string { f, _, _ := strings.Cut(p, "/"); return f }
	return first(a) == first(b) && !inside(a, "analyzer") || inside(a, b) || inside(b, a)
}

// TestOwners keeps foreign libraries, files and the network where they belong.
func TestOwners(t *testing.T) {
	for _, p := range packages(t) {
		from, _ := strings.CutPrefix(p.ImportPath, module+"/")
		if inside(from, testHelpers...) {
			continue
		}
		for _, i := range p.Imports {
			for _, o := range owners {
				if (i == o.path || strings.HasSuffix(o.path, "/") && strings.HasPrefix(i, o.path)) && !inside(from, o.by...) {
					t.Errorf("%s imports %s: %s", from, i, o.why)
				}
			}
		}
	}
}

// readers are the functions that open files and folders for reading, by package.
var readers = map[string][]string{
	"os":            {"Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadFile", "ReadDir", "DirFS", "CopyFS"},
	"path/filepath": {"Glob", "Walk", "WalkDir"},
	"syscall":       {"Open", "Openat"},
}

// reading are the files of ours that may call them: the one reader of files, which takes
// regular files up to a limit, who compares a file with what it replaces, who asks the kernel about
// its own process, who locks what it reads, a package for tests, and makers of the repository's own files.
var reading = []string{"analyzer/project/fs.go", "cmd/tfmem/internal/write/write.go", "cmd/tfmem/internal/journal/journal.go", "gpu/container.go", "analyzer/cases/cases.go", "analyzer/cases/golden.go", "analyzer/cases/bombs.go", "rules/new.go", "analyzer/keras/layers/new.go"}

// TestReader sees that all else reads files through package project, and that of it only
// fs.go touches files.
func TestReader(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
			path := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module)+"/"+name, "/")
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, call := range readsIn(t, filepath.Join(p.Dir, name)) {
				if used[path] = true; !slices.Contains(reading, path) {
					t.Errorf("%s uses %s: call project.ReadFile or project.ReadDir", path, call)
				}
			}
			if path != reading[0] && strings.HasPrefix(path, "analyzer/project/") && slices.Contains(importsOf(t, filepath.Join(p.Dir, name)), `"os"`) {
				t.Errorf("%s imports os: only fs.go touches files", path)
			}
		}
	}
	for _, path := range reading {
		if !used[path] {
			t.Errorf("%s reads no files: it needs no leave to", path)
		}
	}
}

// importsOf are the paths that a file imports, quoted.
func importsOf(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		out = append(out, i.Path.Value)
	}
	return out
}

// readsIn are the uses of readers in a file, under whatever name it imports their package.
func readsIn(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{} // of the functions, by what the package is called here
	for _, i := range f.Imports {
		pkg, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		functions := readers[pkg]
		switch {
		case functions == nil:
		case i.Name == nil:
			names[pkg[strings.LastIndexByte(pkg, '/')+1:]] = functions
		case i.Name.Name == ".":
			out = append(out, "a dot import of "+pkg)
		default:
			names[i.Name.Name] = functions
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(names[x.Name], s.Sel.Name) {
				out = append(out, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return out
}

// TestRuleFamilies sees that no family of rules knows another, so that a rule
// can be read, and removed, by itself.
func TestRuleFamilies(t *testing.T) {
	// No families: estimate shows what budget's rules weigh, and plan makes what rules offer.
	above := []string{module + "/rules/estimate", module + "/rules/plan"}
	shared := []string{module + "/rules/rule", module + "/rules/settings", module + "/rules/suppress", module + "/rules/suggest", module + "/rules/explain"}
	offered := append(slices.Clip(shared), module+"/rules/rewrite") // rewrites are fixes too
	for _, p := range packages(t) {
		if from, ok := strings.CutPrefix(p.ImportPath, module+"/rules/"); ok && !slices.Contains(above, p.ImportPath) && !slices.Contains(shared, p.ImportPath) {
			for _, i := range p.Imports {
				// TFM303 weighs arrays and step together, TFM801 what a step had, TFM402 what a step needs.
				weighs := slices.Contains([]string{"pipeline", "run", "tape"}, from) && i == module+"/rules/budget"
				if strings.HasPrefix(i, module+"/rules") && !slices.Contains(offered, i) && !weighs {
					t.Errorf("rules/%s imports %s, another family of rules", from, i)
				}
			}
		}
	}
}

// TestPrograms sees that the repository installs three programs and no other:
// "go install ./..." and pre-commit install every main package.
func TestPrograms(t *testing.T) {
	allowed := []string{module + "/cmd/tfmem", module + "/cmd/tfmem-nvml", module + "/cmd/tfmem-mcp"}
	found := false
	for _, p := range packages(t) {
		if p.Name != "main" {
			continue
		}
		found = true
		if !slices.Contains(allowed, p.ImportPath) {
			t.Errorf("%s is a main package, beside tfmem, tfmem-nvml and tfmem-mcp", p.ImportPath)
		}
	}
	if !found {
		t.Error("there is no program")
	}
}

// TestTopLevel keeps the root of the repository small.
func TestTopLevel(t *testing.T) {
	entries := tracked(t)
	for _, name := range entries {
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) {
			t.Errorf("%s lies at the root of the repository: the design allows %s and dot-files", name, strings.Join(topLevel, ", "))
		}
	}
	for _, must := range []string{"go.mod", "analyzer", "rules", "cmd", "lsp"} {
		if !slices.Contains(entries, must) {
			t.Errorf("%s is not there", must)
		}
	}
}

// tracked are the entries of the root, without those that git ignores (a built
// program, say); where there is no git, all.
func tracked(t *testing.T) []string {
	t.Helper()
	var names []string
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = ".."
	if out, err := cmd.Output(); err == nil {
		for file := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
			first, _, _ := strings.Cut(file, "/")
			if _, err := os.Stat(filepath.Join("..", first)); err == nil && !slices.Contains(names, first) {
				names = append(names, first)
			}
		}
		return names
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if ignored, _ := path.Match("*.test", e.Name()); !ignored {
			names = append(names, e.Name())
		}
	}
	return names
}
