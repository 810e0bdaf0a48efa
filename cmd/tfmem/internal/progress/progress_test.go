package progress

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLongRunIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		done := Files(&out, "Checking", 4)
		done()
		if out.Len() > 0 {
			t.Errorf("got %q at once, want nothing", out.String())
		}
		time.Sleep(patience)
		done()
		time.Sleep(interval / 2)
		done() // too soon to be shown
		if got := out.String(); !strings.Contains(got, "Checking") || !strings.Contains(got, "2/4") || strings.Contains(got, "3/4") {
			t.Errorf("got %q, want 2 of 4 files", got)
		}
		time.Sleep(interval)
		done()
		if got := out.String(); !strings.HasSuffix(got, "\x1b[2K\r") {
			t.Errorf("got %q, want a line that is wiped away", got)
		}
	})
}

func TestShortRunIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		done := Files(&out, "Checking", 2)
		done()
		time.Sleep(patience / 2)
		done()
		if out.Len() > 0 {
			t.Errorf("got %q, want nothing", out.String())
		}
	})
}

// A run whose last file alone takes long leaves nothing behind.
func TestLateEndIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		done := Files(&out, "Checking", 1)
		time.Sleep(2 * patience)
		done()
		if out.Len() > 0 {
			t.Errorf("got %q, want nothing", out.String())
		}
	})
}
