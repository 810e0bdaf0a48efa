package rules

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/run"
	"github.com/tfmem/tfmem/rules/suppress"
)

const folder = "../testdata/rules"

var (
	deviceLine = regexp.MustCompile(`(?m)^# (device|machine|desktop): (?:(\d+) x )?(\d+) GiB$`)
	ramLine    = regexp.MustCompile(`(?m)^# ram: (\d+) GiB$`)
	jobLine    = regexp.MustCompile(`(?m)^# job: (.+)$`)
	tfLine     = regexp.MustCompile(`(?m)^# tensorflow: (\S+)$`)
	kerasLine  = regexp.MustCompile(`(?m)^# keras: (\S+)$`)
)

// analyze reads a case. A line "# device: 8 GiB" gives it a GPU, "# machine: 2 x 8 GiB" all GPUs of
// a machine, "# ram: 16 GiB" the machine's own memory, "# job: --gres=gpu:a100:1" a job of Slurm that starts it,
// "# keras: 2.13" a project that names its Keras, and "# tensorflow: 2.3" one that names its TensorFlow.
func analyze(s *source.Source) *analyzer.File { return analyzeIn(s, nil) }

// analyzeIn is analyze for a file of a workspace.
func analyzeIn(s *source.Source, w *project.Workspace) *analyzer.File {
	config := analyzer.Config{Workspace: w, NamedGPU: catalogued}
	text := strings.NewReplacer("\r", "", "\ufeff", "").Replace(s.Text())
	if m := jobLine.FindStringSubmatch(text); m != nil && w == nil {
		at := filepath.Join("/w", s.Path)
		job := filepath.Join(filepath.Dir(at), "job.sh")
		config.Workspace = project.New(files{at: text, job: "#SBATCH " + m[1] + "\npython " + filepath.Base(at) + "\n"}, "/w")
	}
	for line, stated := range map[*regexp.Regexp]*effects.Stated{kerasLine: &config.Versions.Keras, tfLine: &config.Versions.TensorFlow} {
		if m := line.FindStringSubmatch(text); m != nil {
			r, err := effects.ParseRange(m[1])
			if err != nil {
				panic(err)
			}
			*stated = effects.Stated{Range: r, Source: "named by the case"}
		}
	}
	if m := ramLine.FindStringSubmatch(text); m != nil {
		gib, _ := strconv.ParseInt(m[1], 10, 64)
		config.Machine = &host.Machine{Name: "the machine", Bytes: gib << 30, Source: "named by the case"}
	}
	if m := deviceLine.FindStringSubmatch(text); m != nil {
		gib, _ := strconv.ParseInt(m[3], 10, 64)
		count := 1
		if m[2] != "" {
			count, _ = strconv.Atoi(m[2])
		}
		screen := memory.NoScreen
		if m[1] == "desktop" {
			screen = memory.HasScreen
		}
		config.DevicesNamed = true
		config.Devices = func() []memory.Device {
			return slices.Repeat([]memory.Device{{Name: "a GPU of " + m[3] + " GiB", Total: gib << 30, Major: 8, Minor: 6, Source: "named by the case", Listed: m[1] == "machine", Screen: screen}}, count)
		}
	}
	return analyzer.Analyze(s, config)
}

// TestCases checks every file under testdata/rules/CODE against its "# want" comments, with the
// rule of that code alone (see [alone]). It compares the fixed file with the goldens beside it:
// NAME.fixed.py for safe fixes, NAME.unsafe.py for all. To run the cases and examples of one rule:
//
//	go test ./rules -run 'TestCases/TFM101|TestExamples/TFM101'
//
// With -update, it writes the goldens.
func TestCases(t *testing.T) {
	for _, r := range checked() {
		t.Run(r.Code, func(t *testing.T) {
			t.Parallel()
			cases.Alone(t)
			bad, good := 0, 0
			for i, path := range programs(t, r) {
				t.Run(strings.TrimSuffix(filepath.Base(path), ".py"), func(t *testing.T) {
					text := read(t, path)
					if wants := expectations(t, text); len(wants) > 0 {
						bad++
					} else {
						good++
					}
					checkCase(t, r, path, text, i)
				})
			}
			if bad == 0 || good == 0 {
				t.Errorf("%s has %d cases that fire and %d that stay silent under %s: both are needed", r.Code, bad, good, folder)
			}
		})
	}
}

