package memory

import "github.com/tfmem/tfmem/analyzer/memory/executor"

// costs holds the needs of batch sizes of a phase on one GPU. Each is computed once.
type costs struct {
	of    *Phase
	in    *executor.Lowered
	known map[int64]Need
}

// need returns the need of a batch size.
func (c *costs) need(batch int64) (Need, error) {
	if n, ok := c.known[batch]; ok {
		return n, nil
	}
	n, err := c.of.cost(c.in, batch)
	if err == nil {
		c.known[batch] = n
	}
	return n, err
}
