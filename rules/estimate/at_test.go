package estimate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
)

// program has places marked by «what»: words, and what they are about.
const program = `import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers as L

B«fit»ATCH = «fit»64
dense«layer dense» = L.Dense«layer dense»(10)

def build(n«»):
    inner = «»keras.Sequential«model net»([keras.Input((8,)), L.Dense«2 layers»(n)])
    return inner

net«model net» = build«»(4)
ne«model net»t.compile«compile»("adam", "mse")
net.fit«fit»(x, y, batch_size«»=BATCH«fit», epochs=64«»)

class Trainer:
    def __init__(self):
        self.model«model self.model» = keras.Sequential([keras.Input((8,)), dense«layer dense», ])
        self.model.compile«compile»("sgd", "mse")
    def run(self):
        self.mo«model self.model»del.train_on_batch«train_on_batch»(tf.zeros((32, 8)), tf.zeros((32, 10)))

other = build(5)
other«model other».fit«fit: the model is not compiled before it is trained»(x, y, 3«fit: the model is not compiled before it is trained»)
load_it().fit«fit: »(x, y)
"net«», BATCH«»"  # net«»
t = Trainer(); t.run«»()
`

// unmarked returns the program without its marks, and what they mark.
func unmarked() (text string, wants map[int]string) {
	wants = map[int]string{}
	for rest := program; rest != ""; {
		before, after, found := strings.Cut(rest, "«")
		text += before
		if !found {
			break
		}
		wants[len(text)], rest, _ = strings.Cut(after, "»")
	}
	return text, wants
}

func TestAt(t *testing.T) {
	text, wants := unmarked()
	file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
	models, err := Read(context.Background(), file, Options{})
	if err != nil {
		t.Fatal("nobody stopped it")
	}
	for at, want := range wants {
		got := ""
		subject, ok := models.At(file, at)
		switch {
		case subject.Call != nil:
			got = subject.Call.Method
			if subject.Call.Why != nil {
				got += ": " + subject.Call.Why.String()
			}
		case subject.Model != nil:
			got = "model " + subject.Model.Name
		case subject.Layers != nil && len(subject.Layers.Made) == 1:
			got = "layer " + subject.Layers.Made[0].Layer.Name
		case subject.Layers != nil:
			got = fmt.Sprintf("%d layers", len(subject.Layers.Made))
		}
		if got != want && !(strings.HasSuffix(want, ": ") && strings.HasPrefix(got, want)) {
			t.Errorf("%s|%s: got %q, want %q", text[max(0, at-20):at], text[at:min(at+10, len(text))], got, want)
		}
		if ok && (subject.Span.Start > at || subject.Span.End < at) {
			t.Errorf("%q is not where it was asked for", text[subject.Span.Start:subject.Span.End])
		}
	}
}

// TestReadStops checks that a cancelled request prices nothing more.
func TestReadStops(t *testing.T) {
	text, _ := unmarked()
	file := analyzer.Analyze(source.New("a.py", text), analyzer.Config{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if models, err := Read(ctx, file, Options{}); err != context.Canceled || len(models.Models) > 0 {
		t.Errorf("%d models are priced", len(models.Models))
	}
}
