package rule

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// MayBeOlder reports whether the program may run with a TensorFlow before a version: one that its
// project admits or that the program looks for, or TensorFlow 1, where the file has what no other
// has.
func (p *Pass) MayBeOlder(than effects.Version) bool {
	stated := p.File.Versions().TensorFlow
	return stated.Source != "" && stated.Low.Before(than) || p.ofTensorFlow1() || p.AsksForVersion()
}

// ofTensorFlow1 reports whether the file has what only TensorFlow 1 has.
func (p *Pass) ofTensorFlow1() bool {
	type ofTensorFlow1 struct{}
	return p.File.Fact(ofTensorFlow1{}, func() any {
		info := p.File.Names()
		for module := range info.Modules() {
			if onlyInTF1(module) {
				return true
			}
		}
		return len(info.CallsTo(onlyInTF1)) > 0
	}).(bool)
}

func onlyInTF1(name string) bool {
	below, ok := strings.CutPrefix(name, "tensorflow.")
	return ok && effects.OnlyInTF1(below)
}

// ListGPUs is the call that lists all GPUs, by TensorFlow's name in the file.
func (p *Pass) ListGPUs(tensorflow string) string {
	list := ".config.list_physical_devices("
	if p.MayBeOlder(effects.Version{Major: 2, Minor: 1}) {
		list = ".config.experimental.list_physical_devices(" // since TensorFlow 1.14, and to this day
	}
	return tensorflow + list + p.Quote() + "GPU" + p.Quote() + ")"
}
