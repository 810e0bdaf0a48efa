// Package rule defines what a rule is, what it finds and how a finding is fixed.
//
// A rule is a value with its documentation beside its check. It uses qualified names and the facts
// of [analyzer.File]. It never reads or writes files, and knows neither the command line nor LSP.
package rule

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Severity says how certain a problem is, and how bad.
type Severity uint8

const (
	Hint Severity = iota
	Information
	Warning
	Error
)

var severityNames = [...]string{"hint", "information", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads a severity's name.
func ParseSeverity(name string) (Severity, error) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q; the severities are %s", name, strings.Join(severityNames[:], ", "))
}

// An Applicability says what applying a fix may do to a program.
type Applicability uint8

const (
	// Display is for showing only.
	Display Applicability = iota
	// Unsafe fixes may change what the program computes, and say how.
	Unsafe
	// Safe fixes never change what the program computes.
	Safe
)

var applicabilityNames = [...]string{"display", "unsafe", "safe"}

func (a Applicability) String() string {
	if int(a) < len(applicabilityNames) {
		return applicabilityNames[a]
	}
	return fmt.Sprintf("Applicability(%d)", uint8(a))
}

// A Rule checks for one kind of problem.
type Rule struct {
	Code     string   // "TFM101"
	Name     string   // "missing-memory-growth": the problem
	Severity Severity // unless a finding has its own
	Summary  string   // one sentence: what the rule finds

	What      string // "What it does"
	Why       string // "Why is this bad?"
	Bad, Good string // an example that fires, and the same one fixed
	// GPU and Keras are what the examples need: a size such as "24 GiB", a release such as "3.8".
	// RAM is that of the machine itself, and Job the options of a job of Slurm that starts them. They are
	// empty if any will do.
	GPU, Keras, RAM, Job string
	FixSafety            string // what its fixes may change; empty if it has none

	Limitations string      // what it misses, or leaves out on purpose
	References  []Reference // where TensorFlow, Keras or Python documents what the rule relies on

	// Triggers are the words that make the rule run: a text with none of them has no finding. nil
	// means that the rule always runs.
	Triggers []string
	// Imported is set if the triggers may also be in a module that the file imports.
	Imported bool

	// OffByDefault is set if the rule runs only when it is selected, because most users
	// have no use for its findings.
	OffByDefault bool

	// Unrun is set if the rule is about how something is written, so that its findings hold even
	// where the program surely ends before it gets there.
	Unrun bool

	// Syntax is set if the rule is about text that does not parse. While somebody types, it alone is
	// about the present text, and an editor shows what is new only once typing pauses.
	Syntax bool

	// Always is set if the rule is about the analysis itself. It runs whatever is selected, unless
	// it is ignored.
	Always bool

	// Priced is set if the rule may ask for the file's models, or is about the findings of rules
	// that do. The program is then interpreted and its models are priced, which may take longer
	// than all other rules together. An editor shows the findings of the other rules first.
	Priced bool

	// Failed is set if the rule is about a notebook's cells that failed. It runs where there are any.
	Failed bool

	// DependsOnGPU is set if the same text may have a finding with one GPU and none with another,
	// so that a suppression comment may be useful elsewhere.
	DependsOnGPU bool

	// Check is nil for a rule about the findings of all others.
	Check func(*Pass)
}

// A Reference is a page that documents what a rule relies on.
type Reference struct{ Title, URL string }

// API returns TensorFlow's page about a symbol: "tf.config.list_physical_devices", or
// "tf.Graph#finalize" for a method.
func API(symbol string) Reference {
	return Reference{
		"TensorFlow API: " + strings.ReplaceAll(symbol, "#", "."),
		"https://www.tensorflow.org/api_docs/python/" + strings.ReplaceAll(symbol, ".", "/"),
	}
}

// Guide returns a page of TensorFlow's guide.
func Guide(page, title string) Reference {
	return Reference{"TensorFlow guide: " + title, "https://www.tensorflow.org/guide/" + page}
}

// Keras returns a page of Keras's API documentation.
func Keras(page, title string) Reference {
	path, anchor, found := strings.Cut(page, "#")
	if found {
		anchor = "#" + anchor
	}
	return Reference{"Keras API: " + title, "https://keras.io/api/" + path + "/" + anchor}
}

// site is the address of the page of all rules, "" until it is published (.ci/publish).
const site = ""

