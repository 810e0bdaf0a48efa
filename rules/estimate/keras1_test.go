package estimate_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
)

// TestOfKeras1 checks that a program with the names of Keras 1 is priced as the same program with
// those of Keras 2: each layer of the table that other names say more of.
func TestOfKeras1(t *testing.T) {
	const head = "import numpy as np\nfrom keras.layers import *\nfrom keras.models import Model, Sequential\n"
	two := analyzer.Config{Versions: effects.Versions{Keras: effects.Stated{Range: effects.Keras2, Source: "--keras"}}}
	for name, c := range map[string]struct{ old, now string }{
		"pictures": {
			`
m = Sequential()
m.add(Convolution2D(16, 3, 3, border_mode="same", subsample=(2, 2), input_shape=(48, 48, 3), dim_ordering="tf"))
m.add(Convolution2D(nb_filter=24, nb_row=5, nb_col=3, init="he_normal", bias=False))
m.add(BatchNormalization(mode=0))
m.add(MaxPooling2D((2, 2), border_mode="same"))
m.add(Convolution2D(32, 3, 3, activation="relu"))
m.add(Dropout(p=0.5))
m.add(Flatten())
m.add(Dense(output_dim=5, W_regularizer="l2", activation="softmax"))
m.compile("sgd", "categorical_crossentropy")
m.fit(np.zeros((96, 48, 48, 3)), np.zeros((96, 5)), nb_epoch=3)
`, `
m = Sequential()
m.add(Conv2D(16, (3, 3), padding="same", strides=(2, 2), input_shape=(48, 48, 3), data_format="channels_last"))
m.add(Conv2D(24, (5, 3), kernel_initializer="he_normal", use_bias=False))
m.add(BatchNormalization())
m.add(MaxPooling2D((2, 2), padding="same"))
m.add(Conv2D(32, (3, 3), activation="relu"))
m.add(Dropout(0.5))
m.add(Flatten())
m.add(Dense(5, kernel_regularizer="l2", activation="softmax"))
m.compile("sgd", "categorical_crossentropy")
m.fit(np.zeros((96, 48, 48, 3)), np.zeros((96, 5)), epochs=3)
`},
		"words": {
			`
i = Input((20,))
x = Embedding(500, 32, init="uniform")(i)
x = Convolution1D(nb_filter=24, filter_length=3, border_mode="same", subsample_length=1)(x)
x = MaxPooling1D(pool_length=2, stride=2)(x)
x = LSTM(output_dim=12, dropout_W=0.2, dropout_U=0.2, return_sequences=True)(x)
m = Model(input=i, output=TimeDistributed(Dense(output_dim=4))(x))
m.compile("adam", "mse")
m.fit(np.zeros((96, 20)), np.zeros((96, 10, 4)), nb_epoch=3)
`, `
i = Input((20,))
x = Embedding(500, 32, embeddings_initializer="uniform")(i)
x = Conv1D(24, 3, padding="same", strides=1)(x)
x = MaxPooling1D(2, 2)(x)
x = LSTM(12, dropout=0.2, recurrent_dropout=0.2, return_sequences=True)(x)
m = Model(inputs=i, outputs=TimeDistributed(Dense(4))(x))
m.compile("adam", "mse")
m.fit(np.zeros((96, 20)), np.zeros((96, 10, 4)), epochs=3)
`},
	} {
		price := func(config analyzer.Config, text string) estimate.Model {
			models, _ := estimate.Of(analyzer.Analyze(source.New("a.py", head+text), config), estimate.Options{})
			if len(models) != 1 {
				t.Fatalf("%s: %d models", name, len(models))
			}
			if len(models[0].Reasons) > 0 {
				t.Fatalf("%s: %s", name, models[0].Reasons[0].String())
			}
			return models[0]
		}
		want := price(two, c.now)
		for _, config := range []analyzer.Config{{}, two} {
			if got := price(config, c.old); !reflect.DeepEqual(got.Training.Need, want.Training.Need) {
				t.Errorf("%s: %+v, want %+v", name, got.Training.Need, want.Training.Need)
			}
		}
		assumed := price(analyzer.Config{}, c.old).Assumptions()
		if said := strings.Join(assumed, "\n"); !strings.Contains(said, "Keras 2 is assumed") || !strings.Contains(said, "Keras 1 took the argument") {
			t.Errorf("%s: %s", name, said)
		}
	}
	for minor, priced := range map[int]bool{1: true, 13: false} {
		config := analyzer.Config{Versions: effects.Versions{Keras: effects.Stated{Range: effects.Exactly(effects.Version{Major: 2, Minor: minor}), Source: "--keras"}}}
		models, _ := estimate.Of(analyzer.Analyze(source.New("a.py", head+"i = Input((4,))\nm = Model(input=i, output=Dense(3)(i))\nm.compile('sgd', 'mse')\nm.fit(np.zeros((9, 4)), np.zeros((9, 3)))\n"), config), estimate.Options{})
		if len(models) != 1 || priced != (len(models[0].Reasons) == 0) {
			t.Errorf("with Keras 2.%d: %v, want a price: %v", minor, models, priced)
		}
	}
	// TensorFlow's own Keras never took these names.
	models, _ := estimate.Of(analyzer.Analyze(source.New("a.py", "import numpy as np\nfrom tensorflow import keras\nm = keras.Sequential([keras.layers.Dense(output_dim=3, input_dim=4)])\nm.compile('sgd', 'mse')\nm.fit(np.zeros((9, 4)), np.zeros((9, 3)))\n"), analyzer.Config{}), estimate.Options{})
	if len(models) != 1 || len(models[0].Reasons) == 0 {
		t.Errorf("a model of tf.keras with a name of Keras 1 is priced")
	}
}
