package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MonitoredSessionCreator is TFM203.
var MonitoredSessionCreator = &rule.Rule{
	Code: "TFM203", Name: "monitored-session-creator", Severity: rule.Error,
	Summary: "MonitoredTrainingSession is given a session_creator, a parameter it does not have.",
	What: `
Checks for session_creator= in calls of MonitoredTrainingSession. Only
MonitoredSession has this parameter. MonitoredTrainingSession creates its own
creator from config, scaffold, master and checkpoint_dir.`,
	Why: `
The call raises TypeError ("MonitoredTrainingSession() got an unexpected
keyword argument 'session_creator'"), and the memory options in the creator's
config reach no session.`,
	Bad: `
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.compat.v1.train.MonitoredTrainingSession(
        session_creator=tf.compat.v1.train.ChiefSessionCreator(config=config)) as session:
    session.run(train_op)`,
	Good: `
import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.compat.v1.train.MonitoredTrainingSession(
        config=config) as session:
    session.run(train_op)`,
	FixSafety: `
Unsafe: only the author knows which session is meant. MonitoredTrainingSession
adds hooks for checkpoints and summaries; MonitoredSession has none of them.`,
	Limitations: `
Arguments that are passed by *args or **kwargs are not checked.`,
	References: []rule.Reference{
		rule.API("tf.compat.v1.train.MonitoredTrainingSession"),
		rule.API("tf.compat.v1.train.MonitoredSession"),
		rule.API("tf.compat.v1.train.ChiefSessionCreator"),
	},
	Triggers: []string{"session_creator"},
	Unrun:    true,
	Check:    checkSessionCreator,
}

func checkSessionCreator(p *rule.Pass) {
	info := p.File.Names()
	for _, call := range info.Calls {
		if sessions.Short(info.Callee(call)) != "train.MonitoredTrainingSession" {
			continue
		}
		for a := range call.Child(syntax.FieldArguments).Children() {
			if a.Kind() == syntax.KeywordArgument && a.Child(syntax.FieldName).Text() == "session_creator" {
				p.Report(rule.Finding{
					Span: rule.Span(a.Child(syntax.FieldName)),
					Message: "MonitoredTrainingSession takes no session_creator. TypeError: MonitoredTrainingSession() got an unexpected keyword argument 'session_creator'. " +
						"Pass config=, or use MonitoredSession.",
					Fixes: creatorFixes(info, call, a),
				})
			}
		}
	}
}

// taken are the parameters of ChiefSessionCreator, in order, that MonitoredTrainingSession has too.
var taken = []string{"scaffold", "master", "config", "checkpoint_dir"}

func creatorFixes(info *names.Info, call, creator syntax.Node) []rule.Fix {
	if !rule.Fixable(call) || names.HasSplat(call) {
		return nil
	}
	var fixes []rule.Fix
	if arguments := creatorArguments(info, call, creator.Child(syntax.FieldValue)); arguments != "" {
		fixes = append(fixes, rule.Fix{
			Message:       fmt.Sprintf("Pass %s to the session itself; it then saves checkpoints and summaries by its own rules", arguments),
			Applicability: rule.Unsafe,
			Edits:         []source.Edit{{Span: rule.Span(creator), New: arguments}},
		})
	}
	function := call.Child(syntax.FieldFunction)
	if function.Kind() == syntax.Attribute && namedOnly(call, "session_creator", "hooks", "stop_grace_period_secs") {
		fixes = append(fixes, rule.Fix{
			Message:       "Use MonitoredSession, which saves no checkpoints and summaries by itself",
			Applicability: rule.Unsafe,
			Edits:         []source.Edit{{Span: rule.Span(function.Child(syntax.FieldAttribute)), New: "MonitoredSession"}},
		})
	}
	return fixes
}

// creatorArguments returns the arguments of a ChiefSessionCreator as keyword arguments of the
// session itself, or "" if that cannot be.
func creatorArguments(info *names.Info, call, value syntax.Node) string {
	if value.Kind() != syntax.Call || sessions.Short(info.Callee(value)) != "train.ChiefSessionCreator" || names.HasSplat(value) {
		return ""
	}
	var out []string
	position := 0
	for a := range value.Child(syntax.FieldArguments).Children() {
		switch {
		case a.Kind() == syntax.Comment:
			return ""
		case a.Kind() != syntax.KeywordArgument && position < len(taken):
			out = append(out, taken[position]+"="+a.Text())
			position++
		case a.Kind() == syntax.KeywordArgument && slices.Contains(taken, a.Child(syntax.FieldName).Text()):
			out = append(out, a.Text())
		default:
			return ""
		}
	}
	for _, argument := range out {
		name, _, _ := strings.Cut(argument, "=")
		if names.Argument(call, slices.Index([]string{"master", "is_chief", "checkpoint_dir", "scaffold"}, name), name).Valid() {
			return "" // given twice
		}
	}
	return strings.Join(out, ", ")
}

// namedOnly reports whether a call passes only these arguments, by name.
func namedOnly(call syntax.Node, allowed ...string) bool {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() != syntax.Comment && (a.Kind() != syntax.KeywordArgument || !slices.Contains(allowed, a.Child(syntax.FieldName).Text())) {
			return false
		}
	}
	return true
}
