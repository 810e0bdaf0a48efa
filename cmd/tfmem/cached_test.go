package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCached holds that a check with a cache prints what one without it does, whatever happens to the
// files between them.
func TestCached(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	root, store := t.TempDir(), t.TempDir()
	path := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	texts := map[string][]string{ // those of a file are equally long but for the last
		"train.py":         {"import tensorflow as tf\nfrom nets.one import net\nnet.fit(x, y)\n", "import tensorflow as tf\nfrom nets.two import net\nnet.fit(x, y)\n", "print(1)\n"},
		"play.py":          {"from nets.one import net\nnet.predict(1)\n", "from nets.two import net\nnet.predict(1)\n", "from nets import one\n"},
		"nets/__init__.py": {"", "# ours\n"},
		"nets/one.py":      {"import tensorflow as tf\nnet = tf.keras.Sequential([])\n", "import tensorflow as ft\nnet = ft.keras.Sequential([])\n", "net = None\n"},
		"nets/two.py":      {"from nets.one import net\n", "from nets.sub import net\n", "net = 2\n"},
		"nets/sub.py":      {"net = 1\n", "net = 2\n", "from nets.one import net\n"},
		"limit.py":         {"import tensorflow as tf\nsession = tf.Session()\n", "import tensorflow as tf\nsessiom = tf.Session()\n", ""},
		"requirements.txt": {"tensorflow==2.15\n", "tensorflow==1.15\n", "numpy\n"},
		"tfmem.toml":       {"ignore = [\"TFM101\"]\n", "ignore = [\"TFM204\"]\n", "\n"},
		"folder.py":        {"import keras\ndata = keras.utils.image_dataset_from_directory('data', image_size=(8, 8))\nm = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Flatten(), keras.layers.Dense(len(data.class_names) * 1_000_000)])\nm.compile('adam', 'mse')\nm.fit(data)\n", "import keras\n"},
		"data/a/1.jpg":     {"", "x"},
		"data/b/1.jpg":     {"", "x"},
		"book.ipynb":       {notebookOf("import tensorflow as tf\\ntf.Session()"), notebookOf("import tensorflow as tf\\ntf.sessiom()"), notebookOf("%pip list\\nfrom nets.one import net\\nnet.fit(1)")},
	}
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path(name)), 0o777), os.WriteFile(path(name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("tfmem", append([]string{"check", "--fail-on", "hint"}, args...)...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), cacheVariable+"="+store)
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || bytes.Contains(out, []byte("internal error")) {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	names := []string{"train.py", "play.py", "nets/__init__.py", "nets/one.py", "nets/two.py", "nets/sub.py", "limit.py", "requirements.txt", "tfmem.toml", "book.ipynb", "folder.py", "data/a/1.jpg", "data/b/1.jpg"}
	for _, name := range names {
		if name != "requirements.txt" && name != "tfmem.toml" {
			write(name, texts[name][0])
		}
	}
	// Only files that are older are not read again.
	time.Sleep(3500 * time.Millisecond)
	check()
	random := rand.New(rand.NewPCG(1, 2))
	var done []string
	for range 40 {
		name := names[random.IntN(len(names))]
		info, err := os.Stat(path(name))
		switch n := random.IntN(5); {
		case n == 0 && err == nil:
			done = append(done, "remove "+name)
			os.Remove(path(name))
		case n == 1 && err == nil: // the text changes, its length and time do not
			done = append(done, "change silently "+name)
			write(name, texts[name][random.IntN(2)])
			os.Chtimes(path(name), info.ModTime(), info.ModTime())
		case n == 2:
			to := names[random.IntN(2)]
			done = append(done, "rename "+name+" to "+to)
			os.Rename(path(name), path(to))
		default:
			text := texts[name][random.IntN(len(texts[name]))]
			done = append(done, fmt.Sprintf("write %s %q", name, text))
			write(name, text)
		}
		for range 2 {
			if diff := cmp.Diff(check("--no-cache"), check()); diff != "" {
				t.Fatalf("after %q the cache says otherwise:\n%s", done, diff)
			}
		}
	}
}

// notebookOf returns a notebook with one cell, whose text is escaped as in JSON.
func notebookOf(cell string) string {
	return `{"cells": [{"cell_type": "code", "source": "` + cell + `", "metadata": {}, "outputs": []}], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}`
}
