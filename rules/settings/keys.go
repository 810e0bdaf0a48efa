package settings

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/memory/host"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suggest"
)

// A Key is one key of the settings.
type Key struct {
	Name    string
	Type    string // for people
	Default string // as TOML, or in words
	Meaning string
	Example string // lines of tfmem.toml

	table bool // the value is a table
	deep  bool // the values in the table may be tables
	list  bool // the value, or each value in the table, is a list
	set   func(r *reader, l leaf) error
	// choices are the values to choose from, or the items of the list; nil if any value may
	// be given.
	choices func() []Choice
	closed  bool // no other values
}

const (
	severities = "error, warning, information or hint"
	levels     = "error, warning, information, hint or off"
)

// Keys are all keys, in the order of the documentation.
var Keys = []Key{
	{
		Name: "select", Type: "list of rules", Default: "the rules that are on by default",
		Meaning: "The rules that run: codes, prefixes of codes, or ALL. The longest prefix wins: `select = [\"TFM1\"]` with `ignore = [\"TFM101\"]` runs all of TFM1 except TFM101.",
		Example: `select = ["TFM1", "TFM601"]`,
		set:     func(r *reader, l leaf) error { return r.selectors(l, &r.out.selection.Select) },
		list:    true,
		choices: ruleChoices,
	},
	{
		Name: "extend-select", Type: "list of rules", Default: "[]",
		Meaning: "Rules that run in addition to those of select, or to the default ones.",
		Example: `extend-select = ["TFM601"]`,
		set:     func(r *reader, l leaf) error { return r.selectors(l, &r.out.selection.ExtendSelect) },
		list:    true,
		choices: ruleChoices,
	},
	{
		Name: "ignore", Type: "list of rules", Default: "[]",
		Meaning: "Rules that do not run.",
		Example: `ignore = ["TFM101"]`,
		set:     func(r *reader, l leaf) error { return r.selectors(l, &r.out.selection.Ignore) },
		list:    true,
		choices: ruleChoices,
	},
	{
		Name: "per-file-ignores", Type: "table of lists of rules", Default: "{}", table: true,
		Meaning: "Rules that do not run on files that match a glob pattern. A pattern without a slash matches the names of files and folders, any other their paths relative to the settings file. A pattern that matches a folder applies to everything in it. A leading \"!\" inverts a pattern. The command line does not turn these rules on again.",
		Example: "[per-file-ignores]\n\"tests\" = [\"ALL\"]\n\"examples/**/eager_*.py\" = [\"TFM5\"]",
		set:     setPerFileIgnores,
		list:    true,
		choices: ruleChoices,
	},
	{
		Name: "exclude", Type: "list of patterns", Default: "[]",
		Meaning: "Files and folders that a search skips, in addition to .venv, build and similar folders. Patterns work as in per-file-ignores. A file named on the command line is still checked, except with --force-exclude.",
		Example: `exclude = ["third_party", "notebooks/old"]`,
		set:     setExclude,
		list:    true,
	},
	{
		Name: "severity", Type: "table of severities", Default: "{}", table: true,
		Meaning: "The severity of findings, by rule code, prefix of codes or ALL: " + levels + ". A rule that is off does not run. A severity does not turn a rule on.",
		Example: "[severity]\nTFM101 = \"error\"\nTFM5 = \"off\"",
		set:     setSeverity,
		choices: func() []Choice { return wordsOf(levels) },
		closed:  true,
	},
	{
		Name: "fail-on", Type: "severity", Default: `"warning"`,
		Meaning: "The exit code is 1 if a finding has this severity or a higher one: " + severities + ". --fail-on overrides it.",
		Example: `fail-on = "error"`,
		set:     setFailOn,
		choices: func() []Choice { return wordsOf(severities) },
		closed:  true,
	},
	{
		Name: "gpu", Type: "string", Default: `"auto"`,
		Meaning: "The GPU to compare models with: \"auto\" for this machine's, \"none\", a name, a size such as \"24GiB\", or the path of a file with the output of `tfmem gpu --output-format json` from the training machine. The path is relative to the settings file, and the file must be in the workspace. --gpu and the environment variable TFMEM_GPU override the key.",
		Example: `gpu = "RTX 3090"`,
		set:     setGPU,
		choices: func() []Choice { return wordsOf("auto, none") },
	},
	{
		Name: "ram", Type: "string", Default: `"auto"`,
		Meaning: "The machine whose own memory data, caches and buffers are compared with: a size such as \"16GiB\", the name of a machine (" + strings.Join(host.Names(), ", ") + "), \"none\", or \"auto\": in an editor and a notebook the one that tfmem runs on, in a check none, so that a small machine that checks fails nothing. --ram overrides the key.",
		Example: `ram = "colab"`,
		set:     setMachine,
		choices: func() []Choice {
			out := wordsOf("auto, none")
			for _, name := range host.Names() {
				out = append(out, Choice{Name: name, Text: name})
			}
			return out
		},
	},
	{
		Name: "tensorflow", Type: "string", Default: `"auto"`,
		Meaning: "The project's version of TensorFlow: a release such as \"2.13\", a range such as \">=2.4,<2.16\", or \"auto\". With \"auto\" it is read from the project's lock file, requirements (requirements.txt, environment.yml, pyproject.toml, Pipfile, setup.cfg or setup.py, in the file's folder or the nearest one above) or virtual environment; if none names a version, it is the newest.",
		Example: `tensorflow = "2.13"`,
		set: func(r *reader, l leaf) error {
			return r.version(l, &r.out.Versions.TensorFlow, tensorflows)
		},
		choices: func() []Choice { return wordsOf("auto, " + strings.Join(tensorflows, ", ")) },
	},
	{
		Name: "keras", Type: "string", Default: `"auto"`,
		Meaning: "The version of Keras behind tf.keras: \"2\", \"3\", a release, a range or \"auto\". With \"auto\" it is the one that the project requires, or else the one that comes with its TensorFlow: Keras 3 from 2.16 on. A program that sets TF_USE_LEGACY_KERAS or imports tf_keras needs no key.",
		Example: `keras = "2"`,
		set: func(r *reader, l leaf) error {
			return r.version(l, &r.out.Versions.Keras, []string{"2", "3"})
		},
		choices: func() []Choice { return wordsOf("auto, 2, 3") },
	},
	{
		Name: "inlay-hints", Type: "list of hints", Default: `["memory", "layers"]`,
		Meaning: "Inlay hints of the editor: \"memory\" next to batch sizes, \"layers\" for the output and parameters of each layer; `[]` for none.",
		Example: `inlay-hints = ["memory"]`,
		set:     setInlayHints,
		list:    true,
		choices: func() []Choice { return wordsOf("memory, layers") },
		closed:  true,
	},
	{
		Name: "entry-points", Type: "list of patterns", Default: "[]",
		Meaning: "Files that are programs, which people run, and neither tests nor modules that others import, whatever their names and contents suggest. Patterns work as in per-file-ignores.",
		Example: `entry-points = ["train.py", "scripts/*.py"]`,
		set:     setEntryPoints,
		list:    true,
	},
	{
		Name: "baseline", Type: "string", Default: "none",
		Meaning: "The path, relative to the settings file, of a file with findings that are known: `tfmem check` and the language server show only others. `tfmem check --write-baseline` writes it. The file must be in the workspace. --baseline overrides the key.",
		Example: `baseline = "tfmem-baseline.json"`,
		set:     setBaseline,
	},
	{
		Name: "docs-url", Type: "string", Default: "none",
		Meaning: "The address of a copy of the rules' pages, for the links of findings: one in which `{code}` or `{name}` stand for the rule's, or that of a copy of rules/README.md. Without it an editor shows the page that tfmem itself writes into the user's cache, and reports have no links.",
		Example: `docs-url = "https://example.org/tfmem/{code}.html"`,
		set:     setDocsURL,
	},
	{
		Name: "assume", Type: "table of values", Default: "{}", table: true, deep: true,
		Meaning: "What only a run would tell of values: their value, or the shape, the columns or the rows of data. A key is an expression as the program writes it, a file that the program reads, or the line of a file, such as \"src/train.py:12\"; \"src/train.py:n\" is an expression of one file. A comment `# tfmem: columns=30` says the same where it stands.",
		Example: "[assume]\n\"train.csv\" = { columns = 30 }\n\"config.vocab_size\" = 8000\n\"x_train\" = { shape = \"(None, 28, 28)\" }",
		set:     setAssume,
	},
	{
		Name: "observed", Type: "string", Default: "none",
		Meaning: "The path, relative to the settings file, of a file that `tfmem probe -o FILE` wrote: what a run of the program told of values that its text leaves open. An observation holds while the statement that binds its name is the same. Without the key, those of the last probe on this machine count. The file must be in the workspace. --observed overrides the key.",
		Example: `observed = "observed.json"`,
		set:     setObserved,
	},
	{
		Name: "extend", Type: "string", Default: "none",
		Meaning: "The path, relative to this file, of another settings file in the workspace that provides the keys this one does not have. extend-select, ignore and severity add to the other file's; select replaces the rules that the other file selects and ignores.",
		Example: `extend = "../tfmem.toml"`,
		set: func(r *reader, l leaf) error {
			path, err := r.text(l)
			if err == nil && path == "" {
				err = r.errorf(l.at, "extend names no file")
			}
			r.extend, r.extendAt = path, l.at
			return err
		},
	},
}

