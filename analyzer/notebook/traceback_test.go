package notebook_test

import (
	"regexp"
	"testing"

	"github.com/tfmem/tfmem/analyzer/notebook"
)

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestFailedLine reads tracebacks as the versions of IPython write them, and its hosts.
func TestFailedLine(t *testing.T) {
	const rule = "---------------------------------------------------------------------------\nResourceExhaustedError                    Traceback (most recent call last)\n"
	const inside = "\n/usr/lib/keras/engine/training.py in fit(self, x)\n    700         if a:\n--> 1 x = 1\n\n"
	for name, c := range map[string]struct {
		traceback, cell string
		line            int // -1 for none, -2 for a cell that was changed
	}{
		"IPython 5":           {rule + "\x1b[0;32m<ipython-input-12-0e4b1>\x1b[0m in \x1b[0;36m<module>\x1b[0;34m()\x1b[0m\n\x1b[1;32m      1\x1b[0m x = 1\n\x1b[0;32m----> 2\x1b[0;31m \x1b[0mmodel\x1b[0m.fit(x)\x1b[0m\n" + inside, "x = 1\nmodel.fit(x)", 1},
		"IPython 7":           {rule + "/tmp/ipykernel_33/1207.py in <module>\n      1 x = 1\n----> 2 model.fit(x)\n" + inside, "x = 1\nmodel.fit(x)", 1},
		"IPython 8.0":         {rule + "Input In [5], in <cell line: 2>()\n      1 x = 1\n----> 2 model.fit(x)\n" + inside, "x = 1\nmodel.fit(x)", 1},
		"IPython 8":           {rule + "Cell \x1b[0;32mIn[5], line 2\x1b[0m\n      1 x = 1\n----> 2 model.fit(x)\n\nFile /usr/keras/x.py:1, in fit(x)\n----> 1 x = 1\n", "x = 1\nmodel.fit(x)", 1},
		"VS Code":             {rule + "\x1b[1;32m/home/u/n.ipynb Cell 5\x1b[0m in \x1b[0;36m<cell line: 2>\x1b[0;34m()\x1b[0m\n      <a href='vscode-notebook-cell:/n.ipynb#W4?line=0'>1</a> x = 1\n----> <a href='vscode-notebook-cell:/n.ipynb#W4?line=1'>2</a> model.fit(x)\n", "x = 1\nmodel.fit(x)", 1},
		"Python":              {"Traceback (most recent call last):\n  File \"<ipython-input-3-a>\", line 2, in <module>\n    model.fit(x)\n  File \"/usr/keras/x.py\", line 1, in fit\n", "x = 1\nmodel.fit(x)", 1},
		"a magic":             {rule + "<ipython-input-5-a> in <module>\n----> 1 get_ipython().run_cell_magic('time', '', 'x = 1\\nmodel.fit(x)')\n\n/usr/IPython/core.py in run_cell_magic(self)\n--> 2 model.fit(x)\n\n<timed exec> in <module>\n" + inside, "%%time\nx = 1\nmodel.fit(x)", -1},
		"a magic that counts": {rule + "Cell In[5], line 1\n----> 1 get_ipython().run_cell_magic('time', '', 'x = 1\\nmodel.fit(x)')\n\nFile <timed exec>:2\n", "\n%%time\nx = 1\nmodel.fit(x)", 3},
		"blank lines before":  {rule + "Cell In[5], line 2\n      1 x = 1\n----> 2 model.fit(x)\n", "\n\nx = 1\r\nmodel.fit(x)\r\n", 3},
		"a function":          {rule + "Cell In[5], line 1\n----> 1 step()\n\nCell In[4], line 2, in step()\n----> 2     model.fit(x)\n", "step()", 0},
		"changed":             {rule + "Cell In[5], line 2\n      1 x = 1\n----> 2 model.fit(x, batch_size=512)\n", "x = 1\nmodel.fit(x)", -2},
		"shorter":             {"  File \"<ipython-input-3-a>\", line 9, in <module>\n", "x = 1", -2},
		"no traceback":        {"", "x = 1", -1},
		"no line":             {rule + "Cell In[5], line 0\n----> 99999999999999999999 x\n", "x = 1", -2},
	} {
		line, ok := notebook.FailedLine(colours.ReplaceAllString(c.traceback, ""), c.cell)
		if !ok {
			line = -2
		}
		if line != c.line {
			t.Errorf("%s: line %d, want %d", name, line, c.line)
		}
	}
}
