package state

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Names count the names that Keras gives to layers and tensors.
type Names struct {
	bases map[string]string // by class
	given map[string]int    // by base
}

func newNames() Names { return Names{map[string]string{}, map[string]int{}} }

// Layer returns the name that Keras gives the next layer of a class.
func (n *Names) Layer(in *value.Interp, class string) string {
	in.Touch(counts{n})
	base, ok := n.bases[class]
	if !ok {
		base = graph.Snake(class)
		n.bases[class] = base
	}
	given := n.given[base]
	n.given[base] = given + 1
	if given == 0 {
		return base
	}
	return base + "_" + strconv.Itoa(given)
}

// UID is keras.backend.get_uid.
func (n *Names) UID(in *value.Interp, prefix string) int64 {
	in.Touch(counts{n})
	prefix = "uid of " + prefix // it has numbers of its own
	n.given[prefix]++
	return int64(n.given[prefix])
}

// Tensor returns the name of the next symbolic tensor that is asked for one.
func (n *Names) Tensor() string {
	const base = "keras_tensor"
	name := fmt.Sprint(base, "_", n.given[base])
	n.given[base]++
	return name
}

// Keep returns a function that takes the names back which are given until then.
func (n *Names) Keep() (restore func()) {
	given := maps.Clone(n.given)
	return func() { n.given = given }
}

// counts are what a branch may change of the names.
type counts struct{ of *Names }

func (c counts) Content() any { return maps.Clone(c.of.given) }

func (c counts) Restore(x any) { c.of.given = x.(map[string]int) }

func (counts) Either(_, b any, _ *value.Cause) any { return b }

func (counts) Born() int { return 0 }