// URL returns the address of the rule's documentation, "" if there is none. docs is what the
// setting docs-url says: an address with {code} or {name} in it, or that of the page of all rules.
func (r *Rule) URL(docs string) string {
	switch docs = cmp.Or(docs, site); {
	case docs == "":
		return ""
	case strings.Contains(docs, "{"):
		return strings.NewReplacer("{code}", r.Code, "{name}", r.Name).Replace(docs)
	}
	return docs + "#" + strings.ToLower(r.Code) + "-" + r.Name
}

// Markdown returns the rule's documentation, which the command line, the hover and the
// documentation page show.
func (r *Rule) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s (%s)\n\n%s Severity: %s%s.\n\n", r.Name, r.Code, r.Summary, r.Severity, r.unlessSelected())
	fmt.Fprintf(&b, "## What it does\n%s\n\n## Why is this bad?\n%s\n\n", strings.TrimSpace(r.What), strings.TrimSpace(r.Why))
	if r.Bad != "" {
		fmt.Fprintf(&b, "## Example\n%s```python\n%s\n```\n\nUse instead:\n```python\n%s\n```\n", r.given(), strings.TrimSpace(r.Bad), strings.TrimSpace(r.Good))
	}
	if r.FixSafety != "" {
		fmt.Fprintf(&b, "\n## Fix safety\n%s\n", strings.TrimSpace(r.FixSafety))
	}
	if r.Limitations != "" {
		fmt.Fprintf(&b, "\n## Known limitations\n%s\n", strings.TrimSpace(r.Limitations))
	}
	if len(r.References) > 0 {
		b.WriteString("\n## References\n")
		for _, ref := range r.References {
			fmt.Fprintf(&b, "- [%s](%s)\n", ref.Title, ref.URL)
		}
	}
	return b.String()
}

// given returns a line that says what the examples need, or "".
func (r *Rule) given() string {
	switch {
	case r.RAM != "":
		return "On a machine with " + r.RAM + " of memory:\n"
	case r.Job != "":
		return "In a job with " + r.Job + ":\n"
	case r.GPU != "":
		return "On a GPU of " + r.GPU + ":\n"
	case r.Keras != "":
		return "With Keras " + r.Keras + ":\n"
	}
	return ""
}

// unlessSelected returns the note that follows a rule's severity if the rule does not run by
// default.
func (r *Rule) unlessSelected() string {
	if r.OffByDefault {
		return "; off by default"
	}
	return ""
}

// Brief returns the rule's summary, and that it is off by default where it is: for lists of rules.
func (r *Rule) Brief() string {
	if r.OffByDefault {
		return r.Summary + " Off by default."
	}
	return r.Summary
}

// A Finding is one place where a rule fires. Spans are in the file's joined text.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Span     source.Span
	Message  string
	Fixes    []Fix         // the preferred one first
	FixesAt  []source.Span // where else an editor offers these
	Related  []Related
	Tags     []Tag
	// Bug is set if the finding says that a rule failed.
	Bug *Failure
	// Causes are the codes of rules whose findings in the file may be the cause of this one. It is
	// related to them, and an editor offers their fixes here, too.
	Causes []string
}

// Line returns the text of the line on which a finding in s starts, without indentation. A finding
// about a whole file has none.
func (f *Finding) Line(s *source.Source) string {
	if f.Span.Len() == 0 {
		return ""
	}
	at := s.Place(f.Span)
	lines := s.Segments()[at.Segment].Lines()
	span := lines.Span(lines.Line(at.Span.Start))
	return strings.TrimSpace(lines.Text()[span.Start:span.End])
}

// A Tag says how an editor may draw a finding.
type Tag uint8

const (
	Unnecessary Tag = iota + 1
	Deprecated
)

// A Fix is a set of edits that resolves a finding.
type Fix struct {
	Message       string // imperative: "Set memory growth on every GPU"
	Applicability Applicability
	Edits         []source.Edit // of the finding's file
	Elsewhere     Elsewhere
	// Unless is the code of a rule whose fixes resolve the same problem in another way. While one
	// of those is applied, this fix is not. It is empty for most fixes.
	Unless string
}

// OneFix returns the only fix of a finding, whose edits are all in the finding's file.
func OneFix(message string, a Applicability, edits ...source.Edit) []Fix {
	return []Fix{{Message: message, Applicability: a, Edits: edits}}
}

