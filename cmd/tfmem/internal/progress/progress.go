// Package progress shows on a terminal how far a long run has come, and nothing
// at all about a short one.
package progress

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	patience = time.Second
	interval = 100 * time.Millisecond
)

// Files returns a function to be called after each of total files, by many
// goroutines at once; doing says what is done with them. Once a second has passed it shows on w how many are done,
// and wipes that away after the last.
func Files(w io.Writer, doing string, total int) (done func()) {
	bar := progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(doing),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionThrottle(interval),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionUseANSICodes(true),
	)
	start := time.Now()
	var mu sync.Mutex
	unseen := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		unseen++
		if time.Since(start) >= patience {
			_ = bar.Add(unseen) // a terminal that is gone needs no bar
			unseen = 0
		}
	}
}