// tensorflows are releases that people name.
var tensorflows = []string{"1.15", "2.10", "2.13", "2.15", effects.NewestTensorFlow.String()}

// The kinds of inlay hints.
const (
	MemoryHints = "memory"
	LayerHints  = "layers"
)

var inlayHints = []string{MemoryHints, LayerHints}

// LookupKey finds a key by its name, or returns nil.
func LookupKey(name string) *Key {
	for i := range Keys {
		if Keys[i].Name == name {
			return &Keys[i]
		}
	}
	return nil
}

// KeyNames returns the names of all keys.
func KeyNames() []string {
	names := make([]string, len(Keys))
	for i, k := range Keys {
		names[i] = k.Name
	}
	return names
}

// selectors reads a list of rules. An empty list differs from a missing one: it selects nothing.
func (r *reader) selectors(l leaf, to *[]string) error {
	items, err := r.list(l, `rules, such as ["TFM1", "TFM601"]`)
	if err != nil {
		return err
	}
	for _, i := range items {
		s, err := rules.ParseSelector(i.text)
		if err != nil {
			return r.errorf(i.at, "%s: %w", l.key.Name, err)
		}
		*to = append(*to, s)
	}
	if len(items) == 0 && to == &r.out.selection.Select {
		// ALL, the shortest prefix, ignores; any other prefix selects again.
		*to, r.out.selection.Ignore = []string{"ALL"}, append(r.out.selection.Ignore, "ALL")
	}
	return nil
}

