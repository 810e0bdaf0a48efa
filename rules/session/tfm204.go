package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// TF1NameInTF2 is TFM204.
var TF1NameInTF2 = &rule.Rule{
	Code: "TFM204", Name: "tf1-name-in-tf2", Severity: rule.Error,
	Summary: "A program for TensorFlow 2 configures its GPU by names that only TensorFlow 1 has.",
	What: `
Checks for tf.Session, tf.ConfigProto, tf.GPUOptions and other names of
sessions and their options in a program for TensorFlow 2. That is certain if it
also uses something that TensorFlow 1 does not have, such as
tf.config.list_physical_devices or tf.data.AUTOTUNE. It is also assumed if the
program uses nothing else of TensorFlow 1 and either its project requires
TensorFlow 2 or it takes other names from tf.compat.v1.`,
	Why: `
In TensorFlow 2 these names are in tf.compat.v1 only. The program stops with
AttributeError (module 'tensorflow' has no attribute 'ConfigProto') before it
configures anything, or, where the error is caught, runs without the
configuration.`,
	Bad: `
import tensorflow as tf

tf.random.set_seed(1)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)`,
	Good: `
import tensorflow as tf

tf.random.set_seed(1)
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)`,
	FixSafety: `
Safe: the name is looked up where TensorFlow 2 has it. As it stands, the
program fails.`,
	Limitations: `
Programs for TensorFlow 1, "import tensorflow.compat.v1 as tf", and programs
that check the version or catch the error are not reported.`,
	References: []rule.Reference{
		rule.API("tf.compat.v1.Session"),
		rule.API("tf.compat.v1.ConfigProto"),
		rule.Guide("migrate", "Migrate to TensorFlow 2"),
	},
	Triggers: []string{"ConfigProto", "GPUOptions", "Session", "GraphOptions", "OptimizerOptions", "RunOptions", "RunMetadata"},
	Unrun:    true,
	Check:    checkTF1Name,
}

// ofSessions are the names that the rule looks for, below tensorflow.
var ofSessions = []string{
	"ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "RunMetadata", "RunOptions", "Session", "InteractiveSession",
	"train.ChiefSessionCreator", "train.MonitoredSession", "train.MonitoredTrainingSession", "train.SingularMonitoredSession",
	"train.WorkerSessionCreator",
}

func checkTF1Name(p *rule.Pass) {
	g := generationsOf(p)
	for _, n := range g.old {
		e, ok := g.underTF2(p, n)
		if !ok || guarded(n) {
			continue
		}
		needs := e.project
		if e.node.Valid() {
			needs = fmt.Sprintf("%s on %s needs", e.node.Text(), p.Line(e.node, rule.Span(n)))
		}
		f := rule.Finding{
			Span:    rule.Span(n),
			Message: fmt.Sprintf("TensorFlow 2 has this name in tf.compat.v1 only. Under TensorFlow 2, which %s, it raises %s.", needs, raises(p.File.Names(), n)),
		}
		if e.node.Valid() {
			f.Related = []rule.Related{p.Related(e.node, rule.Span(e.node), "TensorFlow 1 does not have this")}
		}
		if at := packageOf(p.File.Names(), n); at.Valid() && rule.Fixable(n) {
			f.Fixes = rule.OneFix(fmt.Sprintf("Use %s from %s.compat.v1", n.Text()[strings.LastIndexByte(n.Text(), '.')+1:], at.Text()), rule.Safe, source.Insert(at.End(), ".compat.v1"))
		}
		p.Report(f)
	}
}

// raises returns the error that using a name raises.
func raises(info *names.Info, n syntax.Node) string {
	if n.Kind() != syntax.Attribute {
		return "ImportError: cannot import name '" + n.Text() + "' from 'tensorflow'"
	}
	name := releases.BelowTensorFlow(info, n)
	if rest, ok := strings.CutPrefix(name, "train."); ok {
		return "AttributeError: module 'tensorflow._api.v2.train' has no attribute '" + rest + "'"
	}
	return "AttributeError: module 'tensorflow' has no attribute '" + name + "'"
}

// packageOf returns the package in front of a name. For an imported name it is the module of the
// import statement if all names of that statement have moved, else none.
func packageOf(info *names.Info, n syntax.Node) syntax.Node {
	if n.Kind() == syntax.Attribute {
		if root := names.Root(n); info.Qualified(root) == "tensorflow" {
			return root
		}
		return syntax.Node{}
	}
	statement := n.Ancestor(syntax.ImportFromStatement)
	module := statement.Child(syntax.FieldModuleName)
	for c := range statement.Children() {
		if c != module && c.Kind() != syntax.Comment && !slices.Contains(ofSessions, imported(c).Text()) {
			return syntax.Node{}
		}
	}
	return module
}

// imported returns the name in a from-import's list that is taken from the module.
func imported(n syntax.Node) syntax.Node {
	if n.Kind() == syntax.AliasedImport {
		return n.Child(syntax.FieldName)
	}
	return n
}

