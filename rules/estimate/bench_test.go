package estimate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
)

// BenchmarkDeep measures the time from the text of a program with a model of many layers to its
// price, for several ways of writing it.
func BenchmarkDeep(b *testing.B) {
	device := memory.Device{Name: "RTX 3090", Total: 24 << 30, Major: 8, Minor: 6}
	config := analyzer.Config{Devices: func() []memory.Device { return []memory.Device{device} }}
	for _, n := range []int{1000, 10_000} {
		for name, build := range map[string]string{
			"functional":   "x = i = keras.Input((64,))\n" + strings.Repeat("x = layers.Dense(64, activation='relu')(x)\n", n) + "m = keras.Model(i, x)\n",
			"convolutions": "x = i = keras.Input((32, 32, 8))\n" + strings.Repeat("x = layers.Conv2D(8, 3, padding='same')(x)\n", n) + "m = keras.Model(i, x)\n",
			"added":        "m = keras.Sequential()\nm.add(keras.Input((64,)))\n" + strings.Repeat("m.add(layers.Dense(64, activation='relu'))\n", n),
			"listed":       "m = keras.Sequential([\n    keras.Input((64,)),\n" + strings.Repeat("    layers.Dense(64, activation='relu'),\n", n) + "])\n",
			"loop":         fmt.Sprintf("x = i = keras.Input((64,))\nfor _ in range(%d):\n    x = layers.Dense(64, activation='relu')(x)\nm = keras.Model(i, x)\n", n),
		} {
			text := "from tensorflow import keras\nfrom tensorflow.keras import layers\n" + build + "m.compile('adam', 'mse')\nm.fit(a, b, batch_size=8)\n"
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					models, _ := Of(analyzer.Analyze(source.New("deep.py", text), config), Options{})
					if len(models) != 1 || models[0].Training == nil {
						b.Fatalf("it has no price: %v", models)
					}
				}
			})
		}
	}
}
