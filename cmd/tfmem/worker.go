package main

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
)

// A question is a line of a stream that another process is to answer, and an answered its answer.
type (
	question struct {
		N    int
		Line []byte
		Long bool // the line was too long to be read
	}
	answered struct {
		N       int
		Line    []byte
		Outcome outcome
	}
)

// work answers the questions of a supervisor until there are no more.
func work(in io.Reader, out io.Writer, answer func(n int, line []byte, err error) (any, outcome)) error {
	questions, answers := gob.NewDecoder(bufio.NewReader(in)), gob.NewEncoder(out)
	var mu sync.Mutex // held while an answer is written
	var group sync.WaitGroup
	defer group.Wait()
	for {
		var q question
		if err := questions.Decode(&q); err != nil {
			return nil // the supervisor has ended, or closed its end
		}
		group.Go(func() {
			var err error
			if q.Long {
				err = errTooLong
			}
			a := answered{N: q.N}
			var line any
			line, a.Outcome = answer(q.N, q.Line, err)
			var b bytes.Buffer
			_ = report.WriteJSONLine(&b, line) // a buffer takes all
			a.Line = b.Bytes()
			mu.Lock()
			defer mu.Unlock()
			_ = answers.Encode(a) // nobody is there to be told
		})
	}
}

// Workers answer lines of a stream, one worker after the other: the next takes over when one ends.
type workers struct {
	*supervisor
	self   func(n int, line []byte, err error) (any, outcome) // says why a line is not answered
	mu     sync.Mutex
	worker *worker
	failed error // no worker takes over
}

// answer has a worker answer a line, for [stream].
func (w *workers) answer(n int, line []byte, err error) (any, outcome) {
	for {
		worker, failed := w.present()
		if failed != nil {
			out, how := w.self(n, nil, failed)
			how.Bug = true
			return out, how
		}
		if a, ok := worker.ask(question{n, line, errors.Is(err, errTooLong)}); ok {
			return json.RawMessage(a.Line), a.Outcome
		}
	}
}

// present returns the present worker.
func (w *workers) present() (*worker, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil && w.worker != nil && w.worker.hasEnded() {
		_ = w.worker.cmd.Wait()
		if ended := w.worker.cmd.ProcessState; !w.goesOn(ended) {
			w.failed = fmt.Errorf("tfmem ended (%v)", ended)
		}
		w.worker = nil
	}
	if w.failed == nil && w.worker == nil {
		w.worker, w.failed = w.start()
	}
	return w.worker, w.failed
}

func (w *workers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.worker != nil {
		w.worker.in.Close()
		_ = w.worker.cmd.Wait() // all its answers are here
	}
}

// A worker is a process that answers lines.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	writing   sync.Mutex
	questions *gob.Encoder

	mu      sync.Mutex
	waiting map[int]chan answered // by line; nil once the process has ended
}

func (w *workers) start() (*worker, error) {
	cmd, err := w.command()
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	one := &worker{cmd: cmd, in: in, questions: gob.NewEncoder(in), waiting: map[int]chan answered{}}
	go one.receive(out)
	return one, nil
}

// receive hands out answers until the process ends.
func (w *worker) receive(from io.Reader) {
	answers := gob.NewDecoder(bufio.NewReader(from))
	for {
		var a answered
		err := answers.Decode(&a)
		w.mu.Lock()
		if err != nil {
			for _, c := range w.waiting {
				close(c)
			}
			w.waiting = nil
			w.mu.Unlock()
			return
		}
		c := w.waiting[a.N]
		delete(w.waiting, a.N)
		w.mu.Unlock()
		if c != nil {
			c <- a
		}
	}
}

// ask returns the answer to a question, or false if the process ends before.
func (w *worker) ask(q question) (answered, bool) {
	c := make(chan answered, 1)
	w.mu.Lock()
	ended := w.waiting == nil
	if !ended {
		w.waiting[q.N] = c
	}
	w.mu.Unlock()
	if ended {
		return answered{}, false
	}
	w.writing.Lock()
	_ = w.questions.Encode(q) // if it cannot be written, the process has ended
	w.writing.Unlock()
	a, ok := <-c
	return a, ok
}

func (w *worker) hasEnded() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waiting == nil
}
