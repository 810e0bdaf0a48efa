package session

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/sessions"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// SessionOptionsIgnored is TFM206.
var SessionOptionsIgnored = &rule.Rule{
	Code: "TFM206", Name: "session-options-ignored", Severity: rule.Information,
	Summary: "A second session requests other GPU options than the first, whose options stay in force.",
	What: `
Compares the GPU options of each session, nested ones included, with those of
the session that has surely been opened first in the process, where both are
known. Reports a difference in allow_growth, per_process_gpu_memory_fraction or
visible_device_list.`,
	Why: `
A process has one allocator per GPU. It is created with the options of the
first session. TensorFlow silently ignores what later sessions ask for, even
after the first one is closed. A different visible_device_list raises
AlreadyExistsError instead, because a TensorFlow device cannot become another
GPU.`,
	Bad: `
import tensorflow.compat.v1 as tf

with tf.Session() as session:
    session.run(first)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(second)`,
	Good: `
import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(first)
with tf.Session(config=config) as session:
    session.run(second)`,
	Limitations: `
Sessions of Estimators, and sessions whose config is not built in the same
file, are not compared.`,
	References: []rule.Reference{
		rule.API("tf.compat.v1.Session"),
		rule.API("tf.compat.v1.GPUOptions"),
	},
	Triggers: []string{"gpu_options", "GPUOptions"},
	Check:    checkIgnored,
}

func checkIgnored(p *rule.Pass) {
	program := p.File.Flow()
	if growth, all := decided(p); growth != nil || all {
		return
	}
	for _, t := range program.Traces() {
		opened := t.Having(effects.OpensSession)
		for _, e := range opened {
			if first := opened[0]; e.Node != first.Node && p.Here(e.Node) && first.SurelyBefore(e) {
				compareOptions(p, first, e)
			}
		}
	}
}

// compareOptions reports options of a session that differ from those of the first session of its
// process.
func compareOptions(p *rule.Pass, first, later *flow.Event) {
	info := p.File.Names()
	before, known := optionsOf(p, first)
	after, knownToo := optionsOf(p, later)
	if !known || !knownToo {
		return
	}
	for _, name := range []string{"visible_device_list", "allow_growth", fractionField} {
		wanted, ok := after.Fields["gpu_options."+name]
		text, literal := literalOf(info, wanted)
		if !ok || !literal {
			continue
		}
		had, set := before.Fields["gpu_options."+name]
		old, oldLiteral := literalOf(info, had)
		if set && !oldLiteral {
			continue
		}
		if !set {
			old = map[string]string{"allow_growth": "False", fractionField: "0", "visible_device_list": ""}[name]
		}
		if text == old {
			continue
		}
		span := rule.Callee(later.Node)
		f := rule.Finding{
			Span: span,
			Related: []rule.Related{
				p.Related(first.Node, rule.Callee(first.Node), "the first session"),
				p.Related(wanted.Node, rule.Span(wanted.Node), "set here"),
			},
		}
		where := p.Line(first.Node, span)
		if name != "visible_device_list" {
			f.Message = fmt.Sprintf("%s = %s has no effect. The process has taken the GPU with the options of its first session, on %s, and keeps them.", name, text, where)
			p.Report(f)
			return
		}
		if gpu, other, differ := remapped(old, text); differ {
			f.Message = fmt.Sprintf("This visible_device_list conflicts with the one of the first session. The first session, on %s, maps the device to GPU %s, and this one to GPU %s, which raises AlreadyExistsError. "+
				"Give all sessions of a process the same visible_device_list.", where, gpu, other)
			p.ReportAs(rule.Error, f)
			return
		}
	}
}

// optionsOf returns the options of a session, if all of them are known.
func optionsOf(p *rule.Pass, e *flow.Event) (*sessions.Options, bool) {
	s := sessions.Open(p.File.Names(), e.Node)
	if s.Elsewhere || !p.Here(e.Node) || strings.HasPrefix(s.Name, "estimator.") { // it opens no session yet
		return nil, false
	}
	if s.Absent() {
		o := &sessions.Options{Fields: map[string]sessions.Setting{}}
		if s.Name == "InteractiveSession" {
			o.Fields["gpu_options.allow_growth"] = sessions.Setting{Node: e.Node, Sure: true} // it sets growth itself
		}
		return o, true
	}
	o := sessions.NewReader(p.File.Names()).Read(s.Config, s.Config)
	if _, ok := o.Fields["device_count"]; ok || o.Open {
		return nil, false
	}
	return o, true
}

// literalOf returns the text of a setting that is surely made and is a constant.
func literalOf(info *names.Info, s sessions.Setting) (string, bool) {
	if !s.Sure {
		return "", false
	}
	switch n := sessions.Value(info, s.Value); n.Kind() {
	case syntax.True, syntax.False, syntax.Float, syntax.Integer:
		return n.Text(), true
	case syntax.String:
		return names.StringValue(n)
	}
	return "", false
}

// remapped finds a TensorFlow device that stands for different GPUs in two lists of visible GPUs.
// An empty list means all GPUs in their order
// (tensorflow/core/common_runtime/device/device_id_manager.cc).
func remapped(before, after string) (gpu, other string, differ bool) {
	old, recent := strings.Split(before, ","), strings.Split(after, ",")
	for i := range recent {
		was := fmt.Sprint(i)
		if before != "" {
			if i >= len(old) {
				break
			}
			was = strings.TrimSpace(old[i])
		}
		now := strings.TrimSpace(recent[i])
		if after != "" && now != was {
			return was, now, true
		}
	}
	return "", "", false
}
