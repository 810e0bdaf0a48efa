package device

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// DeprecatedDeviceAPI is TFM107.
var DeprecatedDeviceAPI = &rule.Rule{
	Code: "TFM107", Name: "deprecated-device-api", Severity: rule.Hint,
	Summary: "A function of tf.config.experimental is called by its old name.",
	What: `
Checks for calls by names that have left tf.config.experimental:
list_physical_devices, list_logical_devices, get_visible_devices and
set_visible_devices are in tf.config now. get_virtual_device_configuration and
set_virtual_device_configuration are now get_logical_device_configuration and
set_logical_device_configuration, and VirtualDeviceConfiguration is
LogicalDeviceConfiguration.`,
	Why: `
The old names still work. Names under experimental may change or disappear
without notice, and two names for one function make a program harder to search.`,
	Bad: `
import tensorflow as tf

gpus = tf.config.experimental.list_physical_devices("GPU")
print(gpus)`,
	Good: `
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
print(gpus)`,
	FixSafety: `
Safe from TensorFlow 2.1 on: both names refer to one function. TensorFlow 2.0
and 1.15 have the old names only.`,
	Limitations: `
get_memory_growth and set_memory_growth exist under tf.config.experimental
only, and are never reported. Programs that check their TensorFlow version,
programs for TensorFlow 1, and projects that allow a TensorFlow older than 2.1
are not checked.`,
	References: []rule.Reference{
		rule.API("tf.config.list_physical_devices"),
		rule.API("tf.config.set_logical_device_configuration"),
		rule.API("tf.config.experimental"),
	},
	Triggers: []string{"experimental"},
	Unrun:    true,
	Check:    checkDeprecated,
}

const experimental = "tensorflow.config.experimental."

// renamed maps names to those that they have below tf.config (tensorflow/python/framework/config.py,
// tf_export).
var renamed = map[string]string{
	experimental + "list_physical_devices":            "list_physical_devices",
	experimental + "list_logical_devices":             "list_logical_devices",
	experimental + "get_visible_devices":              "get_visible_devices",
	experimental + "set_visible_devices":              "set_visible_devices",
	experimental + "get_virtual_device_configuration": "get_logical_device_configuration",
	experimental + "set_virtual_device_configuration": "set_logical_device_configuration",
	experimental + "VirtualDeviceConfiguration":       "LogicalDeviceConfiguration",
}

func checkDeprecated(p *rule.Pass) {
	info := p.File.Names()
	calls := info.CallsTo(func(name string) bool { return renamed[name] != "" })
	if len(calls) == 0 || p.File.Releases().MayBeOlder(effects.Version{Major: 2, Minor: 1}).Found() {
		return // its version may have the old names only
	}
	for _, call := range calls {
		// A handler may be meant for an older TensorFlow.
		handles := call.Ancestor(syntax.ExceptClause, syntax.FunctionDefinition).Kind() == syntax.ExceptClause
		if handles || asksFirst(info, call) || maybeTensorFlow1(p, info.ScopeOf(call), call) {
			continue
		}
		old, function := info.Callee(call), call.Child(syntax.FieldFunction)
		p.Report(rule.Finding{
			Span:    rule.Span(function),
			Message: fmt.Sprintf("tf.config.experimental.%s is the old name of tf.config.%s. TensorFlow has had the new name since version 2.1.", old[len(experimental):], renamed[old]),
			Fixes:   rename(p, info, function, renamed[old]),
			Tags:    []rule.Tag{rule.Deprecated},
		})
	}
}

// rename offers the new name, written the way the old one is.
func rename(p *rule.Pass, info *names.Info, function syntax.Node, name string) []rule.Fix {
	object := function.Child(syntax.FieldObject)
	if function.Kind() != syntax.Attribute || !rule.Fixable(function) {
		return nil
	}
	edit := source.Edit{Span: rule.Span(function)}
	if object.Kind() == syntax.Attribute && object.Child(syntax.FieldAttribute).Text() == "experimental" {
		edit.Span.Start = object.Child(syntax.FieldObject).End()
		edit.New = "." + name
	} else if alias := p.TensorFlow(info.ScopeOf(function), function); alias != "" {
		edit.New = alias + ".config." + name
	} else {
		return nil
	}
	if strings.ContainsAny(p.File.Source.Slice(edit.Span), "\r\n#") {
		return nil
	}
	return rule.OneFix("Rename it to tf.config."+name, rule.Safe, edit)
}
