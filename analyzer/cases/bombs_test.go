package cases

import (
	"strings"
	"testing"
)

// TestBombs reads the corpus: its size, its product, and what a bomb is made of.
func TestBombs(t *testing.T) {
	bombs := Bombs(t, "../../testdata/bombs")
	byName := map[string]Bomb{}
	for _, b := range bombs {
		byName[b.Name] = b
		lines := strings.Split(b.Text(), "\n")
		if lines[0] != "import tensorflow as tf" || len(lines) != b.Last()+1 || !strings.HasPrefix(lines[b.Last()-1], "last.fit(") {
			t.Errorf("%s does not stand between before.py and after.py", b.Name)
		}
	}
	if len(bombs) < 300 {
		t.Errorf("there are %d bombs", len(bombs))
	}
	if b := byName["structures/list_key"]; !strings.Contains(b.Text(), "\nx = [1, 1]\nx = [x, x]\n") || !strings.Contains(b.Text(), "\nd = {x: 1}\n") {
		t.Errorf("a beginning and an ending make\n%s", b.Text())
	}
	if b := byName["projects/deep"]; len(b.Files) != 1001 || b.Files[1000].Name != "m999.py" {
		t.Errorf("a project has %d files", len(b.Files))
	}
}
