package folders

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func read(t testing.TB, files fstest.MapFS) (Folder, error) {
	t.Helper()
	list := func(folder string) ([]fs.DirEntry, error) {
		if strings.HasSuffix(folder, "locked") {
			return nil, fs.ErrPermission
		}
		return files.ReadDir(filepath.ToSlash(folder))
	}
	text, err := Read(".", list, func(path string) bool { return strings.HasSuffix(path, "folder") })
	if err != nil {
		return Folder{}, err
	}
	f, ok := Parse(text)
	if !ok {
		t.Errorf("%q is no folder", text)
	}
	return f, nil
}

// TestRead counts by extension and class, and leaves open what it does not see.
func TestRead(t *testing.T) {
	link := &fstest.MapFile{Mode: fs.ModeSymlink}
	f, err := read(t, fstest.MapFS{
		"b/1.JPG": {}, "b/c/2.jpg": {}, "b/3.jpeg": {}, "b/README": {}, "a.folder": link, "c/a.folder": link, "c/1.jpg": {}, "d/locked/1.jpg": {}, "d/2.jpg": {},
		"top.jpg": {}, "link.jpg": link, "e/verylongextension.verylongextension": {},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{fmt.Sprint(f.Files)}
	for _, c := range f.Classes {
		n, ok := c.Number([]string{"jpg"})
		got = append(got, fmt.Sprint(c.Name, n, ok))
	}
	want := []string{"{map[jpg:2] false}", "a.folder0 false", "b2 true", "c1 false", "d1 false", "e0 true"}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestMost sees that the classes of more files than are counted are known, and no count of them.
func TestMost(t *testing.T) {
	many, top := fstest.MapFS{"b/1.jpg": {}}, fstest.MapFS{}
	for i := range MaxEntries {
		many[fmt.Sprintf("a/%d.jpg", i)] = &fstest.MapFile{}
		top[fmt.Sprintf("%d.jpg", i)] = &fstest.MapFile{}
	}
	f, err := read(t, many)
	if err != nil || !f.Uncounted || len(f.Classes) != 2 || f.Classes[0].Of != nil {
		t.Errorf("%v, %v", f, err)
	}
	if f, err = read(t, top); err != nil || f.Uncounted || f.Of["jpg"] != MaxEntries {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := Read("gone", func(string) ([]fs.DirEntry, error) { return nil, fs.ErrNotExist }, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// FuzzRead checks that any names are counted once each.
func FuzzRead(f *testing.F) {
	f.Add("a/1.jpg\na/2.JPG\nb/c/3.png\n4.gif")
	f.Add(".hidden/.jpg\n\xff\xfe.jpg\nx/\xff.jpg")
	f.Fuzz(func(t *testing.T, names string) {
		files, want := fstest.MapFS{}, 0
		for name := range strings.SplitSeq(names, "\n") {
			if name = path.Clean(name); fs.ValidPath(name) && name != "." && strings.ToLower(path.Ext(name)) == ".jpg" && files[name] == nil {
				files[name] = &fstest.MapFile{}
				want++
			}
		}
		for name := range files {
			for at := path.Dir(name); at != "."; at = path.Dir(at) {
				if files[at] != nil { // a folder of that name is no file
					return
				}
			}
		}
		got, err := read(t, files)
		if err != nil {
			return
		}
		n, _ := got.Number([]string{"jpg"})
		for _, c := range got.Classes {
			more, _ := c.Number([]string{"jpg"})
			n += more
		}
		if n != int64(want) {
			t.Errorf("%q: %d, want %d", names, n, want)
		}
	})
}
