package explain

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// pool returns what TensorFlow took of the device of a message.
func (e explainer) pool(m *Message) *Pool {
	var found *Pool
	for i := range e.log.Pools {
		if p := &e.log.Pools[i]; p.Line <= m.Line && p.Bytes > 0 && (m.Device == "" || p.Device == m.Device || found == nil) {
			found = p
		}
	}
	return found
}

// device returns the GPU of a pool; ok is false if its size is not known.
func (e explainer) device(p *Pool) (d memory.Device, ok bool) {
	if p == nil {
		return d, false
	}
	if d, ok = e.lookup(p.Name); ok {
		return d, true
	}
	return memory.Device{Total: p.Total}, p.Total > 0
}

// usual returns the pool that TensorFlow takes of the GPU if no other program uses it; 0 if that is
// not known.
func (e explainer) usual(p *Pool) int64 {
	d, ok := e.device(p)
	if !ok {
		return 0
	}
	return memory.BudgetOf(d, memory.Process{}).Expected
}

// full returns a GPU that had little free when it was looked at before a line, or nil. After a
// failure nvidia-smi shows what the program itself holds.
func (e explainer) full(before int) *Pool {
	for i := range e.log.Pools {
		if p := &e.log.Pools[i]; p.Line < before && p.FreeKnown && p.Total > 0 && p.Free < p.Total/2 {
			return p
		}
	}
	return nil
}

// notable is a part of a GPU that is worth a sentence.
const notable = 256 << 20

// divided says where the rest of a GPU is of which TensorFlow's pool has less than it usually has.
func (e explainer) divided(p *Pool) []Evidence {
	d, ok := e.device(p)
	if !ok || p.Bytes == 0 {
		return nil
	}
	total := max(d.Total, p.Total)
	s := memory.Split(d, memory.Process{})
	others := total - s.Context - s.Reserve - p.Bytes
	if others < notable || p.Bytes > total {
		return nil
	}
	return []Evidence{{p.Line, fmt.Sprintf("Of the GPU's %s, TensorFlow's pool had %s; about %s are CUDA's context, about %s a reserve for cuDNN and the like, and some %s were a screen's, the system's or another program's.",
		memory.Bytes(total), memory.Bytes(p.Bytes), memory.Bytes(s.Context), memory.Bytes(s.Reserve), memory.Bytes(others))}}
}

// share explains the size of the pool where nothing failed.
func (e explainer) share() *Explanation {
	p := e.pool(&Message{Line: e.log.Lines})
	d, ok := e.device(p)
	if !ok {
		return nil
	}
	total := max(d.Total, p.Total)
	s := memory.Split(d, memory.Process{})
	x := &Explanation{Cause: Harmless, Sure: true, Limit: p.Bytes}
	x.Claim = fmt.Sprintf("Nothing failed: TensorFlow took %s of a GPU of %s", memory.Bytes(p.Bytes), memory.Bytes(total))
	x.Evidence = e.divided(p)
	if float64(p.Bytes) < little*float64(s.Pool) {
		x.Cause, x.Sure = OtherProcess, false
		x.Claim = fmt.Sprintf("TensorFlow got %s of a GPU of %s: something else holds the rest", memory.Bytes(p.Bytes), memory.Bytes(total))
		x.advise()
	}
	if len(x.Evidence) == 0 {
		x.Evidence = []Evidence{{p.Line, fmt.Sprintf("About %s are CUDA's context, and about %s a reserve for cuDNN and the like.", memory.Bytes(s.Context), memory.Bytes(s.Reserve))}}
	}
	return x
}
