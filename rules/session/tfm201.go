package session

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/releases"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// SessionWithoutGrowth is TFM201.
var SessionWithoutGrowth = &rule.Rule{
	Code: "TFM201", Name: "session-without-growth", Severity: rule.Information,
	Summary: "The first session of a program is opened without memory growth.",
	What: `
Checks scripts for the first session that is opened: a Session, a
MonitoredTrainingSession or one of its kind, a Supervisor's, an Estimator's.
The options of that session apply to the whole process. The rule reports it if
neither its ConfigProto nor anything else in the program says how much GPU
memory it may take: growth, a fraction, no visible GPU, an environment
variable, or tf.config, which a session without a ConfigProto follows. It also
reports tf.test.gpu_device_name() and device_lib.list_local_devices() before
the session: they take the memory themselves, and the session's options come
too late.`,
	Why: `
By default TensorFlow reserves nearly all free memory of every visible GPU when
a session first uses one, and gives none of it back before the process ends,
even if the session is closed. A second process on that GPU then finds no
memory. With growth, TensorFlow reserves memory as the graph needs it. Growth
changes what is reserved, not what the graph needs.`,
	Bad: `
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
with tf.Session() as session:
    session.run(train_op)`,
	Good: `
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(train_op)`,
	FixSafety: `
Safe: growth changes how memory is reserved, not what is computed. A session
without a config gets one with the defaults that TensorFlow would use.`,
	Limitations: `
Library modules, tests and TPU code are not checked, nor is
InteractiveSession() without a config, which sets growth itself. A program that
opens no session and keeps eager execution on, or runs an eager operation
first, is checked by TFM101 instead.`,
	References: []rule.Reference{
		rule.API("tf.compat.v1.Session"),
		rule.API("tf.compat.v1.ConfigProto"),
		rule.API("tf.compat.v1.GPUOptions"),
	},
	Triggers: []string{"Session", "stimator", "Supervisor"},
	Imported: true,
	Check:    checkWithoutGrowth,
}

func checkWithoutGrowth(p *rule.Pass) {
	program := p.File.Flow()
	if p.File.Role().Kind == facts.Test {
		return
	}
	if reportTaken(p, program) {
		return
	}
	first, graph := firstSession(p, program)
	if first == nil || !p.Here(first.Outermost()) || rule.MayBeConfiguredElsewhere(program) {
		return
	}
	s := sessions.Open(p.File.Names(), first.Node)
	if s.Elsewhere || s.Name == "InteractiveSession" && s.Absent() || failsInTF2(p, first.Node) {
		return
	}
	growth, decided := decided(p)
	if decided {
		return
	}
	if s.Absent() {
		if growth != nil || len(unused(p)) > 0 {
			return // TensorFlow's own options, or reported by TFM202
		}
	} else if sessions.NewReader(p.File.Names()).Read(s.Config, s.Config).Decides() || growth != nil && !growth.MaybeBefore(first) {
		return
	}
	report(p, first, s, growth, graph)
}

// reportTaken reports a call before the first session that takes the GPUs' memory when it looks for
// them.
func reportTaken(p *rule.Pass, program *flow.Program) bool {
	taker, session := takenBefore(p, program)
	if taker == nil || !p.Here(taker.Outermost()) || rule.MayBeConfiguredElsewhere(program) || failsInTF2(p, session.Node) {
		return false
	}
	if growth, decided := decided(p); decided || growth != nil {
		return false // in time, or reported by TFM103
	}
	at := p.Nearest(taker)
	span := rule.Callee(at)
	f := rule.Finding{
		Span: span,
		Message: fmt.Sprintf("%s takes nearly all free memory of every visible GPU. The options of the session on %s come too late: "+
			"a process creates the allocator once, when it first uses a GPU. Look for GPUs after opening the session, or, in TensorFlow 2, with tf.config.list_physical_devices(\"GPU\").",
			taker.Node.Child(syntax.FieldFunction).Text()+"()", p.Line(session.Node, span)),
		Related: []rule.Related{p.Related(session.Node, rule.Callee(session.Node), "the session")},
	}
	if at != taker.Node {
		f.Related = append(f.Related, p.Related(taker.Node, rule.Callee(taker.Node), "the memory is taken here"))
	}
	p.Report(f)
	return true
}