func setPerFileIgnores(r *reader, l leaf) error {
	f, err := newFileIgnores(r.folder, l.path[1])
	if err != nil {
		return r.errorf(l.at, "%w", err)
	}
	if err := r.selectors(l, &f.rules); err != nil {
		return err
	}
	r.out.perFileIgnores = append(r.out.perFileIgnores, f)
	return nil
}

// setAssume reads what is said of a value. It is made a hint as comments have it, so that both are
// read alike.
func setAssume(r *reader, l leaf) error {
	of, kind := l.path[1:], hints.Value
	if last := len(of) - 1; last > 0 && slices.Contains(hints.Kinds, hints.Kind(of[last])) {
		of, kind = of[:last], hints.Kind(of[last])
	}
	said, ok := l.value.text, true
	switch v := l.value; {
	case v.kind == unstable.Array:
		var parts []string
		for _, item := range v.values {
			parts = append(parts, item.text)
		}
		said = "(" + strings.Join(parts, ", ") + ")"
	case v.kind == unstable.Bool:
		said = map[string]string{"true": "True", "false": "False"}[v.text]
	case v.kind == unstable.String && kind == hints.Value:
		said = fmt.Sprintf("'%s'", v.text)
	case v.kind == unstable.InlineTable:
		ok = false
	}
	name, text := strings.Join(of, "."), string(kind)+"="+said
	if r.path == inEditor && l.value.kind == unstable.String && kind == hints.Value {
		text = typed(l.value.text)
	}
	found, wrong := hints.Read(text)
	switch {
	case len(wrong) > 0:
		return r.errorf(l.value.at, "assume: %q: %s", name, wrong[0].Why)
	case !ok || len(found) == 0 || strings.TrimSpace(name) == "":
		return r.errorf(l.value.at, "assume: %q is a number, a text or a table, such as\n%s", name, l.key.Example)
	}
	if why := aimless(of, name); why != "" {
		return r.errorf(l.at, "assume: %s", why)
	}
	if r.out.Assume == nil {
		r.out.Assume = &hints.Table{}
	}
	for _, h := range found {
		h.Of, h.From = name, r.place(l.at)
		r.out.Assume.Add(h)
	}
	return nil
}

