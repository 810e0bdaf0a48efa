package main

import (
	"sync"

	"github.com/tfmem/tfmem/analyzer/memory/host"
)

// ownMachine returns the machine that tfmem runs on, nil if its memory is not known: what it has in
// all, or the limit of the container.
var ownMachine = sync.OnceValue(func() *host.Machine {
	n := totalMemory()
	if n <= 0 {
		return nil
	}
	return &host.Machine{Name: "this machine", Bytes: n, Source: "found here"}
})
