package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/journal"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
)

// journalVariable names the folder of the journal to a process that another one supervises.
const journalVariable = "TFMEM_JOURNAL"

// endVariable makes the process end as soon as it analyses a text with a marker. Its value is a way
// to end, a colon, and the marker. It is for tests.
const endVariable = "TFMEM_TEST_END"

// running is the journal of this process.
var running = sync.OnceValue(func() *journal.Journal {
	work, _ := os.Getwd()
	folder := func() string {
		if given := os.Getenv(journalVariable); given != "" {
			return given
		}
		return journalFolder(cacheFolder(""))
	}
	var reading func(string)
	if how, marker, ok := strings.Cut(os.Getenv(endVariable), ":"); ok {
		reading = func(text string) {
			if strings.Contains(text, marker) {
				end(how)
			}
		}
	}
	j := journal.New(folder, build, work, reading)
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, program.Ending...)
	go func() {
		// What ends at the wish of others was not ended by what it analysed.
		s := <-asked
		write.Stop()
		j.Discard()
		signal.Stop(asked)
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Signal(s)
		}
	}()
	return j
})

// journalFolders are where the journal beside a cache may be: there, or where that cannot be written
// among the temporary files of this user.
func journalFolders(cache string) []string {
	if cache != "" {
		cache = filepath.Join(cache, "running")
	}
	return []string{cache, filepath.Join(os.TempDir(), "tfmem-"+strconv.Itoa(os.Getuid()))}
}

// journalFolder returns the folder of the journal beside a cache; "" if there can be none.
func journalFolder(cache string) string { return journal.Folder(journalFolders(cache)...) }

// end ends the process in a way that nothing in it recovers from.
func end(how string) {
	switch how {
	case "wait":
		select {}
	case "overflow":
		panic(overflow(0))
	case "kill":
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Kill()
		}
		select {}
	}
}

// overflow calls itself until the stack is full.
func overflow(n int) int {
	if n < 0 {
		return 0
	}
	return overflow(n+1) + n
}
