package session

import (
	"fmt"
	"slices"
	"strings"

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
