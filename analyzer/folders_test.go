package analyzer_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
)

// plant makes the files and links of testdata/folders/tree.txt.
func plant(t *testing.T, root string) {
	t.Helper()
	for _, line := range linesOf(t, "tree.txt") {
		name, target, linked := strings.Cut(line, " -> ")
		name = filepath.Join(root, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil && linked {
			if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
				t.Skip("no links are made here: ", err)
			}
		} else if err == nil {
			err = os.WriteFile(name, nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func linesOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/folders", name))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
}

// unitsOf returns the units of a layer of which a program says that they are some number, or why they
// are not known.
func unitsOf(w *project.Workspace, root, program string) (units int64, why string) {
	file := analyzer.Analyze(source.New(filepath.Join(root, "train.py"), program), analyzer.Config{Workspace: w})
	models := file.Models().Models
	if len(models) != 1 {
		return 0, fmt.Sprintf("%d models", len(models))
	}
	m := models[0]
	if m.Wider != nil {
		return 0, "it ranges"
	}
	parameters, _ := m.Parameters()
	return parameters / 2, value.Words(m.Unresolved)
}

const folderProgram = `from tensorflow import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
data = %s
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(%s)])
`

// TestFoldersAsKeras compares what is known of folders of data with what Keras made of them.
func TestFoldersAsKeras(t *testing.T) {
	var keras3, tfKeras struct{ Numbers map[string]any }
	for name, into := range map[string]any{"keras3.json": &keras3, "tf_keras.json": &tfKeras} {
		text, err := os.ReadFile(filepath.Join("../testdata/folders", name))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	root := t.TempDir()
	plant(t, root)
	w := project.New(project.Disk{}, root, root)
	seen := map[string]bool{}
	for _, line := range linesOf(t, "cases.txt") {
		c, open := strings.CutPrefix(line, "? ")
		seen[c] = true
		call, number, _ := strings.Cut(c, " | ")
		units, why := unitsOf(w, root, fmt.Sprintf(folderProgram, call, number))
		_, answers := keras3.Numbers[c].(float64) // Keras 2 refuses the names of some classes
		for _, record := range []map[string]any{keras3.Numbers, tfKeras.Numbers} {
			want, ok := record[c].(float64)
			switch {
			case ok && (why == "" && units != int64(want) || why != "" && !open):
				t.Errorf("%s: %d (unknown: %q), Keras has %v", c, units, why, want)
			case !ok && record[c] == nil:
				t.Errorf("%s is not recorded", c)
			case !ok && why == "" && !answers:
				t.Errorf("%s: %d, Keras raises %v", c, units, record[c])
			}
		}
	}
	for c := range maps.Keys(keras3.Numbers) {
		if !seen[c] {
			t.Errorf("%s is no case", c)
		}
	}
}

// TestFoldersOfPrograms has programs of which it is not known what the folder holds when they read it.
func TestFoldersOfPrograms(t *testing.T) {
	root := t.TempDir()
	plant(t, root)
	w := project.New(project.Disk{}, root, root)
	read := `len(keras.utils.image_dataset_from_directory("two/train").class_names)`
	for before, known := range map[string]bool{
		"": true, "import os\nprint(os.listdir('two/train'))\n": true, "import glob\nnames = glob.glob('two/train/*')\n": true,
		"first = keras.utils.image_dataset_from_directory('two/train')\n": true, "import os\nos.makedirs('logs')\n": true,
		"import os\nos.makedirs('two/train/maybe')\n": false, "import shutil\nshutil.copytree('raw', 'two')\n": false, "import splitfolders\nsplitfolders.ratio('raw', output='two')\n": false,
		"import os\nos.system('unzip two.zip')\n": false, "import shutil\nshutil.rmtree('./two/train')\n": false,
	} {
		units, why := unitsOf(w, root, "from tensorflow import keras\n"+before+"model = keras.Sequential([keras.Input((1,)), keras.layers.Dense("+read+")])\n")
		if known != (why == "" && units == 2) {
			t.Errorf("%q: %d, %q", before, units, why)
		}
	}
}

// TestFolderChanges sees that what appears below a folder concerns the programs that count it, and
// that they are told which folder that is.
func TestFolderChanges(t *testing.T) {
	root := t.TempDir()
	plant(t, root)
	w := project.New(project.Disk{}, root, root)
	var watched []string
	w.Watch = func(folder string) { watched = append(watched, folder) }
	program := fmt.Sprintf(folderProgram, `keras.utils.image_dataset_from_directory("two/train", batch_size=1)`, "len(data)")
	for _, name := range []string{"two/train/no/new.png", "two/train/maybe/1.png"} {
		path := filepath.Join(root, filepath.FromSlash(name))
		before, _ := unitsOf(w, root, program)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if !w.Reads(path) || w.Reads(filepath.Join(root, "two/other.png")) {
			t.Errorf("%s is read: %v", path, w.Reads(path))
		}
		var affected []string
		w.Changed(path, func(paths []string) { affected = paths })
		after, why := unitsOf(w, root, program)
		if after != before+1 || !slices.Contains(affected, filepath.Join(root, "train.py")) {
			t.Errorf("%s: from %d to %d files (%s); it affects %v", name, before, after, why, affected)
		}
	}
	if !slices.Contains(watched, filepath.Join(root, "two", "train")) {
		t.Errorf("watched are %v", watched)
	}
}
