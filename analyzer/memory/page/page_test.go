package page_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

var (
	t4 = memory.Device{Name: "Tesla T4", Total: 15 << 30, Major: 7, Minor: 5, Source: "catalogue"}
	l4 = memory.Device{Name: "NVIDIA L4", Total: 23 << 30, Major: 8, Minor: 9, Source: "catalogue"}
)

// draw is the page of a program's models.
func draw(t *testing.T, program string, device *memory.Device) string {
	t.Helper()
	p := keras.Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
	drawn := page.Page{Device: device}
	for i, m := range p.Models {
		a := memory.Assess(m, p.Uses, memory.Place{Device: device, Others: []memory.Device{l4}})
		drawn.Models = append(drawn.Models, page.Model{Assessment: a, Name: m.Variable, Where: page.Place{Text: "case.py", Link: "./case.py#L1", Line: "x = 1"}, Said: a.Assumptions(), Same: 1, Part: i == 0 && len(p.Models) > 2})
	}
	var b bytes.Buffer
	if err := drawn.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden holds the pages of the programs in testdata against those beside
// them.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no cases", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			program, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := draw(t, string(program), &t4)
			cases.Golden(t, strings.TrimSuffix(path, ".py")+".html", got)
		})
	}
}

var programs = map[string]string{
	"none":       "x = 1\n",
	"no input":   "m = keras.Sequential([keras.layers.Dense(3)])\n",
	"inference":  "m = keras.applications.MobileNetV2()\n",
	"one layer":  "m = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])\nm.compile('sgd', 'mse')\nm.fit(x, y, batch_size=1)\n",
	"no weights": "m = keras.Sequential([keras.Input((4, 4, 3)), keras.layers.Flatten()])\nm.compile('adam', 'mse')\n",
	"empty":      "m = keras.Sequential([keras.Input((4,))])\nm.compile('adam', 'mse')\n",
	"idle":       "m = keras.Sequential([keras.Input((4,)), keras.layers.Flatten()])\n",
	"exceeds":    "m = keras.applications.VGG16(weights=None)\nm.compile('adam', 'mse')\nm.fit(x, y, batch_size=4096)\n",
	"huge":       "m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(10 ** 12)])\nm.compile('adam', 'mse')\n",
	"markup":     "m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, name='</svg><script>alert(1)</script>\"')])\nm.compile('adam', 'mse')\n",
	"deep":       "x = i = keras.Input((8,))\n" + strings.Repeat("x = keras.layers.Dense(8)(x)\n", 2000) + "m = keras.Model(i, x)\nm.compile('adam', 'mse')\n",
}

var (
	voids    = regexp.MustCompile(`<(meta|br)\b[^>]*>|<!doctype html>`)
	style    = regexp.MustCompile(`(?s)<style>.*</style>`)
	external = regexp.MustCompile(`(?i)\b(src|srcset)\s*=|\bhref="[^#.]|@import|url\(|https?:`)
	nonsense = regexp.MustCompile(`NaN|Inf|%!|"-\d|<no value>|ZgotmplZ`)
)

// TestWellFormed sees that all pages are, that they need nothing from elsewhere
// and that every picture says in words what it shows.
func TestWellFormed(t *testing.T) {
	for name, program := range programs {
		for where, device := range map[string]*memory.Device{"T4": &t4, "no GPU": nil} {
			t.Run(name+", "+where, func(t *testing.T) {
				pictures := wellFormed(t, draw(t, "from tensorflow import keras\n"+program, device))
				if name == "exceeds" && pictures != 4 {
					t.Errorf("there are %d pictures, want 4", pictures)
				}
			})
		}
	}
}

// wellFormed checks a page, and counts its pictures.
func wellFormed(t *testing.T, html string) (pictures int) {
	t.Helper()
	body := style.ReplaceAllString(voids.ReplaceAllString(html, ""), "")
	d := xml.NewDecoder(strings.NewReader(body))
	d.Entity = xml.HTMLEntity
	for depth := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		start, ok := token.(xml.StartElement)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "svg" {
			depth--
		}
		switch {
		case ok && start.Name.Local == "script":
			t.Error("there is a script")
		case ok && start.Name.Local == "svg" && depth > 0:
			depth++ // a part of a picture
		case ok && start.Name.Local == "svg":
			pictures++
			depth++
			attributes := map[string]string{}
			for _, a := range start.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if attributes["role"] != "img" || attributes["aria-label"] == "" {
				t.Errorf("a picture without words: %v", attributes)
			}
		}
	}
	if found := external.FindString(html); found != "" {
		t.Errorf("the page has %q", found)
	}
	if found := nonsense.FindString(html); found != "" {
		t.Errorf("the page has %q", found)
	}
	return pictures
}

var label = regexp.MustCompile(`<text x="([\d.-]+)" y="([\d.-]+)" text-anchor="(\w+)" class="([\w ]+)">([^<]*)</text>`)

// TestLabels sees that no label of a picture covers another or leaves the picture: with all kinds of
// memory, with batches of seven digits, and where one part of the step is short. A letter is taken to be
// as wide as those that a browser measured on average.
func TestLabels(t *testing.T) {
	const letter, height = 6.6, 11.0
	for name, program := range map[string]string{
		"all kinds": "import numpy as np\nm = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Conv2D(64, 3), keras.layers.Flatten(), keras.layers.Dense(4096), keras.layers.Dense(10)])\nm.compile('adam', 'mse')\nm.fit(np.zeros((50000, 32, 32, 3)), np.zeros((50000, 10)), batch_size=4096)\n",
		"large":     "m = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8)])\nm.compile('adam', 'mse')\nm.fit(x, y, batch_size=262144)\n",
		"forward":   "x = i = keras.Input((8, 8, 4))\nfor _ in range(60):\n    x = keras.layers.Reshape((8, 8, 4))(keras.ops.stop_gradient(keras.layers.ReLU()(x)))\nm = keras.Model(i, keras.layers.Dense(1)(x))\nm.compile('sgd', 'mse')\nm.fit(x, y, batch_size=8)\n",
	} {
		for _, picture := range strings.Split(draw(t, "from tensorflow import keras\n"+program, &t4), "<svg viewBox=")[1:] {
			type box struct {
				text                     string
				left, right, top, bottom float64
			}
			var boxes []box
			for _, m := range label.FindAllStringSubmatch(picture, -1) {
				x, _ := strconv.ParseFloat(m[1], 64)
				y, _ := strconv.ParseFloat(m[2], 64)
				wide := letter * float64(len([]rune(m[5])))
				b := box{m[5], x, x + wide, y - height, y}
				shift := map[string]float64{"middle": wide / 2, "end": wide}[m[3]]
				b.left, b.right = b.left-shift, b.right-shift
				if b.left < -1 || b.right > 721 {
					t.Errorf("%s: %q leaves the picture", name, b.text)
				}
				for _, o := range boxes {
					if b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom {
						t.Errorf("%s: %q covers %q", name, b.text, o.text)
					}
				}
				boxes = append(boxes, b)
			}
		}
	}
}
