package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// layers is how many a deep model has, at least.
const layers = 10_000

// deep are programs that train a model of so many layers, in the ways in which people
// write one.
func deep() map[string]string {
	const (
		head       = "import tensorflow as tf\nfrom tensorflow import keras\n"
		input      = "x = i = keras.Input((64,))\n"
		image      = "x = i = keras.Input((32, 32, 8))\n"
		model      = "m = keras.Model(i, x)\n"
		train      = "m.compile('adam', 'mse')\nm.fit(a, b, batch_size=8)\n"
		dense      = "x = keras.layers.Dense(64, activation='relu')(x)\n"
		convBN     = "keras.layers.Conv2D(8, 3, padding='same', use_bias=False)(x)\n"
		normalized = "keras.layers.BatchNormalization()(x)\n"
		relu       = "keras.layers.Activation('relu')(x)\n"
	)
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return map[string]string{
		"dense":  head + input + strings.Repeat(dense, layers) + model + train,
		"add":    head + "m = keras.Sequential()\nm.add(keras.Input((64,)))\n" + strings.Repeat("m.add(keras.layers.Dense(64, activation='relu'))\n", layers) + train,
		"list":   head + "m = keras.Sequential([\n    keras.Input((64,)),\n" + strings.Repeat("    keras.layers.Dense(64, activation='relu'),\n", layers) + "])\n" + train,
		"func":   head + "def block(x, units):\n    return keras.layers.Dense(units, activation='relu')(x)\n" + input + strings.Repeat("x = block(x, 64)\n", layers) + model + train,
		"skips":  head + input + strings.Repeat("x = keras.layers.add([x, keras.layers.Dense(64)(x)])\n", layers/2) + model + train,
		"convbn": head + image + strings.Repeat("x = "+convBN+"x = "+normalized+"x = "+relu, layers/3+1) + model + train,
		"convbn_func": head + "def block(x):\n    x = " + convBN + "    x = " + normalized + "    return " + relu +
			image + strings.Repeat("x = block(x)\n", layers/3+1) + model + train,
		"resnet": head + "def block(x):\n    s = x\n    x = " + convBN + "    x = " + normalized + "    x = " + relu + "    x = " + convBN + "    x = " + normalized +
			"    x = keras.layers.Add()([x, s])\n    return " + relu + image + fmt.Sprintf("for _ in range(%d):\n    x = block(x)\n", layers/7+1) + model + train,
		"loop": head + input + fmt.Sprintf("for _ in range(%d):\n    ", layers) + dense + model + train,
		"eager": head + input + strings.Repeat(dense+"x = keras.layers.Dropout(0.1)(x)\n", layers/2) + model +
			"m.compile('adam', 'mse', run_eagerly=True)\nm.fit(a, b, batch_size=8)\n",
		"class": head + "class M(keras.Model):\n    def __init__(self):\n        super().__init__()\n" + numbered("        self.d%d = keras.layers.Dense(64, activation='relu')\n", layers) +
			"    def call(self, x):\n" + numbered("        x = self.d%d(x)\n", layers) + "        return x\nm = M()\nm.build((None, 64))\n" + train,
		"mixed": head + "m = keras.Sequential([keras.Input((32, 32, 8))])\n" + strings.Repeat(
			"m.add(keras.layers.Conv2D(8, 3, padding='same'))\nm.add(keras.layers.LayerNormalization())\nm.add(keras.layers.Dropout(0.1))\nm.add(keras.layers.Dense(8, 'gelu'))\n", layers/4) + train,
	}
}

// estimates measures how long tfmem takes for the price of a deep model: the command,
// from the start of its process to its end, and a server that has priced such a model
// before, from didOpen to the page that tfmem.showEstimate answers with.
func estimates(o options, servers []server) error {
	const times = 9
	fmt.Printf("a model of %d layers, %d times by turns: tfmem estimate; didOpen → tfmem.showEstimate\n", layers, times)
	folder, remove, err := folder()
	if err != nil {
		return err
	}
	defer remove()
	programs := deep()
	names := slices.Sorted(maps.Keys(programs))
	command, answer := map[string][]time.Duration{}, map[string][]time.Duration{}
	for _, s := range servers {
		if !s.ours {
			continue
		}
		for range times {
			c, _, err := start(s, folder, false)
			if err != nil {
				return err
			}
			for i, name := range append(names[:1:1], names...) {
				path := filepath.Join(folder, fmt.Sprintf("%d_%s.py", i, name))
				if err := os.WriteFile(path, []byte(programs[name]), 0o666); err != nil {
					return err
				}
				begun := time.Now()
				run := exec.Command(s.command[0], "estimate", path)
				run.Env = append(os.Environ(), s.env...)
				if out, err := run.CombinedOutput(); err != nil {
					return fmt.Errorf("%s: %w\n%s", name, err, out)
				} else if !strings.Contains(string(out), "layers") {
					return fmt.Errorf("%s is not priced:\n%s", name, out)
				}
				ran := time.Since(begun)
				uri := "file://" + path
				begun = time.Now()
				if err := c.open(uri, programs[name]); err != nil {
					return err
				}
				if _, err := c.call("workspace/executeCommand", object{"command": "tfmem.showEstimate", "arguments": []any{uri}}); err != nil {
					return err
				}
				answered := time.Since(begun)
				if err := c.notify("textDocument/didClose", object{"textDocument": object{"uri": uri}}); err != nil {
					return err
				}
				c.quiet(500 * time.Millisecond)
				if i > 0 { // the first warms the server
					command[name] = append(command[name], ran)
					answer[name] = append(answer[name], answered)
				}
			}
			c.stop()
		}
	}
	for _, name := range names {
		fmt.Printf("  %-12s command: least %10s   p25 %10s   p50 %10s   server: least %10s   p25 %10s   p50 %10s\n", name,
			quantile(command[name], 0), quantile(command[name], 0.25), quantile(command[name], 0.5),
			quantile(answer[name], 0), quantile(answer[name], 0.25), quantile(answer[name], 0.5))
	}
	return nil
}
