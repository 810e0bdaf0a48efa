package memory

import "sync"

// Anew runs price without reusing memory of earlier prices.
func Anew(price func() (Need, error)) (Need, error) {
	unused = sync.Pool{New: newLowered}
	return price()
}