// takenBefore returns the call that has surely taken the GPUs' memory before the first session is
// sessions.Session, and that session. Both are nil if nothing has, or if something that runs before may have.
func takenBefore(p *rule.Pass, program *flow.Program) (taker, session *flow.Event) {
	graph := false
	for i := range program.Module.Events {
		e := &program.Module.Events[i]
		switch {
		case e.Effects.Has(effects.OpensSession):
			if taker == nil || !taker.BeforeWhere(e, rule.WithGPU(p.File.Names())) || e.Context&flow.InWorker != 0 {
				return nil, nil
			}
			return taker, e
		case taker != nil:
		case rule.TakesGPUs(e):
			taker = e
		case e.Effects.Has(effects.GraphMode):
			graph = true
		case e.Effects.Has(effects.MakesAllocator), e.Effects.Has(effects.Initialises|effects.MayInitialise) && !graph && e.Context&flow.InGraph == 0 && !p.File.Releases().BuildsGraphs().Found():
			return nil, nil
		}
	}
	return nil, nil
}

// firstSession returns the event that opens the first session of the module's own run, or nil if
// something before it may have taken the GPU already. graph is set if operations build a graph
// there.
func firstSession(p *rule.Pass, program *flow.Program) (first *flow.Event, graph bool) {
	for i := range program.Module.Events {
		e := &program.Module.Events[i]
		switch {
		case e.Effects.Has(effects.OpensSession):
			return e, graph || e.Context&flow.InGraph != 0 || p.File.Releases().BuildsGraphs().Found()
		case e.Effects.Has(effects.GraphMode):
			graph = true
		case e.Effects.Has(effects.MakesAllocator), (graph || e.Context&flow.InGraph != 0) && e.Effects.Has(effects.Trains|effects.Infers|effects.LoadsModel|effects.LoadsWeights):
			return nil, false // in a graph, Keras opens its own session
		case e.Effects.Has(effects.Initialises) && strings.HasPrefix(e.Name, "tensorflow.distribute."):
			return nil, false // a strategy looks for its GPUs with or without eager execution
		case e.Effects.Has(effects.Initialises|effects.MayInitialise) && !graph && e.Context&flow.InGraph == 0:
			if graph = p.File.Releases().BuildsGraphs().Found(); !graph {
				return nil, false
			}
		}
	}
	return nil, false
}

// failsInTF2 reports whether TFM204 reports the name of a call as missing.
func failsInTF2(p *rule.Pass, call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	if !p.Here(call) || !effects.OnlyInTF1(releases.BelowTensorFlow(p.File.Names(), function)) {
		return false
	}
	_, fails := generationsOf(p).underTF2(p, function)
	return fails
}

func report(p *rule.Pass, first *flow.Event, s sessions.Session, growth *flow.Event, graph bool) {
	at := p.Nearest(first)
	span := rule.Callee(at)
	what, where := "This session is opened", ""
	switch {
	case at != first.Node:
		what, where = "The program's first session is opened from here", fmt.Sprintf(" The session is on %s.", p.Line(first.Node, span))
	case strings.HasPrefix(s.Name, "estimator."):
		what = "This Estimator opens its sessions"
	}
	f := rule.Finding{
		Span: span,
		Message: what + " without memory growth." + where + " TensorFlow reserves nearly all free memory of every visible GPU when it first uses one, " +
			"and keeps it until the process ends.",
		Fixes: setGrowth(p, first.Node, s, graph),
	}
	if growth != nil {
		f.Message += fmt.Sprintf(" The growth that tf.config sets on %s does not reach a session with a ConfigProto of its own.", p.Line(growth.Node, span))
		f.Related = append(f.Related, p.Related(growth.Node, rule.Callee(growth.Node), "reaches only sessions without a ConfigProto"))
	}
	if at != first.Node {
		f.Related = append(f.Related, p.Related(first.Node, rule.Callee(first.Node), "the session"))
	}
	p.Report(f)
}

// setGrowth offers to set growth in the session's ConfigProto, or to pass a new one that has it.
func setGrowth(p *rule.Pass, session syntax.Node, s sessions.Session, graph bool) []rule.Fix {
	var edits []source.Edit
	switch {
	case !p.Here(session) || !rule.Fixable(session):
	case !s.Absent():
		edits = growthIn(p, s.Config)
	case s.Call.Valid() && rule.Fixable(s.Call) && !configuredByTensorFlow(p.File.Names()):
		edits = newConfig(p, s, graph)
	}
	if edits == nil {
		return nil
	}
	return rule.OneFix("Set memory growth in the session's config", rule.Safe, edits...)
}

