package rule

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
)

// MayBeOlder reports whether the program may run with a TensorFlow older than a version. The
// evidence is a version that its project allows or that the program checks for, or a name that only
// TensorFlow 1 has.
func (p *Pass) MayBeOlder(than effects.Version) bool {
	stated := p.File.Versions().TensorFlow
	return stated.Source != "" && stated.Low.Before(than) || p.ofTensorFlow1() || p.AsksForVersion()
}

// ofTensorFlow1 reports whether the file uses names that only TensorFlow 1 has.
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

// ListGPUs returns the call that lists all GPUs, with the name that tensorflow has in the file.
func (p *Pass) ListGPUs(tensorflow string) string {
	list := ".config.list_physical_devices("
	if p.MayBeOlder(effects.Version{Major: 2, Minor: 1}) {
		list = ".config.experimental.list_physical_devices(" // available since TensorFlow 1.14, and still today
	}
	return tensorflow + list + p.Quote() + "GPU" + p.Quote() + ")"
}
