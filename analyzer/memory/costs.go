package memory

import "github.com/tfmem/tfmem/analyzer/memory/executor"

// costs holds the needs of batch sizes on one GPU. Each is computed once.
type costs struct {
	price func(l *executor.Lowered, batch int64, p *Profile) (Need, error)
	in    *executor.Lowered
	known map[int64]Need
}

// of returns the need of a batch size.
func (c *costs) of(batch int64) (Need, error) {
	if n, ok := c.known[batch]; ok {
		return n, nil
	}
	n, err := c.price(c.in, batch, nil)
	if err == nil {
		c.known[batch] = n
	}
	return n, err
}
