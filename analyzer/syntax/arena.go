package syntax

// #include "arena.h"
import "C"

import (
	"runtime"
	"unsafe"
)

func init() { C.arena_install() }

// An arena is C memory in which texts are parsed one after the other, each only to be
// lowered. It is not safe for concurrent use.
type arena struct{ c *C.arena }

// arenas are those between two uses: the first text costs one a page fault in each page.
var arenas = make(chan arena, runtime.NumCPU())

func takeArena() arena {
	select {
	case a := <-arenas:
		return a
	default:
		return arena{C.arena_new()}
	}
}

// trim gives back what the arena has beyond what a text of some pages takes.
func (a arena) trim() { C.arena_trim(a.c) }

// free gives back the arena.
func (a arena) free() {
	a.trim()
	select {
	case arenas <- a:
	default:
		C.arena_delete(a.c)
	}
}

// parse returns the root of a text's tree, which is valid until the next one is parsed.
func (a arena) parse(text string) C.TSNode {
	root := C.arena_parse(a.c, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.uint32_t(len(text)))
	if root.id == nil {
		panic("tree-sitter refuses to parse without a limit or a cancellation")
	}
	return root
}
