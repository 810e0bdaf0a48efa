// Package journal notes which texts are being analysed, in a few bytes on disk that outlive the
// process. What cannot be recovered, such as a full stack, a crash in C or a kill because memory ran out,
// then costs one text: the next process leaves it out until it changes.
//
// Each process has a record of its own, which it locks. A record that nobody locks is of a process
// that ended. Each text that it was analysing is suspect: the process may have been killed, or the
// machine have stopped, for another reason. The next process analyses a suspect while it analyses
// nothing else, and if that one ends, too, the text ended it. Whoever opens the journal next makes a mark of each such text, an empty file
// with its key as name, and removes the record.
package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
)

// The names of files in a journal end in these.
const (
	recordSuffix  = ".running" // the number of the process and a point come first
	endedSuffix   = ".ended"   // the key of a text comes first
	suspectSuffix = ".suspect"
)

// mostMarks bounds how many marks are kept: texts change, and nobody asks for their marks again.
const mostMarks = 200

// A record consists of slots of this size. One that is in use holds a state, the key of a text, and
// as much of the end of its path as there is room for.
const slotSize = 256

// mostRead bounds how much of a record is read, in bytes: as many texts at once are unheard of.
const mostRead = 1 << 20

// The states of a slot.
const (
	unused = 0
	among  = 'a' // the text is analysed among others
	alone  = 's' // it is suspect, and no other is analysed
)

// A Journal is the journal of this process. It touches no file before it is asked for a text.
type Journal struct {
	folder, build func() string
	work          string            // relative paths start there
	reading       func(text string) // called when the analysis of a text has been noted, or nil

	open            sync.Once
	record          *os.File // nil if nothing can be noted
	salt            string   // of keys
	ended, suspects map[string]bool
	exclusive       sync.RWMutex // held for writing while a suspect is analysed

	mu    sync.Mutex
	free  []int64        // offsets of slots
	slots int64          // how many there are
	tried map[string]int // of suspects that were analysed: how often they still are
}

// New returns a journal in the folder that folder returns; there is none if that is "". Texts that
// ended another build do not count. Relative paths start at work. For tests, reading, unless it is
// nil, is called when the analysis of a text has been noted.
func New(folder, build func() string, work string, reading func(text string)) *Journal {
	return &Journal{folder: folder, build: build, work: work, reading: reading, tried: map[string]int{}}
}

// Folder returns the first of some folders that can be written, or "".
func Folder(folders ...string) string {
	for _, folder := range folders {
		if folder == "" || os.MkdirAll(folder, 0o700) != nil {
			continue
		}
		if f, err := os.CreateTemp(folder, "*~"); err == nil {
			f.Close()
			os.Remove(f.Name())
			return folder
		}
	}
	return ""
}

// start opens the journal.
func (j *Journal) start() {
	folder := j.folder()
	if folder == "" {
		return
	}
	Settle(folder)
	j.ended, j.suspects = marks(folder)
	j.salt = j.build()
	for j.record == nil {
		f, err := os.CreateTemp(folder, fmt.Sprint(os.Getpid(), ".*", recordSuffix))
		if err != nil {
			return
		}
		// Before it was locked, another process may have taken it for one of a process that ended.
		if lock(f) == nil {
			if _, err := os.Stat(f.Name()); err == nil {
				j.record = f
				return
			}
		}
		f.Close()
	}
}

// Entry returns the entry of a text; nil if nothing can be noted.
func (j *Journal) Entry(path, text string) analyzer.Entry {
	j.open.Do(j.start)
	if j.record == nil {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(j.work, path)
	}
	// A tenth of a millisecond for 2,000 lines, of the six that a key takes.
	sum := sha256.Sum256([]byte(j.salt + "\x00" + path + "\x00" + text))
	return &entry{j, hex.EncodeToString(sum[:16]), path, text}
}

type entry struct {
	*Journal
	key, path, text string
}

// Ended reports whether a process ended while it analysed the text.
func (e *entry) Ended() bool { return e.ended[e.key] }

// Begin notes that the text is being analysed.
func (e *entry) Begin() (end func()) {
	state, unlock := byte(among), e.exclusive.RUnlock
	if e.suspects[e.key] {
		e.exclusive.Lock()
		state, unlock = alone, e.exclusive.Unlock
	} else {
		e.exclusive.RLock()
	}
	slot := e.take(e.key, state)
	var note [slotSize]byte
	note[0] = state
	n := 1 + copy(note[1:], e.key+" ")
	copy(note[n:], e.path[max(0, len(e.path)-(slotSize-n)):])
	_, _ = e.record.WriteAt(note[:], slot) // what is not noted may end the next process, too
	if e.reading != nil {
		e.reading(e.text)
	}
	return func() {
		_, _ = e.record.WriteAt([]byte{unused}, slot)
		e.give(slot, e.key, state)
		unlock()
	}
}

