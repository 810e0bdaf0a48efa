package rules

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/source"
)

// TestGrowthThroughCalls: a call that adds operations deeper down is related to each call that leads
// to them.
func TestGrowthThroughCalls(t *testing.T) {
	const text = `import tensorflow.compat.v1 as tf
loss = tf.get_variable("loss", [])
def mean_of(x):
    return tf.reduce_mean(x)
def summarise(sess):
    return sess.run(mean_of(loss))
with tf.Session() as sess:
    while True:
        summarise(sess)
`
	s := source.New("a.py", text)
	found := Check(analyze(s), Selection{Select: []string{"TFM506"}})
	if len(found) != 1 {
		t.Fatalf("the findings are %+v", found)
	}
	var said []string
	for _, r := range found[0].Related {
		said = append(said, text[r.Span.Start:r.Span.End]+": "+r.Message)
	}
	if want := []string{"while True: in this loop", "mean_of: which makes this call", "tf.reduce_mean: adds operations in each call"}; !slices.Equal(said, want) {
		t.Errorf("it is related to %q, want %q", said, want)
	}
}
