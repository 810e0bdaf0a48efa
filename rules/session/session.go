// Package session holds the rules about TF1 sessions: how they are configured, and whether the
// configuration reaches them.
package session

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// short returns a qualified name as TensorFlow 1.x writes it below tensorflow: "Session" for both
// tensorflow.Session and tensorflow.compat.v1.Session. It is empty for all other names.
func short(qualified string) string {
	rest, ok := strings.CutPrefix(qualified, "tensorflow.")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(rest, "compat.v1.")
}

// A signature says at which position, and by which name, a call takes the target of its session and
// the session's ConfigProto.
type signature struct {
	target   int
	name     string
	config   int
	complain string // the error for a ConfigProto as first argument
}

const takenForTarget = `TypeError: Argument ` + "`target`" + ` must be a string, but got "ConfigProto". Did you do "Session(config)" instead of "Session(config=config)"?`

// signatures are from tensorflow/python/client/session.py (BaseSession) and
// training/{monitored_session,supervisor,session_manager}.py.
var signatures = map[string]signature{
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

// An opened session is described by the call that opens it.
type opened struct {
	name string // short name of what opens it
	// call takes the config. It is none if that is unknown, or if no single argument of it would
	// do.
	call   syntax.Node
	config syntax.Node // none if none is passed
	// elsewhere is set if the session may run in another process, or if its arguments are
	// unknown.
	elsewhere bool
}

// open reads a call that opens a session.
func open(info *names.Info, call syntax.Node) opened {
	defer info.Enter(call).Leave()
	name := short(info.Callee(call))
	s := opened{name: name, call: call}
	if names.HasSplat(call) || call.HasError() {
		s.elsewhere = true
		return s
	}
	if sig, ok := signatures[name]; ok {
		s.config = names.Argument(call, sig.config, "config")
		target := names.Argument(call, sig.target, sig.name)
		text, literal := names.StringValue(target)
		s.elsewhere = target.Valid() && target.Kind() != syntax.NoneLiteral && !(literal && text == "") ||
			names.Argument(call, -1, "session_creator").Valid()
		return s
	}
	switch {
	case name == "train.MonitoredSession":
		creator := names.Argument(call, 0, "session_creator")
		if !creator.Valid() || creator.Kind() == syntax.NoneLiteral {
			s.call = syntax.Node{}
			return s
		}
		made := value(info, creator)
		if _, ok := signatures[short(info.Callee(made))]; made.Kind() == syntax.Call && ok {
			return open(info, made)
		}
	case info.IsA(info.Callee(call), "tensorflow.estimator.Estimator"):
		s.call = syntax.Node{}
		position := -1
		if name == "estimator.Estimator" {
			position = 2
		}
		given := names.Argument(call, position, "config")
		if !given.Valid() || given.Kind() == syntax.NoneLiteral {
			return s
		}
		run := value(info, given)
		if run.Kind() == syntax.Call && short(info.Callee(run)) == "estimator.RunConfig" && !names.HasSplat(run) {
			s.config = names.Argument(run, -1, "session_config")
			return s
		}
	}
	s.elsewhere = true
	return s
}

// absent reports whether the session uses TensorFlow's own configuration.
func (s opened) absent() bool { return !s.config.Valid() || s.config.Kind() == syntax.NoneLiteral }

// value resolves parentheses and names that are bound once.
func value(info *names.Info, n syntax.Node) syntax.Node {
	for range 8 {
		switch n.Kind() {
		case syntax.ParenthesizedExpression:
			n = n.FirstChild()
			continue
		case syntax.Identifier:
			if b := only(info, n); b != nil {
				n = b.Value
				continue
			}
		}
		break
	}
	return n
}

// only returns the one assignment that gives an identifier its value, or nil.
func only(info *names.Info, n syntax.Node) *names.Binding {
	bindings := info.ReachingDefs(n)
	if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || !bindings[0].Value.Valid() {
		return nil
	}
	return bindings[0]
}

// configuredByTensorFlow reports whether the file sets anything of tf.config that a session adopts
// when it has no config of its own.
func configuredByTensorFlow(info *names.Info) bool {
	for _, call := range info.Calls {
		if name, ok := strings.CutPrefix(info.Callee(call), "tensorflow.config."); ok && strings.Contains(name, "set_") {
			return true
		}
	}
	return false
}