// aimless says why a key of assume can be about nothing. A file with a dot has no parts.
func aimless(of []string, name string) string {
	last := len(of) - 1
	if last > 0 && strings.ContainsAny(of[last-1], "./") {
		var kinds []string
		for _, k := range hints.Kinds {
			kinds = append(kinds, string(k))
		}
		return fmt.Sprintf("%q: there is nothing called %s%s", strings.Join(of[:last], "."), of[last], suggest.DidYouMean(of[last], kinds))
	}
	_, subject := (&hints.Hint{Of: name}).Subject()
	line, err := strconv.Atoi(subject)
	switch isLine := subject != name && err == nil && line > 0; {
	case isLine, path.Ext(subject) != "", isExpression(subject):
		return ""
	}
	return fmt.Sprintf("%q is neither an expression, a file nor the line of a file", name)
}

// isExpression reports whether a text is an expression of Python that a program can take from
// outside, or what an assignment binds.
func isExpression(text string) bool {
	tree := syntax.Parse(text)
	if tree.HasErrors() || tree.Len() != 1 || !tree.Statement(0).Is(syntax.ExpressionStatement) {
		return false
	}
	for n := range tree.Statement(0).Children() {
		if !n.Is(syntax.Identifier, syntax.Attribute, syntax.Subscript, syntax.Call, syntax.Tuple, syntax.List) && n.Text() != "," {
			return false
		}
	}
	return true
}

// typed returns the hint in a text, which is all that a table of VS Code's settings editor has: as
// in a comment, such as "columns=30, rows=1000", a literal of Python, or else a text.
func typed(text string) string {
	if kind, _, ok := strings.Cut(text, "="); ok && slices.Contains(hints.Kinds, hints.Kind(strings.TrimSpace(kind))) {
		return text
	}
	literal := string(hints.Value) + "=" + text
	if found, wrong := hints.Read(literal); len(found) == 1 && len(wrong) == 0 {
		return literal
	}
	return fmt.Sprintf("%s='%s'", hints.Value, text)
}

func setExclude(r *reader, l leaf) (err error) {
	r.out.exclude, err = r.patterns(l, `patterns, such as ["third_party"]`)
	return err
}

func setEntryPoints(r *reader, l leaf) (err error) {
	r.out.entryPoints, err = r.patterns(l, `patterns, such as ["train.py"]`)
	return err
}

// patterns reads a list of patterns. It is not nil: an empty list replaces that of extend.
func (r *reader) patterns(l leaf, of string) ([]pattern, error) {
	items, err := r.list(l, of)
	if err != nil {
		return nil, err
	}
	out := []pattern{}
	for _, i := range items {
		p, err := newPattern(r.folder, i.text)
		if err != nil {
			return nil, r.errorf(i.at, "%w", err)
		}
		out = append(out, p)
	}
	return out, nil
}

// newFileIgnores makes the entry of a glob, which "!" may invert.
func newFileIgnores(folder, glob string) (fileIgnores, error) {
	glob, negated := strings.CutPrefix(glob, "!")
	p, err := newPattern(folder, glob)
	return fileIgnores{pattern: p, negated: negated}, err
}

func newPattern(folder, glob string) (pattern, error) {
	if !validGlob(glob) {
		return pattern{}, fmt.Errorf("%q is not a file pattern; examples are \"tests\", \"src/*.py\" and \"src/**/old_*.py\"", glob)
	}
	return pattern{folder: folder, glob: glob}, nil
}

func setSeverity(r *reader, l leaf) error {
	code, err := rules.ParseSelector(l.path[1])
	if err != nil {
		return r.errorf(l.at, "severity: %w", err)
	}
	text, err := r.text(l)
	if err != nil {
		return err
	}
	if r.out.severity == nil {
		r.out.severity = map[string]level{}
	}
	if text == "off" {
		r.out.severity[code] = level{off: true}
		return nil
	}
	s, err := r.severity(l, text, levels)
	if err == nil {
		r.out.severity[code] = level{severity: s}
	}
	return err
}

func setInlayHints(r *reader, l leaf) error {
	items, err := r.list(l, `hints, such as ["memory", "layers"]`)
	if err != nil {
		return err
	}
	r.out.InlayHints = []string{} // not nil: an empty list shows none
	for _, i := range items {
		if !slices.Contains(inlayHints, i.text) {
			return r.errorf(i.at, "inlay-hints: %q is neither memory nor layers%s", i.text, suggest.DidYouMean(i.text, inlayHints))
		}
		r.out.InlayHints = append(r.out.InlayHints, i.text)
	}
	return nil
}

