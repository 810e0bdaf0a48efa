package estimate

import (
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
)

// Page is the page that draws models, weighed against a GPU or, where that is nil,
// none; where says where a model is made, as people write a place in a file.
func Page(models []Model, device *memory.Device, where func(Model) string) page.Page {
	p := page.Page{Device: device}
	for _, m := range Distinct(models) {
		p.Models = append(p.Models, page.Model{Assessment: m.Assessment, Name: m.Name, Where: where(m), Same: m.Same, Part: m.Part})
	}
	return p
}
