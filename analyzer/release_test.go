package analyzer_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
)

// TestVersionsAreReleased edits one function after the other: what is taken over from
// version to version must not keep those versions, of which each holds a whole text.
func TestVersionsAreReleased(t *testing.T) {
	const functions = 60
	text := "import tensorflow as tf\nfrom tensorflow import keras\n"
	for i := range functions {
		text += fmt.Sprintf("\n\ndef make_%d(n, rate=0.5):\n    edited = keras.layers.Dense(n)\n    return lambda x: [edited(y) for y in x]\n\n\nclass Net_%[1]d(keras.Model):\n    def __init__(self):\n        self.layer = make_%[1]d(3)\n\n\nmodel_%[1]d = Net_%[1]d()\n", i)
	}
	doc := analyzer.NewDocument()
	defer doc.Close()
	var alive atomic.Int64
	for i := range functions {
		at := strings.Index(text, fmt.Sprintf("make_%d(n", i))
		text = text[:at] + strings.Replace(text[at:], "edited", "edits", 2)
		file := doc.Analyze(source.New("train.py", text), analyzer.Config{})
		alive.Add(1)
		runtime.AddCleanup(file.Tree, func(int) { alive.Add(-1) }, 0)
		if _, rest, _ := rules.Quick(t.Context(), file, rules.Selection{}); rest != nil {
			rest.Check(context.Background(), analyzer.Unlimited)
		}
	}
	// The present version is alive, and what an answer that is about to be found anew
	// rests on.
	for patience := 100; alive.Load() > 3 && patience > 0; patience-- {
		runtime.GC()
		time.Sleep(time.Millisecond) // cleanups run aside
	}
	if n := alive.Load(); n > 3 {
		t.Errorf("%d of %d versions are alive", n, functions)
	}
}
