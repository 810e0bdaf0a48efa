package keras_test

import "testing"

// TestIdentity: programs ask whether one tensor or layer is another, and use the names of tensors
// as keys.
func TestIdentity(t *testing.T) {
	const head = `
from tensorflow import keras
from tensorflow.keras import layers
i = keras.Input((4,), name='i')
dense = layers.Dense(4)
x = dense(i)
`
	for _, c := range []struct {
		name, program string
		parameters    int64
	}{
		{"the same tensor", "y = i\nif y is i:\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"another tensor", "if x is not i:\n    x = layers.Dense(2)(x)\n", 20 + 10},
		{"a tensor and none", "if x is None:\n    x = layers.Dense(2)(x)\n", 20},
		{"the same layer", "m = keras.Model(i, x)\nif m.layers[-1] is dense:\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"another layer", "if layers.ReLU() is dense:\n    x = layers.Dense(1)(x)\n", 20},
		{"an input's name", "x = {'i': layers.Dense(3)}[i.name](x)\n", 20 + 15},
		{"two tensors under their names", "y = layers.Dense(2)(x)\nfor t in {x.name: x, y.name: y}.values():\n    z = layers.Dense(1)(t)\nx = z\n", 20 + 10 + 3},
		{"a class under its other name", "if isinstance(layers.MaxPool2D(), layers.MaxPooling2D) and layers.MaxPool2D is layers.MaxPooling2D:\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"a name of a class under its other name", "x = layers.Dense(1, name=layers.AvgPool2D(2).name)(x)\nx = layers.Dense(keras.Model(i, x).get_layer('average_pooling2d').units)(x)\n", 20 + 5 + 2},
		{"a class that extends another", "if isinstance(layers.LSTM(2), layers.RNN) and isinstance(layers.SpatialDropout1D(0.1), layers.Dropout):\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"a class that extends another in Keras 3 only", "if isinstance(layers.AdditiveAttention(), layers.Attention):\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"a class that extends another in Keras 2 only", "if isinstance(layers.Conv2DTranspose(2, 3), layers.Conv2D):\n    x = layers.Dense(1)(x)\n", 20},
		{"a program's own, that extends one that extends another", "class Own(layers.GRU): pass\nif isinstance(Own(2), layers.RNN):\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"the class of a layer", "if dense.__class__ == layers.Dense and type(dense) is layers.Dense and type(dense).__name__ == 'Dense':\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"not the class of a layer", "if dense.__class__ == layers.Conv2D or type(dense) in (layers.LSTM, layers.Flatten):\n    x = layers.Dense(1)(x)\n", 20},
		{"the class of a layer makes another", "x = type(dense)(1)(x)\n", 20 + 5},
		{"the class of a model", "m = keras.Sequential()\nif type(m) is keras.Sequential and keras.Model(i, x).__class__ != keras.Sequential:\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"the shapes of several outputs", "m = keras.Model(i, [x, layers.Dense(3)(i)])\nx = layers.Dense(m.output_shape[1][1])(x)\n", 20 + 15},
		{"no activation is the linear one", "if dense.activation is not None and dense.activation == keras.activations.linear:\n    x = layers.Dense(1)(x)\n", 20 + 5},
		{"a layer named after a tensor", "x = layers.Dense(1, name=x.name + '_d')(x)\n", 20 + 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := follow(head + c.program + "model = keras.Model(i, x)\n")
			m := p.Models[len(p.Models)-1]
			if len(m.Unresolved) > 0 {
				t.Fatal(m.Unresolved)
			}
			if all, _ := m.Parameters(); all != c.parameters {
				t.Errorf("%d parameters, want %d", all, c.parameters)
			}
		})
	}
}
