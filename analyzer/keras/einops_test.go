package keras_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestPatterns compares the shapes of einops patterns for a tensor of (None, 4, 6) with those of
// einops 0.8.2 for one of (5, 4, 6), or the reason for none.
func TestPatterns(t *testing.T) {
	for _, c := range []struct{ call, shape, why string }{
		{"rearrange(x, 'b h w -> b (h w)')", "24", ""},
		{"rearrange(x, 'b h w -> b w h')", "6, 4", ""},
		{"rearrange(x, 'b (h p) (w q) -> b (h w) (p q)', p=2, q=3)", "4, 6", ""},
		{"rearrange(x, 'b h (c w) -> b c h w', c=2)", "2, 4, 3", ""},
		{"rearrange(x, 'b ... -> b ...')", "4, 6", ""},
		{"rearrange(x, 'b ... c -> b c ...')", "6, 4", ""},
		{"rearrange(x, 'b ... -> b (...)')", "24", ""},
		{"rearrange(x, 'b h w -> b h 1 w')", "4, 1, 6", ""},
		{"rearrange(rearrange(x, 'b h w -> b h () w'), 'b h 1 w -> b h w')", "4, 6", ""},
		{"rearrange(rearrange(x, 'b h w -> (b h) w'), '(b h) w -> b (h w)', h=4)", "24", ""},
		{"reduce(x, 'b h w -> b w', 'max')", "6", ""},
		{"reduce(x, 'b (h 2) w -> b h w', 'mean')", "2, 6", ""},
		{"reduce(x, 'b h w -> b 1 w', 'sum')", "1, 6", ""},
		{"repeat(x, 'b h w -> b (h n) w', n=3)", "12, 6", ""},
		{"repeat(x, 'b h w -> b h w n', n=2)", "4, 6, 2", ""},
		{"rearrange(x, 'b h w -> b h')", "", "left out"},
		{"rearrange(x, 'b h w -> b h w c')", "", "length of c"},
		{"rearrange(x, 'b h -> h b')", "", "3 dimensions"},
		{"rearrange(x, 'b h h -> b h')", "", "twice"},
		{"rearrange(x, 'b (h p) w -> b h p w', p=3)", "", "not divided"},
		{"rearrange(x, 'b (h p) w -> b h p w')", "", "not known"},
		{"rearrange(x, 'b (h w -> b h w')", "", "parentheses"},
		{"rearrange(x, 'b h w')", "", "arrow"},
		{"reduce(x, 'b h w -> b', how)", "", "left out"},
	} {
		p := follow(fmt.Sprintf("import keras\nfrom einops import rearrange, reduce, repeat\nx = keras.Input((4, 6))\nm = keras.Model(x, keras.layers.Lambda(lambda x: %s)(x))\n", c.call))
		m := p.Models[0]
		if c.why != "" {
			if why := fmt.Sprint(m.Unresolved); !strings.Contains(why, c.why) {
				t.Errorf("%s is unknown because of %s, want %q", c.call, why, c.why)
			}
			continue
		}
		if len(m.Outputs) != 1 || fmt.Sprint(m.Outputs[0].Shape) != "(None, "+c.shape+")" && fmt.Sprint(m.Outputs[0].Shape) != "(None, "+c.shape+",)" {
			t.Errorf("%s makes %v of it, want (None, %s): %v", c.call, m.Outputs, c.shape, m.Unresolved)
		}
	}
}
