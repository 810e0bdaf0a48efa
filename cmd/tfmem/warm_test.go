package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// sized is a project whose findings depend on what functions of its modules compute.
const sized = `
-- nets.py --
import tensorflow as tf

def width(n):
    return n * 10

def depth(n):
    return n + 1
-- layers.py --
import nets
from nets import width

wide = width(100)
deep = getattr(nets, "dep" + "th")
-- train.py --
import tensorflow as tf
from layers import deep, wide

model = tf.keras.Sequential([tf.keras.Input((wide * 50,))] + [tf.keras.layers.Dense(wide * 20) for _ in range(deep(2))])
model.compile("adam", "mse")
model.fit(tf.zeros((64, wide * 50)), tf.zeros((64, wide * 20)))
`

// TestWarm checks that a warm answer is the cold one after edits of the files of each project of
// testdata/project, and of one more: comments, new functions, and changes of statements that others may
// depend on.
func TestWarm(t *testing.T) {
	projects, err := filepath.Glob("../../testdata/project/*.txtar")
	if err != nil || len(projects) == 0 {
		t.Fatalf("there are no cases: %v", err)
	}
	stores := t.TempDir()
	for number, project := range append(projects, "sized.txtar") {
		archive, edits := txtar.Parse([]byte(sized)), 60
		if number < len(projects) {
			if archive, err = txtar.ParseFile(project); err != nil {
				t.Fatal(err)
			}
			edits = 6
		}
		t.Run(strings.TrimSuffix(filepath.Base(project), ".txtar"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := txtar.Write(archive, "."); err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".py") {
					files = append(files, f.Name)
				}
			}
			random := rand.New(rand.NewPCG(uint64(number), 2))
			checked(t, "--cache-dir", stores)
			for i := range edits {
				if i%6 == 0 { // few edits leave a program whole
					for _, f := range archive.Files {
						overwrite(t, f.Name, string(f.Data))
					}
				}
				path := files[random.IntN(len(files))]
				before := read(t, path)
				after := edited(before, read(t, files[random.IntN(len(files))]), random)
				overwrite(t, path, after)
				if warm, cold := checked(t, "--cache-dir", stores), checked(t, "--no-cache"); warm != cold {
					t.Errorf("%s becomes\n%s\nwarm:\n%s\ncold:\n%s", path, after, warm, cold)
				}
				if random.IntN(3) > 0 { // else the next edit is one more
					overwrite(t, path, before)
				}
			}
		})
	}
}

// checked returns what the check of the working folder says.
func checked(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(append([]string{"check", "--select", "ALL", "--output-format", "json", "--exit-zero", "--gpu", "1GiB"}, args...))
	root.SetOut(&out)
	root.SetErr(&out)
	if code := execute(root); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	return out.String()
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

var (
	aNumber = regexp.MustCompile(`\b\d+\b`)
	aWord   = regexp.MustCompile(`\b[a-z_]\w+\b`)
)

// edited returns a text after one edit. other is the text of a file that may import it.
func edited(text, other string, random *rand.Rand) string {
	tree := syntax.Parse(text)
	var statements []string
	for s := range tree.Statements() {
		statements = append(statements, s.Text())
	}
	at := random.IntN(len(statements) + 1)
	put := func(statement string) string {
		return strings.Join(slices.Insert(slices.Clone(statements), at, statement), "\n") + "\n"
	}
	one := func(of *regexp.Regexp, by func(string) string) string {
		found := of.FindAllStringIndex(text, -1)
		if len(found) == 0 {
			return text
		}
		f := found[random.IntN(len(found))]
		return text[:f[0]] + by(text[f[0]:f[1]]) + text[f[1]:]
	}
	words := aWord.FindAllString(other, -1)
	if len(words) == 0 {
		words = []string{"word"}
	}
	word := words[random.IntN(len(words))]
	switch random.IntN(14) {
	case 0:
		return put("# a comment")
	case 1:
		return put("\n\n")
	case 2:
		return put("def new_loss(y_true, y_pred):\n    error = y_true - y_pred\n    return error * error")
	case 3:
		return put("def new_loss(y_true, y_pred):\n    return tf.reduce_mean(tf.square(y_true - y_pred))")
	case 4: // that another file may call
		return put(fmt.Sprintf("def %s(x):\n    return x", word))
	case 5: // that calls what another file may call
		return put(fmt.Sprintf("def new(x):\n    return %s(x)", word))
	case 6, 7, 8, 9:
		return one(aNumber, func(n string) string { return n + "0" })
	case 10:
		return one(aWord, func(string) string { return word })
	case 11:
		if at < len(statements) {
			return strings.Join(slices.Delete(slices.Clone(statements), at, at+1), "\n") + "\n"
		}
		return text + "\n" + text
	}
	random.Shuffle(len(statements), func(i, j int) { statements[i], statements[j] = statements[j], statements[i] })
	return strings.Join(statements, "\n") + "\n"
}
