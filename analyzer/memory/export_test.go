package memory

import "sync"

// Anew is what price returns where no memory is left of what was priced before.
func Anew(price func() (Need, error)) (Need, error) {
	unused = sync.Pool{New: newLowered}
	return price()
}
