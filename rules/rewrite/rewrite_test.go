package rewrite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
)

const (
	folder = "../../testdata/rewrites"
	golden = ".rewritten.py"
)

var (
	devicesLine = regexp.MustCompile(`(?m)^\x{feff}?# devices: (\d+)\r?$`)
	keras2Line  = regexp.MustCompile(`(?m)^# keras: 2\r?$`)
	// A place is marked "# <- here". One where there is no rewrite, for a reason that matches, is
	// marked `# <- here not "regexp"`.
	mark = regexp.MustCompile(`  # <- here(?: not "(.*)")?`)
)

// analyze reads a case. A line "# devices: 2" gives it that many GPUs, and a line "# keras: 2" that
// version of Keras.
func analyze(s *source.Source) *analyzer.File {
	var config analyzer.Config
	if keras2Line.MatchString(s.Text()) {
		config.Versions.Keras = effects.Stated{Range: effects.Exactly(effects.Version{Major: 2, Minor: 13}), Source: "the case"}
	}
	if m := devicesLine.FindStringSubmatch(s.Text()); m != nil {
		n, _ := strconv.Atoi(m[1])
		config.Devices = func() []memory.Device { return make([]memory.Device, n) }
	}
	return analyzer.Analyze(s, config)
}

// A place is what a case requires of a rewrite.
type place struct {
	span source.Span // of the line's code
	not  string      // why there is no rewrite, or empty
}

func places(t *testing.T, text string) []place {
	t.Helper()
	var out []place
	for _, m := range mark.FindAllStringSubmatchIndex(text, -1) {
		start := source.LineStart(text, m[0])
		p := place{span: source.Span{Start: start + len(text[start:m[0]]) - len(strings.TrimLeft(text[start:m[0]], " \t\ufeff")), End: m[0]}}
		if m[2] >= 0 {
			p.not = text[m[2]:m[3]]
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		t.Fatal("the case marks no place")
	}
	return out
}

// rewritten returns the text after the rewrite at a span, or why there is none. What the rewrite
// does not touch must be unchanged.
func rewritten(t *testing.T, r *Rewrite, file *analyzer.File, span source.Span) (string, error) {
	t.Helper()
	change, err := r.Make(file, span)
	if err != nil {
		if strings.Contains(err.Error(), "bug") {
			t.Error(err)
		}
		return "", err
	}
	after, err := file.Source.Edited(change.Edits)
	if err != nil {
		t.Fatal(err)
	}
	if made := analyze(after); made.Tree.HasErrors() && !file.Tree.HasErrors() {
		t.Errorf("what is written does not parse:\n%s", after.Text())
	}
	return after.Text(), nil
}

// TestCases checks every file under testdata/rewrites/NAME at each place that it
// marks, against the golden beside it or the reason it gives.
func TestCases(t *testing.T) {
	for _, r := range All {
		t.Run(r.Name, func(t *testing.T) {
			paths, err := filepath.Glob(filepath.Join(folder, r.Name, "*.py"))
			if err != nil {
				t.Fatal(err)
			}
			made, refused := 0, 0
			for _, path := range paths {
				if strings.Count(filepath.Base(path), ".") > 1 {
					continue // what a rewrite made
				}
				t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
					text := read(t, path)
					for _, p := range places(t, text) {
						if p.not != "" {
							refused++
						} else {
							made++
						}
						checkPlace(t, r, path, text, p)
					}
				})
			}
			if made == 0 || refused == 0 {
				t.Errorf("%s has %d cases where it is made and %d where it is not, under %s: both are needed", r.Name, made, refused, folder)
			}
		})
	}
}

func checkPlace(t *testing.T, r *Rewrite, path, text string, p place) {
	file := analyze(source.New(filepath.Base(path), text))
	got, err := rewritten(t, r, file, p.span)
	if p.not != "" {
		matches(t, p, text, err)
		return
	}
	if err != nil {
		t.Fatalf("not rewritten: %v", err)
	}
	cases.Golden(t, strings.TrimSuffix(path, ".py")+golden, got)
	// The cursor means the line, wherever on it it is.
	for _, at := range []int{p.span.Start, source.LineStart(text, p.span.Start), source.LineEnd(text, p.span.Start)} {
		if again, err := rewritten(t, r, file, source.Span{Start: at, End: at}); again != got {
			t.Errorf("with the cursor at byte %d of the line it is another rewrite: %v", at-source.LineStart(text, at), err)
		}
	}
	for name, v := range variants {
		if v(text) == text {
			continue // nothing is indented
		}
		t.Run(name, func(t *testing.T) {
			file := analyze(source.New(filepath.Base(path), v(text)))
			other, err := rewritten(t, r, file, places(t, v(text))[0].span)
			if err != nil {
				t.Fatalf("not rewritten: %v", err)
			}
			if diff := cmp.Diff(v(got), other); diff != "" {
				t.Errorf("rewritten (-want +got):\n%s", diff)
			}
		})
	}
}

// matches checks why there is no rewrite at a place.
func matches(t *testing.T, p place, text string, err error) {
	t.Helper()
	if line := strings.Count(text[:p.span.Start], "\n") + 1; err == nil {
		t.Errorf("line %d is rewritten, though %s", line, p.not)
	} else if !regexp.MustCompile(p.not).MatchString(err.Error()) {
		t.Errorf("line %d is not rewritten because %q, want %q", line, err, p.not)
	}
}