// growthIn sets growth in the ConfigProto that an expression stands for: on the line after its
// creation, or in the call itself.
func growthIn(p *rule.Pass, config syntax.Node) []source.Edit {
	info := p.File.Names()
	made := sessions.Value(info, config)
	if made.Kind() != syntax.Call || sessions.Short(info.Callee(made)) != "ConfigProto" || !p.Here(made) || !rule.Fixable(made) {
		return nil
	}
	statement := made.Parent().Parent()
	if left := made.Parent().Child(syntax.FieldLeft); statement.Kind() == syntax.ExpressionStatement && made.Parent().Kind() == syntax.Assignment &&
		left.Kind() == syntax.Identifier && p.StartsLine(statement) && p.EndsLine(statement) {
		end := p.LineEnd(statement)
		return []source.Edit{source.Insert(end, p.Newline()+p.IndentOf(statement)+left.Text()+".gpu_options.allow_growth = True")}
	}
	prefix, ok := strings.CutSuffix(made.Child(syntax.FieldFunction).Text(), "ConfigProto")
	if !ok || !strings.HasSuffix(prefix, ".") {
		return nil
	}
	return []source.Edit{p.WithArgument(made, "gpu_options="+prefix+"GPUOptions(allow_growth=True)")}
}

// newConfig creates a ConfigProto before the statement that opens the session, and passes it. A
// session without a config has soft placement in eager code (tensorflow/python/eager/context.py,
// config).
func newConfig(p *rule.Pass, s sessions.Session, graph bool) []source.Edit {
	info := p.File.Names()
	module := strings.TrimSuffix(s.Call.Child(syntax.FieldFunction).Text(), "."+s.Call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text())
	module = strings.TrimSuffix(module, ".train")
	if q := moduleOf(info, s.Call); q != "tensorflow" && q != "tensorflow.compat.v1" {
		if module = p.Bound("tensorflow.compat.v1", info.ScopeOf(s.Call), s.Call); module == "" {
			if module = p.Bound("tensorflow", info.ScopeOf(s.Call), s.Call); module == "" {
				return nil
			}
			module += ".compat.v1"
		}
	} else if patched(p, s.Call.Child(syntax.FieldFunction)) {
		module += ".compat.v1" // which has all names in every TensorFlow
	}
	statement := statementOf(s.Call)
	name := p.FreeName("config", "session_config", "gpu_config")
	if !statement.Valid() || name == "" || !p.StartsLine(statement) {
		return nil
	}
	placement := "allow_soft_placement=True"
	if graph {
		placement = ""
	}
	indent, nl := p.IndentOf(statement), p.Newline()
	argument := p.WithArgument(s.Call, "config="+name)
	if s.Config.Valid() { // config=None
		argument = source.Edit{Span: rule.Span(s.Config), New: name}
	}
	at := statement.Start()
	return []source.Edit{source.Insert(at, name+" = "+module+".ConfigProto("+placement+")"+nl+indent+name+".gpu_options.allow_growth = True"+nl+indent), argument}
}

// patched reports whether the file itself assigns an attribute, such as tf.Session.
func patched(p *rule.Pass, attribute syntax.Node) bool {
	found := false
	for s := range p.File.Tree.Statements() {
		s.Walk(func(n syntax.Node) bool {
			found = found || n.Kind() == syntax.Attribute && assigned(n) && n.Text() == attribute.Text()
			return !found
		})
	}
	return found
}

// moduleOf returns the module whose attribute a call calls: "tensorflow" for both tf.Session and
// tf.train.MonitoredTrainingSession, or "".
func moduleOf(info *names.Info, call syntax.Node) string {
	object := call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if object.Child(syntax.FieldAttribute).Text() == "train" {
		object = object.Child(syntax.FieldObject)
	}
	if !object.Valid() {
		return ""
	}
	return info.Qualified(object)
}

// statementOf returns the statement before which code for a call in it can be inserted, or none.
func statementOf(n syntax.Node) syntax.Node {
	for ; n.Valid(); n = n.Parent() {
		switch n.Kind() {
		case syntax.ExpressionStatement, syntax.WithStatement, syntax.ReturnStatement:
			return n
		case syntax.Lambda, syntax.Block, syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}