// catalogued returns a GPU of the catalogue.
func catalogued(name string) (memory.Device, bool) {
	r, err := gpu.Parse(name, nil)
	if err != nil || len(r.Devices) == 0 {
		return memory.Device{}, false
	}
	d := r.Devices[0]
	return memory.Device{Name: d.Name, Total: d.TotalBytes, Major: d.ComputeCapability.Major, Minor: d.ComputeCapability.Minor}, true
}

// programs returns the files under testdata/rules/CODE that are checked, without their goldens.
func programs(t testing.TB, r *rule.Rule) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, r.Code, "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		return strings.HasSuffix(path, ".fixed.py") || strings.HasSuffix(path, ".unsafe.py")
	})
}

// TestExamples checks the documentation of each rule: the bad example fires, the good one is
// silent, and if the rule has fixes they turn the one into the other.
func TestExamples(t *testing.T) {
	for _, r := range checked() {
		t.Run(r.Code, func(t *testing.T) {
			for what, text := range map[string]string{"What": r.What, "Why": r.Why, "Bad": r.Bad, "Good": r.Good, "Summary": r.Summary, "Limitations": r.Limitations} {
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s is empty", what)
				}
			}
			if len(r.References) == 0 {
				t.Error("References is empty")
			}
			bad, good := shown(r, r.Bad), shown(r, r.Good)
			only := alone(r)
			if got := Check(analyze(source.New("bad.py", bad)), only); len(got) != 1 {
				t.Errorf("the bad example has %d findings, want 1", len(got))
			}
			if got := Check(analyze(source.New("good.py", good)), only); len(got) != 0 {
				t.Errorf("the good example has %d findings: %s", len(got), got[0].Message)
			}
			if r.FixSafety == "" {
				return
			}
			fixed := mend(t, analyze(source.New("bad.py", bad)), only, rule.Unsafe)
			if diff := cmp.Diff(strings.TrimSpace(good), strings.TrimSpace(fixed.File.Source.Text())); diff != "" {
				t.Errorf("the fixes do not turn the bad example into the good one (-want +got):\n%s", diff)
			}
		})
	}
}

// documented are the sites that a rule may refer to.
var documented = regexp.MustCompile(`^https://(www\.tensorflow\.org/(api_docs/python/tf|guide)/|keras\.io/api/|docs\.python\.org/3/|docs\.nvidia\.com/cuda/|docs\.astral\.sh/ruff/|github\.com/tfmem/tfmem/)`)

// TestDocumented checks that every rule states its limitations, and names the pages that it relies
// on. At least one is TensorFlow's or Keras's own, unless the rule is about tfmem itself.
func TestDocumented(t *testing.T) {
	for _, r := range All {
		if strings.TrimSpace(r.Limitations) == "" || len(r.References) == 0 {
			t.Errorf("%s: Limitations or References is empty", r.Code)
		}
		primary := strings.HasPrefix(r.Code, "TFM0")
		for _, ref := range r.References {
			if ref.Title == "" || !documented.MatchString(ref.URL) {
				t.Errorf("%s: the reference %q, %s, is none to documentation", r.Code, ref.Title, ref.URL)
			}
			primary = primary || strings.HasPrefix(ref.URL, "https://www.tensorflow.org/") || strings.HasPrefix(ref.URL, "https://keras.io/")
			if !strings.Contains(r.Markdown(), ref.URL) {
				t.Errorf("%s: the text of the rule does not show %s", r.Code, ref.URL)
			}
		}
		if !primary {
			t.Errorf("%s: no reference is to TensorFlow's or Keras's own documentation", r.Code)
		}
		if !strings.Contains(r.Markdown(), strings.TrimSpace(r.Limitations)) {
			t.Errorf("%s: the text of the rule does not show its limitations", r.Code)
		}
	}
}

// shown returns an example of a rule, with the lines that say what it needs.
func shown(r *rule.Rule, text string) string {
	head := ""
	if r.GPU != "" {
		head += "# device: " + r.GPU + "\n"
	}
	if r.RAM != "" {
		head += "# ram: " + r.RAM + "\n"
	}
	if r.Job != "" {
		head += "# job: " + r.Job + "\n"
	}
	if r.Keras != "" {
		head += "# keras: " + r.Keras + "\n"
	}
	return head + strings.TrimLeft(text, "\n") + "\n"
}

