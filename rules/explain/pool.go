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

// limited reports whether a pool has the size of a limit that somebody typed: what is left of a GPU
// is no round number of MiB.
func (p *Pool) limited() bool {
	mib := p.Bytes >> 20
	return mib > 0 && (mib%512 == 0 || mib%500 == 0)
}

// device returns the GPU of a pool; ok is false if its size is not known, or is not that of the GPU
// that the log has: some cards are sold in several sizes.
func (e explainer) device(p *Pool) (d memory.Device, ok bool) {
	if p == nil {
		return d, false
	}
	total := p.Total
	for i := range e.log.Pools { // nvidia-smi tells it for itself
		if o := &e.log.Pools[i]; total == 0 && o.Bytes == 0 {
			total = o.Total
		}
	}
	d, _ = e.lookup(p.Name)
	if total > d.Total {
		d.Total = total
	}
	return d, d.Total > 0 && p.Bytes <= memory.BudgetOf(d, memory.Process{}).High
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

// short reports whether a pool is so small that TensorFlow surely did not have the GPU to itself. A
// GPU for servers drives no screen, and its pool varies little.
func (e explainer) short(p *Pool) bool {
	d, ok := e.device(p)
	if !ok || p.Bytes == 0 {
		return false
	}
	b := memory.BudgetOf(d, memory.Process{})
	least := little
	if b.Low > b.Expected*95/100 {
		least = littleOfServers
	}
	return float64(p.Bytes) < least*float64(b.Expected)
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
	s := memory.Split(d, memory.Process{})
	others := d.Total - s.Context - s.Reserve - p.Bytes
	if others < notable || p.limited() {
		return nil
	}
	return []Evidence{{p.Line, fmt.Sprintf("Of the GPU's %s, TensorFlow's pool had %s; about %s are CUDA's context, about %s a reserve for cuDNN and the like, and some %s were a screen's, the system's or another program's.",
		memory.Bytes(d.Total), memory.Bytes(p.Bytes), memory.Bytes(s.Context), memory.Bytes(s.Reserve), memory.Bytes(others))}}
}

// share explains the size of the pool where nothing failed.
func (e explainer) share() *Explanation {
	p := e.pool(&Message{Line: e.log.Lines})
	d, ok := e.device(p)
	if !ok || e.first(Exception) != nil {
		return nil
	}
	s := memory.Split(d, memory.Process{})
	x := &Explanation{Cause: Harmless, Sure: true, Limit: p.Bytes}
	x.Claim = fmt.Sprintf("Nothing failed: TensorFlow took %s of a GPU of %s", memory.Bytes(p.Bytes), memory.Bytes(d.Total))
	x.Evidence = e.divided(p)
	switch {
	case e.short(p) && p.limited():
		x.Sure = false
		x.Claim = fmt.Sprintf("Nothing failed: TensorFlow probably has a memory limit of %s", memory.Bytes(p.Bytes))
		x.Evidence = []Evidence{{p.Line, fmt.Sprintf("%s is a round number; of a free GPU of %s it takes %s.", memory.Bytes(p.Bytes), memory.Bytes(d.Total), memory.Bytes(s.Pool))}}
	case e.short(p):
		x.Cause, x.Sure = OtherProcess, false
		x.Claim = fmt.Sprintf("TensorFlow got %s of a GPU of %s: something else holds the rest", memory.Bytes(p.Bytes), memory.Bytes(d.Total))
		x.advise()
	}
	if len(x.Evidence) == 0 {
		x.Evidence = []Evidence{{p.Line, fmt.Sprintf("About %s are CUDA's context, and about %s a reserve for cuDNN and the like.", memory.Bytes(s.Context), memory.Bytes(s.Reserve))}}
	}
	return x
}
