package discover

import "testing"

// FuzzHides: whatever a .gitignore file holds, each path is hidden or not, and comments,
// empty lines and how lines end make no difference.
func FuzzHides(f *testing.F) {
	f.Add("*.py[cod]\n!keep.py\n/a/**/b\ndata/\n\\#x\\ \n", "data/keep.py", false)
	f.Add("[a-\n**\n[!\\]x]\n!", "a/b", true)
	f.Fuzz(func(t *testing.T, text, path string, folder bool) {
		hides := func(text string) bool { return ignoring(text).hides(path, folder) }
		if want := hides(text); hides(text+"\n\n#!*\r\n") != want {
			t.Errorf("%q hides %q: %v, and not so with a comment", text, path, want)
		}
	})
}