// alone selects one rule. The rule about suppression comments needs all the others. What does not
// parse is only for the rule about that.
func alone(r *rule.Rule) Selection {
	switch r {
	case suppress.UnusedSuppression:
		return Selection{Select: []string{"ALL"}}
	case InvalidSyntax:
		return Selection{Select: []string{r.Code}}
	}
	return Selection{Select: []string{r.Code}, Ignore: []string{InvalidSyntax.Code}}
}

// mend makes the fixes, all of which must be possible.
func mend(t *testing.T, file *analyzer.File, selection Selection, least rule.Applicability) Fixed {
	t.Helper()
	fixed := ApplyFixes(file, selection, least, analyze)
	for _, f := range fixed.Failed {
		t.Error(f)
	}
	return fixed
}

// checked returns the rules that look at code alone.
func checked() []*rule.Rule {
	var out []*rule.Rule
	for _, r := range All {
		if r != NotAnalysed && r != run.OutOfMemorySeen {
			out = append(out, r)
		}
	}
	return out
}

func TestNotAnalysed(t *testing.T) {
	const imports = "import tensorflow\n"
	for why, text := range map[string]string{
		"files over 5 MB":          strings.Repeat("x = 1\n", analyzer.MaxSize/6),
		"nested more than 10,000":  "x = " + strings.Repeat("-", 50_000) + "1\n",
		"it takes too long to par": "if x:\n" + strings.Repeat("  #\n #\n", 10_000) + "  y\n",
	} {
		got := Check(analyze(source.New("large.py", imports+text)), Selection{})
		if len(got) != 1 || got[0].Rule != NotAnalysed || !strings.Contains(got[0].Message, why) {
			t.Errorf("a file of %d bytes has findings %v, want one that says that %s", len(text), got, why)
		}
		if got := Check(analyze(source.New("large.py", text)), Selection{}); len(got) != 0 {
			t.Errorf("a file that has nothing to do with TensorFlow, of which %s, has findings %v", why, got)
		}
	}
}

// TestTooLongToFollow checks that a finding says when the order of execution is given up, at the
// first call that is not followed.
func TestTooLongToFollow(t *testing.T) {
	var text strings.Builder
	text.WriteString("import os\nimport tensorflow as tf\n\ndef f():\n")
	for i := range 100 {
		fmt.Fprintf(&text, "    os.environ['TF_%d'] = '1'\n", i)
	}
	for i := range 1000 {
		fmt.Fprintf(&text, "def f%d(): f()\n", i)
	}
	calls := text.Len()
	for i := range 1000 {
		fmt.Fprintf(&text, "f%d()\n", i)
	}
	text.WriteString("for gpu in tf.config.list_physical_devices('GPU'):\n    tf.config.experimental.set_memory_growth(gpu, True)\n")
	file := analyze(source.New("long.py", text.String()))
	got := Check(file, Selection{Select: []string{"TFM102"}})
	if len(got) != 1 || got[0].Rule != NotAnalysed || !strings.Contains(got[0].Message, "not checked in order") {
		t.Fatalf("the findings are %v, want one of TFM002", got)
	}
	if at := got[0].Span.Start; at < calls {
		t.Errorf("it stands at byte %d, before the first call", at)
	}
}

func checkCase(t *testing.T, r *rule.Rule, path, text string, number int) {
	only := alone(r)
	file := analyze(source.New(filepath.Base(path), text))
	findings := Check(file, only)
	compare(t, file, findings)
	golden := func(suffix string, least rule.Applicability) string {
		name := strings.TrimSuffix(path, ".py") + suffix
		fixed := mend(t, file, only, least)
		got := fixed.File.Source.Text()
		if fixed.File.Tree.HasErrors() && !file.Tree.HasErrors() {
			t.Errorf("%s: the mended text does not parse", suffix)
		}
		if again := mend(t, fixed.File, only, least); again.File.Source.Text() != got {
			t.Errorf("%s: mending again changes the text", suffix)
		}
		if len(fixed.Applied) == 0 {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("%s is there, but there is nothing to mend", name)
			}
			return text
		}
		cases.Golden(t, name, got)
		return got
	}
	safe := golden(".fixed.py", rule.Safe)
	if hasUnsafe(findings) {
		golden(".unsafe.py", rule.Unsafe)
	}
	for _, name := range cases.Turn(slices.Sorted(maps.Keys(variants)), number) {
		v := variants[name]
		if v(text) == text {
			continue // nothing is indented
		}
		t.Run(name, func(t *testing.T) {
			file := analyze(source.New(filepath.Base(path), v(text)))
			if got := Check(file, only); len(got) != len(findings) {
				t.Fatalf("%d findings instead of %d", len(got), len(findings))
			}
			fixed := mend(t, file, only, rule.Safe)
			if diff := cmp.Diff(v(safe), fixed.File.Source.Text()); diff != "" {
				t.Errorf("mended (-want +got):\n%s", diff)
			}
		})
	}
}

