package rewrite

import (
	"errors"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// PrintPeakMemory prints how much memory training takes.
var PrintPeakMemory = &Rewrite{
	Name:  "print-peak-memory",
	Title: "Print the peak GPU memory of this",
	What: `
Resets the memory statistics of every GPU before the loop that trains, or the call
of fit, evaluate or predict, and prints the peak after it: the most bytes that
tensors took at one time. nvidia-smi shows more: everything that TensorFlow has
reserved.`,
	Changes: `
The results stay the same. It prints a line for each GPU, and none without a GPU.
It needs TensorFlow 2.6 or newer.`,
	Before: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y)` + Here,
	After: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
for gpu in tf.config.list_logical_devices("GPU"):
    tf.config.experimental.reset_memory_stats(gpu.name)
model.fit(x, y)
for gpu in tf.config.list_logical_devices("GPU"):
    peak = tf.config.experimental.get_memory_info(gpu.name)["peak"]
    print(f"{gpu.name}: at most {peak / 2**20:.0f} MiB")`,
	Triggers: []string{"fit", "evaluate", "predict", "train_on_batch", "apply"},
	Check:    checkPeak,
}

func checkPeak(p *Place) (Change, error) {
	s, err := p.work()
	if err != nil {
		return Change{}, err
	}
	if s.Kind() == syntax.WhileStatement && s.Child(syntax.FieldCondition).Kind() == syntax.True && !holds(s, syntax.BreakStatement) {
		return Change{}, errors.New("the loop never ends, and nothing runs after it")
	}
	if setter := p.setterAfter(s, s); setter.Valid() {
		return Change{}, fmt.Errorf("the devices are configured on %s, and asking for them before would initialise them", p.line(setter))
	}
	tf, edits, err := p.tensorflow(s)
	if err != nil {
		return Change{}, err
	}
	free, err := p.free([]string{"gpu", "logical_gpu", "gpu_device"}, []string{"peak", "peak_bytes", "gpu_peak"})
	if err != nil {
		return Change{}, err
	}
	gpu, peak, q := free[0], free[1], p.Quote()
	loop := "for " + gpu + " in " + tf + ".config.list_logical_devices(" + q + "GPU" + q + "):"
	return Change{Edits: append(edits,
		p.insertBefore(s, loop, "\t"+tf+".config.experimental.reset_memory_stats("+gpu+".name)"),
		p.insertAfter(s, loop,
			"\t"+peak+" = "+tf+".config.experimental.get_memory_info("+gpu+".name)["+q+"peak"+q+"]",
			"\tprint(f"+q+"{"+gpu+".name}: at most {"+peak+" / 2**20:.0f} MiB"+q+")"),
	)}, nil
}

// holds reports whether n contains a node of these kinds, outside of functions in it.
func holds(n syntax.Node, kinds ...syntax.Kind) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		found = found || m != n && m.Is(kinds...)
		return !found && (m == n || !m.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition))
	})
	return found
}
