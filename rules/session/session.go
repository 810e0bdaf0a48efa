// Package session holds the rules about TF1 sessions: how they are configured, and whether the
// configuration reaches them.
package session

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/rules/rule"
)

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

// decided reports whether anything in the program, wherever it is, decides about GPU memory for all
// of its sessions. growth is the event by which tf.config sets growth. That only reaches sessions
// without a ConfigProto of their own.
func decided(p *rule.Pass) (growth *flow.Event, all bool) {
	program := p.File.Flow()
	for t, e := range program.Events() {
		switch {
		case p.DecidesMemory(e), e.Effects.Has(effects.SetsGrowth) && t != program.Module:
			return nil, true
		case e.Effects.Has(effects.SetsGrowth) && growth == nil:
			growth = e
		}
	}
	return growth, false
}