func hasUnsafe(findings []rule.Finding) bool {
	for _, f := range findings {
		for _, x := range f.Fixes {
			if x.Applicability == rule.Unsafe {
				return true
			}
		}
	}
	return false
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
			lines[i] = strings.Repeat("\t", n/4) + strings.Repeat(" ", n%4) + body
		}
		return strings.Join(lines, "")
	},
	"non-ascii": func(s string) string { return "# 学習 🚀 é\n" + s },
}

var want = regexp.MustCompile(`# want ("(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*)`)

// expectations returns the regular expressions of the "# want" comments by line, from 1.
func expectations(t *testing.T, text string) map[int][]*regexp.Regexp {
	t.Helper()
	out := map[int][]*regexp.Regexp{}
	for i, line := range strings.Split(text, "\n") {
		m := want.FindStringSubmatch(line)
		if m == nil {
			if strings.Contains(line, "# want") {
				t.Errorf("line %d: a want comment that cannot be read", i+1)
			}
			continue
		}
		for _, quoted := range regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(m[1], -1) {
			re, err := regexp.Compile(quoted[1])
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			out[i+1] = append(out[i+1], re)
		}
	}
	return out
}

// compare checks findings, as "severity message", against the want comments of their lines.
func compare(t *testing.T, file *analyzer.File, findings []rule.Finding) {
	t.Helper()
	wants := expectations(t, file.Source.Text())
	lines := file.Source.Segments()[0].Lines()
next:
	for _, f := range findings {
		checkClaim(t, f)
		line := lines.Line(f.Span.Start) + 1
		got := fmt.Sprintf("%s: %s", f.Severity, f.Message)
		for i, re := range wants[line] {
			if re.MatchString(got) {
				wants[line] = append(wants[line][:i], wants[line][i+1:]...)
				continue next
			}
		}
		t.Errorf("line %d: unexpected finding %q", line, got)
	}
	for line, left := range wants {
		for _, re := range left {
			t.Errorf("line %d: no finding matches %q", line, re)
		}
	}
}

// maxClaim is how many words the first sentence of a message may have.
const maxClaim = 15

