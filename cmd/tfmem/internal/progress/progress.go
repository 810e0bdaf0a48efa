// Package progress shows the progress of a long run on a terminal, and nothing for a short one.
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

// Files returns a function that many goroutines may call, after each of total files; doing says
// what is done with them. After a second it shows on w how many are done, and it clears that
// after the last.
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
			_ = bar.Add(unseen) // errors do not matter: a closed terminal needs no bar
			unseen = 0
		}
	}
}