// variants change a text without changing its meaning.
var variants = map[string]func(string) string{
	"crlf": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"bom":  func(s string) string { return "\ufeff" + s },
	"tabs": func(s string) string {
		lines := strings.SplitAfter(s, "\n")
		for i, line := range lines {
			body := strings.TrimLeft(line, " ")
			n := len(line) - len(body)
			if n%4 == 2 {
				return s // two spaces a level
			}
			lines[i] = strings.Repeat("\t", n/4) + strings.Repeat(" ", n%4) + body
		}
		return strings.Join(lines, "")
	},
	"no line break at the end": func(s string) string { return strings.TrimSuffix(s, "\n") },
}

// TestExamples checks the documentation of each rewrite against the rewrite.
func TestExamples(t *testing.T) {
	for _, r := range All {
		t.Run(r.Name, func(t *testing.T) {
			for what, text := range map[string]string{"Title": r.Title, "What": r.What, "Changes": r.Changes, "Before": r.Before, "After": r.After} {
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s is empty", what)
				}
			}
			text := "# devices: 2\n\n" + strings.TrimLeft(r.Before, "\n") + "\n"
			span := places(t, text)[0].span
			clean := strings.Replace(text, Here, "", 1)
			got, err := rewritten(t, r, analyze(source.New("before.py", clean)), span)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("# devices: 2\n\n"+strings.TrimLeft(r.After, "\n")+"\n", got); diff != "" {
				t.Errorf("the example becomes something else (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAnywhere requests all rewrites at every place and for every range of lines of the cases, also
// of truncated ones.
func TestAnywhere(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.py"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("the cases are %v, %v", paths, err)
	}
	for _, path := range cases.Sample(t, paths, 20) {
		text := read(t, path)
		for _, text := range []string{text, text[:2*len(text)/3]} {
			file := analyze(source.New(path, text))
			var starts []int
			for at := 0; at < len(text); at = source.NextLine(text, source.LineEnd(text, at)) {
				starts = append(starts, at)
			}
			for i, start := range starts {
				end := source.LineEnd(text, start)
				for _, span := range []source.Span{{Start: start, End: start}, {Start: (start + end) / 2, End: (start + end) / 2}, {Start: start, End: end}, {Start: start, End: starts[min(i+3, len(starts)-1)]}, {Start: start, End: len(text)}} {
					for _, r := range All {
						if _, err := r.Make(file, span); err != nil && strings.Contains(err.Error(), "bug") {
							t.Errorf("%s at %v of %s: %v", r.Name, span, path, err)
						}
					}
				}
			}
		}
	}
}

// TestProven checks that the records of testdata/rewrites/prove.py are of the programs as they are
// rewritten now.
func TestProven(t *testing.T) {
	records, err := filepath.Glob(filepath.Join(folder, "tensorflow-*.json"))
	if err != nil || len(records) < 2 {
		t.Fatalf("the records are %v, %v: run testdata/rewrites/prove.py", records, err)
	}
	programs, err := filepath.Glob(filepath.Join(folder, "*", "run_*"+golden))
	if err != nil || len(programs) < len(All) {
		t.Fatalf("the programs are %v, %v", programs, err)
	}
	notebooks, err := filepath.Glob(filepath.Join(folder, "*", "run_*.rewritten.ipynb"))
	if err != nil || len(notebooks) < 2 {
		t.Fatalf("the notebooks are %v, %v", notebooks, err)
	}
	made := map[string]string{} // what is run, by the name of the program before
	for _, program := range programs {
		made[strings.TrimSuffix(program, golden)+".py"] = read(t, program)
	}
	for _, program := range notebooks {
		name, text := strings.TrimSuffix(program, ".rewritten.ipynb"), read(t, program)
		modules, err := filepath.Glob(name + ".*.py")
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range modules {
			if !strings.HasSuffix(module, golden) {
				text += read(t, module)
			}
		}
		made[name+".ipynb"] = text
	}
	for _, path := range records {
		var record struct {
			Programs map[string]struct{ SHA256, Result string }
		}
		if err := json.Unmarshal([]byte(read(t, path)), &record); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for program, text := range made {
			name := filepath.Base(filepath.Dir(program)) + "/" + filepath.Base(program)
			if sum := sha256.Sum256([]byte(text)); record.Programs[name].SHA256 != hex.EncodeToString(sum[:]) {
				t.Errorf("%s has no proof of %s as it is now", filepath.Base(path), name)
			}
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestVerify checks that a change is refused if it leaves code that does not parse, or if its edits
// overlap.
func TestVerify(t *testing.T) {
	file := analyze(source.New("train.py", "import tensorflow as tf\n"))
	edit := func(start, end int, text string) source.Edit {
		return source.Edit{Span: source.Span{Start: start, End: end}, New: text}
	}
	for name, c := range map[string]struct {
		edits []source.Edit
		want  string // in the error
	}{
		"parses":         {[]source.Edit{edit(0, 0, "import os\n")}, ""},
		"does not parse": {[]source.Edit{edit(0, 6, "import (")}, "no longer parse"},
		"two on a line":  {[]source.Edit{edit(0, 0, "import os ")}, "no longer parse"},
		"overlaps":       {[]source.Edit{edit(0, 6, "import"), edit(3, 9, "x")}, "bug"},
	} {
		err := Change{Edits: c.edits}.Verify(file)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, c.want)
		}
	}
}