// checkClaim checks that the first sentence of a message has at most [maxClaim] words: an editor
// shows it beside the code, and evidence and advice follow.
func checkClaim(t *testing.T, f rule.Finding) {
	t.Helper()
	claim, _, _ := strings.Cut(f.Message, ". ")
	if n := len(strings.Fields(claim)); n > maxClaim {
		t.Errorf("%s: the first sentence has %d words, want at most %d: %q", f.Rule.Code, n, maxClaim, claim)
	}
	if end := f.Message[len(f.Message)-1]; end != '.' && end != '?' {
		t.Errorf("%s: the message ends in the middle of a sentence: %q", f.Rule.Code, f.Message)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPriced checks that a rule which does not say that it prices models asks for none, in any case
// of any rule, and that Quick leaves out the rules that do.
func TestPriced(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.py"))
	if err != nil {
		t.Fatal(err)
	}
	asked := map[*rule.Rule]bool{}
	for _, path := range paths {
		file := analyze(source.New(filepath.Base(path), read(t, path)))
		if !file.Relevant() {
			continue
		}
		for _, r := range All {
			if r.Check == nil || asked[r] {
				continue
			}
			// A program that is interpreted takes steps.
			asked[r] = file.DoWithin(context.Background(), 0, func() { rule.Run(r, file, new([]rule.Finding)) }) != nil
			if asked[r] && !r.Priced {
				t.Errorf("%s asks for models, in %s, and is not marked as Priced", r.Code, path)
			}
		}
	}
	for _, r := range All {
		if r.Priced && !asked[r] && r != suppress.UnusedSuppression && !r.Failed {
			t.Errorf("%s is marked as Priced, and asks for no models in any case", r.Code)
		}
	}
}

// TestQuick checks that a check in two parts has the findings of one in one part: first those of
// the quick rules, then all. A cancelled check has none.
// TestUnfinished: a rule that fails, or follows values without end, costs its own findings, and the
// report says so.
func TestUnfinished(t *testing.T) {
	const text = "import tensorflow as tf\ngpus = tf.config.experimental.list_physical_devices(\"GPU\")\ntf.config.experimental.set_memory_growth(True)\n"
	code := func(findings []rule.Finding) (codes []string) {
		for _, f := range findings {
			codes = append(codes, f.Rule.Code)
		}
		return codes
	}
	broken := All[slices.IndexFunc(All, func(r *rule.Rule) bool { return r.Code == "TFM107" })]
	whole := broken.Check
	defer func() { broken.Check = whole }()
	if got := code(Check(analyze(source.New("a.py", text)), Selection{})); !slices.Contains(got, "TFM107") || !slices.Contains(got, "TFM105") {
		t.Fatalf("found are %v", got)
	}
	var endless func(in *names.Info, n syntax.Node)
	endless = func(in *names.Info, n syntax.Node) {
		defer in.Enter(n).Leave()
		endless(in, n)
	}
	branching := func(in *names.Info, n syntax.Node) {
		for {
			in.Enter(n).Leave()
		}
	}
	for name, c := range map[string]struct {
		check func(p *rule.Pass)
		want  string
	}{
		"fails":    {func(p *rule.Pass) { whole(p); panic("out of range") }, "TFM107 failed on this file. This is a bug of tfmem (out of range)"},
		"recurses": {func(p *rule.Pass) { whole(p); endless(p.File.Names(), p.File.Names().Calls[1]) }, "TFM107 gave up on this file"},
		"repeats":  {func(p *rule.Pass) { branching(p.File.Names(), p.File.Names().Calls[1]) }, "TFM107 gave up on this file"},
		"repeats in a fact": {func(p *rule.Pass) {
			p.File.Fact(1, func() any { branching(p.File.Names(), p.File.Names().Calls[1]); return 1 })
		}, "TFM107 gave up on this file"},
	} {
		broken.Check = c.check
		findings := Check(analyze(source.New("a.py", text)), Selection{})
		got := code(findings)
		at := slices.Index(got, "TFM002")
		if at < 0 || slices.Contains(got, "TFM107") || !slices.Contains(got, "TFM105") || !strings.HasPrefix(findings[at].Message, c.want) {
			t.Errorf("where it %s, found are %v: %+v", name, got, findings)
		}
		if failed := findings[at].Bug != nil; failed != (name == "fails") {
			t.Errorf("where it %s, the bug is %v", name, findings[at].Bug)
		}
	}
}

func TestQuick(t *testing.T) {
	const text = `# device: 8 GiB
from tensorflow import keras

model = keras.applications.ResNet50(weights=None)  # noqa: TFM101
model.compile("adam", "mse")
model.fit(x, y, batch_size=51200)  # noqa: TFM603
ones = 1  # noqa: TFM304
`
	file := analyze(source.New("a.py", text))
	all := Selection{Select: []string{"ALL"}}
	findings, rest, _ := Quick(t.Context(), file, all)
	if got := codes(findings); got != "" {
		t.Errorf("the quick rules found %s, want nothing", got)
	}
	if rest == nil {
		t.Fatal("no rule is left")
	}
	for i := range 2 {
		// What was priced once is not priced again.
		if found, err := rest.Check(context.Background(), 2000); i == 0 && (err != analyzer.ErrTooLong || found != nil) {
			t.Errorf("a check that was stopped found %s (%v)", codes(found), err)
		}
		done, cancel := context.WithCancel(context.Background())
		cancel()
		if found, err := CheckContext(done, file, all); err != context.Canceled || found != nil {
			t.Errorf("a check that nobody waits for found %s (%v)", codes(found), err)
		}
		found, err := rest.Check(context.Background(), analyzer.Unlimited)
		if want := codes(Check(analyze(source.New("a.py", text)), all)); err != nil || codes(found) != want || !strings.Contains(want, "TFM601") || !strings.Contains(want, "TFM001") {
			t.Errorf("all rules found %s (%v), want %s", codes(found), err, want)
		}
	}
	if _, rest, _ := Quick(t.Context(), analyze(source.New("a.py", "import tensorflow as tf\ntf.Session()\n")), all); rest != nil {
		t.Error("rules are left that have nothing to look for")
	}
}

func codes(findings []rule.Finding) string {
	var codes []string
	for _, f := range findings {
		codes = append(codes, f.Rule.Code)
	}
	return strings.Join(codes, " ")
}