func setFailOn(r *reader, l leaf) error {
	text, err := r.text(l)
	if err != nil {
		return err
	}
	s, err := r.severity(l, text, severities)
	if err == nil {
		r.out.FailOn = &s
	}
	return err
}

func (r *reader) severity(l leaf, text, known string) (rule.Severity, error) {
	s, err := rule.ParseSeverity(text)
	if err != nil {
		var words []string
		for _, c := range wordsOf(known) {
			words = append(words, c.Text)
		}
		return 0, r.errorf(l.value.at, "%s: %q is not one of %s%s", l.key.Name, text, known, suggest.DidYouMean(text, words))
	}
	return s, nil
}

func setGPU(r *reader, l leaf) error {
	text, err := r.text(l)
	if err != nil || r.gpu == nil {
		return err
	}
	if r.out.GPU, err = r.gpu(text); err != nil {
		return r.errorf(l.value.at, "gpu: %w", err)
	}
	r.out.GPUFrom = filepath.Base(r.path)
	return nil
}

func setMachine(r *reader, l leaf) error {
	text, err := r.text(l)
	switch {
	case err != nil:
		return err
	case text == "auto":
		r.detects(l)
		return nil
	}
	m, err := host.Parse(text)
	if err != nil {
		return r.errorf(l.value.at, "ram: %w", err)
	}
	m.Source = "named by " + filepath.Base(r.path)
	r.out.Machine = &m
	return nil
}

// detects records that a key asks to detect its value.
func (r *reader) detects(l leaf) {
	if r.out.automatic == nil {
		r.out.automatic = map[string]bool{}
	}
	r.out.automatic[l.key.Name] = true
}

func setObserved(r *reader, l leaf) error {
	text, err := r.text(l)
	if err != nil {
		return err
	}
	if text == "" {
		return r.errorf(l.value.at, "observed names no file")
	}
	if r.out.Observed, err = r.file(text); err != nil {
		return r.errorf(l.value.at, "observed: %w", err)
	}
	r.out.ObservedFrom = r.place(l.at)
	return nil
}

func setBaseline(r *reader, l leaf) error {
	text, err := r.text(l)
	if err != nil {
		return err
	}
	if text == "" {
		return r.errorf(l.value.at, "baseline names no file")
	}
	if r.out.Baseline, err = r.file(text); err != nil {
		return r.errorf(l.value.at, "baseline: %w", err)
	}
	return nil
}

// isAddress matches an address of the web.
var isAddress = regexp.MustCompile(`^https?://[^\s/{}"<>]+(/[^\s{}"<>]*)?$`)

func setDocsURL(r *reader, l leaf) error {
	text, err := r.text(l)
	if err != nil {
		return err
	}
	if !isAddress.MatchString(strings.NewReplacer("{code}", "code", "{name}", "name").Replace(text)) {
		return r.errorf(l.value.at, "docs-url: %q is no address of the web, such as https://example.org/tfmem/{code}.html", text)
	}
	r.out.DocsURL = text
	return nil
}

// version reads the version of a library.
func (r *reader) version(l leaf, to *effects.Stated, such []string) error {
	text, err := r.text(l)
	if err != nil {
		return err
	}
	if text == "auto" {
		r.detects(l)
		return nil
	}
	named, err := effects.ParseRange(text)
	if newest := such[len(such)-1]; err != nil || named == (effects.Range{}) {
		return r.errorf(l.value.at, "%s: %q is neither \"auto\" nor a version such as %q or \">=%s\"%s", l.key.Name, text, newest, such[0], suggest.DidYouMean(text, append(such, "auto")))
	}
	to.Range, to.Source = named, r.place(l.value.at)
	return nil
}

// unknownKey rejects an unknown key.
func (r *reader) unknownKey(l leaf) error {
	name := l.path[0]
	if name == "tool" {
		return r.errorf(l.at, "this file has only tfmem's settings: write its keys without [tool.tfmem]")
	}
	advice := suggest.DidYouMean(name, KeyNames())
	if advice == "" {
		advice = fmt.Sprintf("; the keys are %s", strings.Join(KeyNames(), ", "))
	}
	return r.errorf(l.at, "unknown key %q%s", name, advice)
}
