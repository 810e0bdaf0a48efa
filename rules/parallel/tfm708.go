package parallel

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// JitCompileLeak is TFM708.
var JitCompileLeak = &rule.Rule{
	Code: "TFM708", Name: "jit-compile-leak", Severity: rule.Warning, DependsOnGPU: true,
	Summary: "A model under MirroredStrategy is compiled with jit_compile=True for a TensorFlow that leaks there.",
	What: `
Checks for models that are built in the scope of a MirroredStrategy over several
GPUs and compiled with jit_compile=True, where the project asks for a TensorFlow
from 2.9 to 2.13.`,
	Why: `
In these releases each step that XLA compiles for several replicas leaves memory
and threads behind. After some thousand steps the training is out of memory, or
ends with "std::system_error: Resource temporarily unavailable"; 2.13 may hang.`,
	Bad: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "sparse_categorical_crossentropy", jit_compile=True)
model.fit(dataset, epochs=10)`,
	Good: `
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "sparse_categorical_crossentropy", jit_compile=False)
model.fit(dataset, epochs=10)`,
	FixSafety: `
Unsafe: without XLA the steps round otherwise, and may be slower.`,
	Limitations: `
Not reported where nothing states TensorFlow's version, nor for newer ones, of
which no report is known. It rests on what users reported: tensorflow#56423, #56752
and #61314, and keras#18145.`,
	References: []rule.Reference{
		rule.Keras("models/model_training_apis#compile-method", "Model.compile"),
		rule.API("tf.distribute.MirroredStrategy"),
	},
	Triggers: []string{"jit_compile"},
	Imported: true,
	Keras:    "2.12",
	Check:    checkJITCompile,
}

// firstLeaking and lastLeaking are the first and the last TensorFlow of which the leak is reported.
var firstLeaking, lastLeaking = effects.Version{Major: 2, Minor: 9}, effects.Version{Major: 2, Minor: 13}

func checkJITCompile(p *rule.Pass) {
	info, stated := p.File.Names(), p.File.Releases().Versions().TensorFlow
	if stated.Source == "" {
		stated = p.File.Releases().Versions().Keras // of the same number from 2.6 to 2.15
	}
	if p.File.Role().Kind == facts.Test || stated.Source == "" || stated.Before(firstLeaking) || stated.High == (effects.Version{}) || lastLeaking.Before(stated.High) {
		return
	}
	c := strategiesOf(p)
	for t, e := range c.program.Having(effects.CompilesModel) {
		jit := names.Argument(e.Node, -1, "jit_compile")
		if on, ok := p.File.Facts().Only(jit, p.File.Facts().At(e)); !ok || on.Node.Kind() != syntax.True || !p.Here(e.Node) {
			continue
		}
		scope := c.scopeOf(t, e, e.DefiningExpr(info, receiver(e.Node)))
		if !scope.Valid() || !c.isMirrored(scope) || !mirrorsToSeveral(p, info.DefiningExpr(entered(scope))) {
			continue
		}
		f := rule.Finding{
			Span: rule.Span(jit),
			Message: fmt.Sprintf("Each step that XLA compiles under this MirroredStrategy leaks memory in TensorFlow %s. "+
				"So says %s; releases 2.9 to 2.13 leave memory and threads behind until training fails. Set jit_compile=False.",
				stated.High, stated.Source),
			Related: []rule.Related{p.Related(scope, rule.FirstLine(scope), "the model is built in this scope")},
		}
		if jit.Kind() == syntax.True && rule.Fixable(jit) {
			f.Fixes = rule.OneFix("Set jit_compile=False", rule.Unsafe, source.Edit{Span: f.Span, New: "False"})
		}
		p.Report(f)
	}
}
