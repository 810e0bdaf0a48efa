package page_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

const trained = "from tensorflow import keras\nm = keras.Sequential([keras.Input((999,)), keras.layers.Dense(999)])\nm.compile('adam', 'mse')\nm.fit(x, y, batch_size=32)\n"

// run is a run in which the T4's use grows to a peak, sampled so many times.
func run(samples int, every float64, peak int64) page.RunGPU {
	g := page.RunGPU{Device: t4, Counted: "Counted.", Peak: peak, Context: 400 << 20}
	for i := range samples {
		g.Used = append(g.Used, page.Use{At: float64(i+1) * every, Bytes: peak * int64(i+1) / int64(samples)})
	}
	return g
}

// TestRun draws runs of one sample and of many, short and long, with and without an estimate.
func TestRun(t *testing.T) {
	p := keras.Evaluate(names.Resolve(syntax.Parse(trained), effects.Library{}, nil))
	model := page.Model{Assessment: memory.Assess(p.Models[0], p.Uses, memory.Place{Device: &t4}), Name: "m</svg>", Where: page.Place{Text: "case.py"}, Same: 1}
	for name, c := range map[string]struct {
		run  page.Run
		want []string
		no   string
		// pictures are those of the run.
		pictures int
	}{
		"one sample":  {page.Run{GPUs: []page.RunGPU{run(1, 0.001, 1)}}, []string{"GPU memory over 0.001 s: at most 1 B of 15.0 GiB"}, "", 1},
		"half a day":  {page.Run{GPUs: []page.RunGPU{run(90000, 0.5, 3<<30)}}, []string{"GPU memory over 12:30:00 h", ">10:00:00 h<"}, "Tesla T4: 15.0 GiB", 1},
		"all of it":   {page.Run{GPUs: []page.RunGPU{run(9, 1, 14<<30)}}, []string{"Tesla T4: 15.0 GiB", ">7 s<"}, "", 1},
		"two of them": {page.Run{GPUs: []page.RunGPU{run(9, 1, 14<<30), run(9, 1, 0)}}, []string{"<b>0 B</b>"}, "", 1},
		"none":        {page.Run{Why: "the driver <hangs>", Unpriced: "it is not known", Command: "sh & </code>"}, []string{"measured:</b> the driver &lt;hangs&gt;.", "estimate:</b> it is not known."}, "Estimated by", 0},
		"told":        {page.Run{Told: []string{"TensorFlow's peak was 2 GiB."}}, []string{"peak was 2 GiB."}, "", 0},
	} {
		for _, estimated := range []bool{false, true} {
			if estimated && c.run.Unpriced != "" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				drawn := page.Page{Device: &t4, Run: &c.run}
				want := c.want
				if estimated {
					drawn.Models = []page.Model{model}
					c.run.GPUs = slices.Clone(c.run.GPUs)
					for i := range c.run.GPUs {
						c.run.GPUs[i].Estimate = &model
					}
					want = append(want[:len(want):len(want)], "Estimated by tfmem")
				}
				if estimated && len(c.run.GPUs) > 0 {
					want = append(want, "and 400 MiB for CUDA", "estimated: 4")
				}
				var b bytes.Buffer
				if err := drawn.Write(&b); err != nil {
					t.Fatal(err)
				}
				pictures := c.pictures
				if estimated {
					pictures += 4
				}
				if got := wellFormed(t, b.String()); got != pictures {
					t.Errorf("%d pictures, want %d", got, pictures)
				}
				for _, text := range want {
					if !strings.Contains(b.String(), text) {
						t.Errorf("the page has no %q", text)
					}
				}
				if c.no != "" && strings.Contains(b.String(), c.no) {
					t.Errorf("the page has %q", c.no)
				}
				if b.Len() > 100<<10 {
					t.Errorf("the page has %d bytes", b.Len())
				}
			})
		}
	}
}
