// Package session holds the rules about TF1 sessions: how they are configured, and whether the
// configuration reaches them.
package session

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
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
