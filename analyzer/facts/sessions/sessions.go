// Package sessions answers how the sessions of TensorFlow 1 are opened, and which options the ConfigProto
// has that one is given. It knows names and their uses; it knows no rule.
package sessions

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Short returns a qualified name as TensorFlow 1.x writes it below tensorflow: "Session" for both
// tensorflow.Session and tensorflow.compat.v1.Session. It is empty for all other names.
func Short(qualified string) string {
	rest, ok := strings.CutPrefix(qualified, "tensorflow.")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(rest, "compat.v1.")
}

// A Signature says at which position, and by which name, a call takes the target of its session and
// the session's ConfigProto.
type Signature struct {
	Target   int
	Name     string
	Config   int
	Complain string // the error for a ConfigProto as first argument
}

const takenForTarget = `TypeError: Argument ` + "`target`" + ` must be a string, but got "ConfigProto". Did you do "Session(config)" instead of "Session(config=config)"?`

// Signatures are from tensorflow/python/client/session.py (BaseSession) and
// training/{monitored_session,supervisor,session_manager}.py.
var Signatures = map[string]Signature{
	"Session":                        {0, "target", 2, takenForTarget},
	"InteractiveSession":             {0, "target", 2, takenForTarget},
	"train.MonitoredTrainingSession": {0, "master", 9, takenForTarget},
	"train.SingularMonitoredSession": {2, "master", 3, "TypeError: 'ConfigProto' object is not iterable."},
	"train.ChiefSessionCreator":      {1, "master", 2, "AttributeError: finalize."},
	"train.WorkerSessionCreator":     {1, "master", 2, "AttributeError: finalize."},

	"train.Supervisor.managed_session":             {0, "master", 1, takenForTarget},
	"train.Supervisor.prepare_or_wait_for_session": {0, "master", 1, takenForTarget},
	"train.SessionManager.prepare_session":         {0, "master", 7, takenForTarget},
	"train.SessionManager.recover_session":         {0, "master", 7, takenForTarget},
	"train.SessionManager.wait_for_session":        {0, "master", 1, takenForTarget},
}

// A Session is described by the call that opens it.
type Session struct {
	Name string // short name of what opens it
	// Call takes the config. It is none if that is unknown, or if no single argument of it would
	// do.
	Call   syntax.Node
	Config syntax.Node // none if none is passed
	// Elsewhere is set if the session may run in another process, or if its arguments are
	// unknown.
	Elsewhere bool
}

// Open reads a call that opens a session.
func Open(info *names.Info, call syntax.Node) Session {
	defer info.Enter(call).Leave()
	name := Short(info.Callee(call))
	s := Session{Name: name, Call: call}
	if names.HasSplat(call) || call.HasError() {
		s.Elsewhere = true
		return s
	}
	if sig, ok := Signatures[name]; ok {
		s.Config = names.Argument(call, sig.Config, "config")
		target := names.Argument(call, sig.Target, sig.Name)
		text, literal := names.StringValue(target)
		s.Elsewhere = target.Valid() && target.Kind() != syntax.NoneLiteral && !(literal && text == "") ||
			names.Argument(call, -1, "session_creator").Valid()
		return s
	}
	switch {
	case name == "train.MonitoredSession":
		creator := names.Argument(call, 0, "session_creator")
		if !creator.Valid() || creator.Kind() == syntax.NoneLiteral {
			s.Call = syntax.Node{}
			return s
		}
		made := Value(info, creator)
		if _, ok := Signatures[Short(info.Callee(made))]; made.Kind() == syntax.Call && ok {
			return Open(info, made)
		}
	case info.IsA(info.Callee(call), "tensorflow.estimator.Estimator"):
		s.Call = syntax.Node{}
		position := -1
		if name == "estimator.Estimator" {
			position = 2
		}
		given := names.Argument(call, position, "config")
		if !given.Valid() || given.Kind() == syntax.NoneLiteral {
			return s
		}
		run := Value(info, given)
		if run.Kind() == syntax.Call && Short(info.Callee(run)) == "estimator.RunConfig" && !names.HasSplat(run) {
			s.Config = names.Argument(run, -1, "session_config")
			return s
		}
	}
	s.Elsewhere = true
	return s
}

// Absent reports whether the session uses TensorFlow's own configuration.
func (s Session) Absent() bool { return !s.Config.Valid() || s.Config.Kind() == syntax.NoneLiteral }

// Value resolves parentheses and names that are bound once.
func Value(info *names.Info, n syntax.Node) syntax.Node {
	for range 8 {
		switch n.Kind() {
		case syntax.ParenthesizedExpression:
			n = n.FirstChild()
			continue
		case syntax.Identifier:
			if b := Only(info, n); b != nil {
				n = b.Value
				continue
			}
		}
		break
	}
	return n
}

// Only returns the one assignment that gives an identifier its value, or nil.
func Only(info *names.Info, n syntax.Node) *names.Binding {
	bindings := info.ReachingDefs(n)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || !bindings[0].Value.Valid() {
		return nil
	}
	return bindings[0]
}