// generations are the names of a file that distinguish TensorFlow 1 from 2.
type generations struct {
	old    []syntax.Node // in TensorFlow 1 only, among those that the rule looks for
	recent []syntax.Node // in TensorFlow 2 only
	// others is set if the file uses more of TensorFlow 1. unsettled is set if the file checks
	// which of the two it runs with, or defines a missing name itself.
	others, unsettled bool
	// compat is set if the file uses names of tf.compat.v1.
	compat bool
}

func generationsOf(p *rule.Pass) *generations {
	info := p.File.Names()
	g := &generations{compat: info.Modules()["tensorflow.compat.v1"]}
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.Attribute:
				switch name := releases.BelowTensorFlow(info, n); {
				case name == "":
					g.compat = g.compat || n.Child(syntax.FieldAttribute).Text() == "v1" && info.Qualified(n) == "tensorflow.compat.v1"
				case assigned(n), strings.Contains(strings.ToLower(name), "version") && !names.Shown(n):
					g.unsettled = true
				case slices.Contains(ofSessions, name):
					g.old = append(g.old, n)
				case effects.OnlyInTF1(name):
					g.others = true
				case effects.OnlyInTF2(name):
					g.recent = append(g.recent, n)
				}
			case syntax.ImportFromStatement:
				if module := n.Child(syntax.FieldModuleName); module.Text() == "tensorflow" {
					for c := range n.Children() {
						if c != module && slices.Contains(ofSessions, imported(c).Text()) {
							g.old = append(g.old, imported(c))
						}
					}
				}
			case syntax.Call:
				if f := n.Child(syntax.FieldFunction).Text(); f == "hasattr" || f == "getattr" || f == "setattr" {
					g.unsettled = g.unsettled || info.Qualified(names.Argument(n, 0, "obj")) == "tensorflow"
				}
			default:
				g.unsettled = g.unsettled || releases.Chooses(info, test(n))
			}
			return !g.unsettled
		})
	}
	return g
}

// evidence says that code runs under TensorFlow 2: a name that only TensorFlow 2 has, or what the
// project requires.
type evidence struct {
	node    syntax.Node
	project string // the file that requires it
}

// underTF2 finds evidence that whatever runs n runs under TensorFlow 2. It is a name of TensorFlow
// 2 only, used when the module is imported, or whenever the function of n comes to n. Or it is the
// project's requirement, if the file does not look like one for TensorFlow 1.
func (g *generations) underTF2(p *rule.Pass, n syntax.Node) (evidence, bool) {
	if g.unsettled {
		return evidence{}, false
	}
	info := p.File.Names()
	for _, e := range g.recent {
		own := info.ScopeOf(e).Function()
		if !forked(e, n) && (own == nil || own == info.ScopeOf(n).Function()) {
			return evidence{node: e}, true
		}
	}
	asked := p.File.Releases().Versions().TensorFlow
	if asked.Source == "" {
		return evidence{project: "tfmem assumes because nothing names a version"}, asked.Low.Major >= 2 && !g.others && g.compat
	}
	return evidence{project: asked.Source + " asks for"}, asked.Low.Major >= 2 && !g.others
}

// assigned reports whether an attribute is given a value.
func assigned(n syntax.Node) bool {
	return n.Parent().Kind() == syntax.Assignment && n.Field() == syntax.FieldLeft
}

// forked reports whether e may not run although n does, judging by the blocks around it.
func forked(e, n syntax.Node) bool {
	for p := e; p.Parent().Valid(); p = p.Parent() {
		parent := p.Parent()
		if n.Within(parent) && parent.Kind() == syntax.Block {
			return false
		}
		switch parent.Kind() {
		case syntax.FunctionDefinition:
			// Its body runs when it is called. Decorators and defaults run at once.
			if p.Kind() == syntax.Block {
				return false
			}
		case syntax.ConditionalExpression, syntax.BooleanOperator, syntax.ElifClause, syntax.ElseClause, syntax.CaseClause,
			syntax.ExceptClause, syntax.TryStatement, syntax.Lambda, syntax.ListComprehension, syntax.SetComprehension,
			syntax.DictionaryComprehension, syntax.GeneratorExpression:
			return true
		case syntax.IfStatement:
			if p.Kind() == syntax.Block && !flow.IsMainGuard(parent.Child(syntax.FieldCondition)) {
				return true
			}
		case syntax.ForStatement, syntax.WhileStatement:
			if p.Kind() == syntax.Block {
				return true
			}
		}
	}
	return false
}

// guarded reports whether the program seems prepared for n to be missing.
func guarded(n syntax.Node) bool {
	return n.Ancestor(syntax.TryStatement, syntax.ExceptClause).Valid()
}

// test returns the condition on which a statement or expression branches, or none.
func test(n syntax.Node) syntax.Node {
	switch n.Kind() {
	case syntax.IfStatement, syntax.ElifClause, syntax.WhileStatement:
		return n.Child(syntax.FieldCondition)
	case syntax.ConditionalExpression:
		return n.FirstChild().Next()
	case syntax.BooleanOperator:
		return n.Child(syntax.FieldLeft)
	}
	return syntax.Node{}
}