// take returns the offset of an unused slot.
func (j *Journal) take(key string, state byte) (slot int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if state == alone {
		j.tried[key]++
	}
	if n := len(j.free); n > 0 {
		slot, j.free = j.free[n-1], j.free[:n-1]
		return slot
	}
	j.slots++
	return (j.slots - 1) * slotSize
}

func (j *Journal) give(slot int64, key string, state byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if state == alone {
		j.tried[key]--
	}
	j.free = append(j.free, slot)
}

// Close ends the journal in good order: suspects that were analysed to their end are none.
func (j *Journal) Close() {
	j.open.Do(func() {})
	if j.record == nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, running := range j.tried {
		if running == 0 {
			os.Remove(filepath.Join(filepath.Dir(j.record.Name()), key+suspectSuffix))
		}
	}
	j.discard()
}

// Discard forgets what is being analysed: the process is about to end for another reason.
func (j *Journal) Discard() {
	j.open.Do(func() {})
	if j.record != nil {
		j.discard()
	}
}

func (j *Journal) discard() {
	_ = j.record.Truncate(0) // what removes it later finds nothing in it
	os.Remove(j.record.Name())
}

// marks returns the keys of the texts that have a mark.
func marks(folder string) (ended, suspects map[string]bool) {
	ended, suspects = map[string]bool{}, map[string]bool{}
	entries, _ := list(folder) // marks that cannot be read do not count
	for _, e := range entries {
		if key, ok := strings.CutSuffix(e.Name(), endedSuffix); ok {
			ended[key] = true
		} else if key, ok := strings.CutSuffix(e.Name(), suspectSuffix); ok {
			suspects[key] = true
		}
	}
	return ended, suspects
}

func list(folder string) ([]fs.DirEntry, error) {
	return project.ReadDir(folder, func(e fs.DirEntry) bool { return e.Type().IsRegular() })
}

// An End is the end of a process while it analysed texts.
type End struct {
	PID int
	// Paths are those of the texts, sorted. One that is no path from the root is the end of one.
	Paths []string
	// Suspect is set unless it surely is the one text that ended it.
	Suspect bool
}

// Settle marks the texts that processes analysed when they ended, removes their records, and returns
// these ends.
func Settle(folder string) (ends []End) {
	entries, _ := list(folder) // what cannot be read is left to others
	old := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), recordSuffix) {
			if end := settle(filepath.Join(folder, e.Name())); len(end.Paths) > 0 {
				ends = append(ends, end)
			}
		} else {
			old++
		}
	}
	if old > mostMarks {
		forget(folder, entries)
	}
	return ends
}

// settle settles a record, unless its process still runs.
func settle(path string) (end End) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return End{}
	}
	defer f.Close()
	if lock(f) != nil {
		return End{}
	}
	text, err := io.ReadAll(io.LimitReader(f, mostRead))
	if err != nil {
		return End{}
	}
	fmt.Sscanf(filepath.Base(path), "%d.", &end.PID)
	paths, trial := map[string]string{}, "" // by the keys
	for slot := range slices.Chunk(text, slotSize) {
		key, path, ok := strings.Cut(string(bytes.TrimRight(slot[1:], "\x00")), " ")
		if slot[0] == unused || !ok {
			continue
		}
		if paths[key] = path; slot[0] == alone {
			trial = key
		}
	}
	if end.Suspect = trial == ""; !end.Suspect { // the second that it ended
		paths = map[string]string{trial: paths[trial]}
	}
	for key, path := range paths {
		suffix := endedSuffix
		if end.Suspect {
			suffix = suspectSuffix
		}
		mark, err := os.Create(filepath.Join(filepath.Dir(f.Name()), key+suffix))
		if err != nil {
			return End{} // another process may be able to
		}
		mark.Close()
		if !end.Suspect {
			os.Remove(filepath.Join(filepath.Dir(f.Name()), key+suspectSuffix))
		}
		end.Paths = append(end.Paths, path)
	}
	slices.Sort(end.Paths)
	os.Remove(f.Name())
	return end
}

// forget removes the older half of the marks.
func forget(folder string, entries []fs.DirEntry) {
	var infos []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && isMark(e.Name()) {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range infos[:len(infos)/2] {
		os.Remove(filepath.Join(folder, info.Name()))
	}
}

func isMark(name string) bool {
	return strings.HasSuffix(name, endedSuffix) || strings.HasSuffix(name, suspectSuffix)
}

// Clean forgets which texts ended processes, and returns how many did.
func Clean(folder string) (n int) {
	if folder == "" {
		return 0
	}
	Settle(folder)
	entries, _ := list(folder)
	for _, e := range entries {
		if isMark(e.Name()) && os.Remove(filepath.Join(folder, e.Name())) == nil {
			n++
		}
	}
	return n
}
