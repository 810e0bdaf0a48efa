package pipeline

import "github.com/tfmem/tfmem/analyzer/graph"

// size returns the size of arrays in bytes. ok is false if a shape or type is unknown.
func size(of []graph.Input) (bytes int64, ok bool) {
	for _, a := range of {
		n, known := a.Shape.Elements()
		if !known || a.DType == "string" || a.DType == "" {
			return 0, false
		}
		bytes += n * a.DType.Size()
	}
	return bytes, len(of) > 0
}