// Elsewhere is the number that a fix writes in another file than the finding's: settings that the
// program reads, or a module of it. The zero Elsewhere writes none. A plan may make other edits there.
type Elsewhere struct {
	Source *source.Source `json:"-"`
	Span   source.Span    `json:",omitzero"`
	Number int64          `json:",omitzero"`
	Others []source.Edit  `json:",omitempty"`
}

// Edits are those of the other file.
func (e Elsewhere) Edits() []source.Edit {
	if e.Source == nil || len(e.Others) > 0 {
		return e.Others
	}
	return []source.Edit{{Span: e.Span, New: strconv.FormatInt(e.Number, 10)}}
}

// Apart reports whether a fix edits the finding's file and another one. Only an editor makes both.
func (f *Fix) Apart() bool { return f.Elsewhere.Source != nil && len(f.Edits) > 0 }

// A Related place is evidence for a finding.
type Related struct {
	Span    source.Span
	Message string
	// Source is the text that Span refers to, if it is not the finding's file.
	Source *source.Source
}

// A Pass is one run of one rule over one file.
type Pass struct {
	File *analyzer.File

	rule     *Rule
	findings *[]Finding
	reported map[source.Span]bool
}

// A Failure is a bug of a rule: it panicked.
type Failure struct {
	Rule  *Rule
	Value any
	Stack []byte
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Rule.Code, f.Value) }

// Run appends the findings of r in file to findings. If it returns where the rule exceeded its
// account, or that it failed, the rule has no findings.
func Run(r *Rule, file *analyzer.File, findings *[]Finding) (spent *account.Spent, failed *Failure) {
	before := len(*findings)
	defer func() {
		switch p := recover().(type) {
		case nil:
		case account.Interruption:
			panic(p)
		default:
			failed = &Failure{r, p, debug.Stack()}
		}
		if spent != nil || failed != nil {
			*findings = (*findings)[:before]
		}
	}()
	return file.Within(func() { r.Check(&Pass{File: file, rule: r, findings: findings, reported: map[source.Span]bool{}}) }), nil
}

// Report adds a finding with the rule's own severity. [Pass.ReportAs] takes another severity.
func (p *Pass) Report(f Finding) { p.ReportAs(p.rule.Severity, f) }

// ReportAs is Report with a given severity. A rule reports a place once, however many ways lead there:
// the first finding stays. What is about the whole file has no place. Code that never runs has no findings, except for those of rules about names
// and arguments: it may run once the program is mended.
func (p *Pass) ReportAs(s Severity, f Finding) {
	if f.Span.Len() > 0 && p.reported[f.Span] {
		return
	}
	if at := p.File.Tree.NodeAt(f.Span.Start, f.Span.End); at.Valid() && (p.File.Names().NeverRuns(at) || !p.rule.Unrun && p.File.Unreached(at)) {
		return
	}
	p.reported[f.Span] = true
	f.Rule, f.Severity = p.rule, s
	*p.findings = append(*p.findings, f)
}

// Related returns a place as evidence, with span marked. The node may be in the file or in another
// module of its program.
func (p *Pass) Related(n syntax.Node, span source.Span, message string) Related {
	r := Related{Span: span, Message: message}
	if !p.Here(n) {
		r.Source = p.File.SourceOf(n)
	}
	return r
}

// Nearest returns the last node of the checked file on the path to an event, or none. It is the
// event's own node, or the call or import in the file that leads to it.
func (p *Pass) Nearest(e *flow.Event) syntax.Node {
	if p.Here(e.Node) {
		return e.Node
	}
	for _, n := range slices.Backward(e.Path) {
		if p.Here(n) {
			return n
		}
	}
	return syntax.Node{}
}

// Line says where a node starts, for a message that is shown at a span of the file: "line 3", with
// the cell if it is another one, or "line 3 of model.py" if it is another file.
func (p *Pass) Line(n syntax.Node, shown source.Span) string {
	if p.Here(n) {
		return p.LineOf(n.Start(), shown)
	}
	s := p.File.SourceOf(n)
	if s == nil {
		return "a line of another module"
	}
	return fmt.Sprintf("line %d of %s", s.Segments()[0].Lines().Line(n.Start())+1, s.Path)
}

// Here reports whether a node is in the checked file, rather than in another module of its program.
func (p *Pass) Here(n syntax.Node) bool { return n.Tree() == p.File.Tree }
