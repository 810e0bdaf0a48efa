package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// A stream frames messages as LSP does. It differs from the library's stream in three ways. A
// malformed message is answered and does not end the connection, which is simple because LSP has
// no batches. Reading resumes after a broken header. Write never waits for the client, so the
// reading goroutine may answer.
type stream struct {
	rwc   io.ReadWriteCloser
	in    *bufio.Reader
	body  []byte // of the message last read, which borrows it
	log   *slog.Logger
	onEnd func(error) // called, perhaps more than once, with the reason why nothing more is sent

	mu      sync.Mutex        // many goroutines write, one sends
	frames  []*frame          // to be written; the one that is being written precedes them
	pending int               // bytes of them
	latest  map[string]*frame // the last waiting frame of a topic
	message []byte            // the one being framed
	err     error             // why nothing more is written
	drained chan struct{}     // closed when little waits; nil if nobody waits for that

	wake    chan struct{} // there is something in frames; closed by Close
	written chan struct{} // closed when the writer has ended
	once    sync.Once
}

var _ jsonrpc2.Stream = (*stream)(nil)

const (
	maxMessage = 512 << 20 // bytes of a message; a header that declares more is broken
	maxPending = 64 << 20  // bytes that wait for the client to read
	keepBuffer = 1 << 20   // a larger buffer is not kept for the next message
	backlog    = 1 << 20   // bytes that wait for a slow client
	largeText  = 16 << 20  // bytes from which memory is returned to the system as soon as it is unused
)

// A frame is a message with its header.
type frame struct {
	topic string
	data  []byte
}

// A topic is the key of a context for [stream.Write]. Its value is a string. If the client reads
// slowly, a message replaces a waiting one of the same topic.
type topic struct{}

// newStream returns a stream over rwc. Close closes rwc.
func newStream(rwc io.ReadWriteCloser, log *slog.Logger) *stream {
	s := &stream{
		rwc: rwc, in: bufio.NewReaderSize(rwc, 64<<10), log: log,
		latest: map[string]*frame{}, wake: make(chan struct{}, 1), written: make(chan struct{}),
	}
	go s.write()
	return s
}

// Read returns the next well-formed message. The message borrows the stream's buffer until the
// next Read.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if err := s.readBody(ctx); err != nil {
			s.onEnd(errDisconnected)
			return nil, 0, err
		}
		msg, err := jsonrpc2.DecodeMessage(s.body)
		if err == nil {
			return msg, int64(len(s.body)), nil
		}
		if json.Valid(s.body) {
			err = jsonrpc2.ErrInvalidRequest // DecodeMessage takes 17 for invalid JSON
		}
		s.reject(ctx, idOf(s.body), err)
	}
}

// reject answers something that is not a message.
func (s *stream) reject(ctx context.Context, id jsonrpc2.ID, err error) {
	s.log.Warn("the client sent a malformed message", "error", err)
	_, _ = s.Write(ctx, jsonrpc2.NewResponse(id, nil, err))
}

// idOf returns the id of a malformed request, so that its sender gets an answer.
func idOf(body []byte) (id jsonrpc2.ID) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(body, &request) != nil || request.Method == "" {
		return id
	}
	var text string
	var number float64
	switch {
	case len(request.ID) == 0 || string(request.ID) == "null":
	case json.Unmarshal(request.ID, &text) == nil:
		return jsonrpc2.NewStringID(text)
	case json.Unmarshal(request.ID, &number) == nil:
		if n := int64(number); float64(n) == number {
			return jsonrpc2.NewNumberID(n)
		}
	}
	return id
}

func (s *stream) readBody(ctx context.Context) error {
	// The previous message is not needed any more, and the next may take a while.
	if size := cap(s.body); size > keepBuffer {
		if s.body = nil; size > largeText {
			debug.FreeOSMemory()
		}
	}
	length, err := s.readHeader(ctx)
	if err != nil {
		return err
	}
	// The buffer grows with what arrives, not with what the header promises. The first part of a
	// long message must arrive before the rest is allocated, at once.
	buf := bytes.NewBuffer(s.body[:0])
	first := min(length, keepBuffer)
	if _, err = io.CopyN(buf, s.in, int64(first)); err == nil && length > first {
		buf.Grow(length - first + bytes.MinRead)
		_, err = io.CopyN(buf, s.in, int64(length-first))
	}
	s.body = buf.Bytes()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// lengthField matches the required field of a header, at the end of a line: after a body that was
// longer than declared, the next header starts within a line.
var lengthField = regexp.MustCompile(`(?i)content-length[ \t]*:[ \t]*([0-9]+)[ \t]*\r?\n$`)

// readHeader reads up to the blank line that ends a header and returns the declared length. It
// answers a broken header once, and then skips lines until one declares a length: a message is
// lost, not the connection.
func (s *stream) readHeader(ctx context.Context) (int, error) {
	length, fields, broken := -1, 0, false
	for {
		line, err := s.readLine()
		if err != nil {
			return 0, err
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			if length >= 0 {
				return length, nil
			}
			if fields == 0 {
				continue // an extra line break after the previous message
			}
		}
		fields++
		good := bytes.IndexByte(line, ':') > 0 && line[0] != '{'
		why := "a message must start with a header that declares its Content-Length"
		if m := lengthField.FindSubmatchIndex(line); m != nil {
			if n, err := strconv.Atoi(string(line[m[2]:m[3]])); err == nil && n <= maxMessage {
				length, good = n, m[0] == 0
			} else {
				length, good = -1, false
				why = fmt.Sprintf("a message must have at most %d MB", maxMessage>>20)
			}
		}
		if !good && !broken {
			broken = true
			s.reject(ctx, jsonrpc2.ID{}, fmt.Errorf("%w: %s", jsonrpc2.ErrParse, why))
		}
	}
}

// readLine returns a line with its line break. It returns the end of a line that is longer than
// any header.
func (s *stream) readLine() ([]byte, error) {
	line, err := s.in.ReadSlice('\n')
	var end []byte
	for errors.Is(err, bufio.ErrBufferFull) {
		end = append(end[:0], line[max(0, len(line)-64):]...)
		line, err = s.in.ReadSlice('\n')
	}
	if end != nil {
		line = append(end, line...)
	}
	return line, err
}

// Write queues a message. It gives up a client that reads so slowly that too much waits.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	s.message = jsonrpc2.AppendMessage(s.message[:0], msg)
	f := &frame{data: append(fmt.Appendf(make([]byte, 0, len(s.message)+32), "Content-Length: %d\r\n\r\n", len(s.message)), s.message...)}
	if cap(s.message) > keepBuffer {
		s.message = nil
	}
	f.topic, _ = ctx.Value(topic{}).(string)
	n := len(f.data)
	if old := s.latest[f.topic]; f.topic != "" && old != nil && s.pending > backlog {
		s.pending -= len(old.data)
		old.data = f.data
	} else {
		s.frames = append(s.frames, f)
		if f.topic != "" {
			s.latest[f.topic] = f
		}
	}
	if s.pending += n; s.pending > maxPending {
		s.fail(fmt.Errorf("%w: more than %d MB wait", errNothingIsRead, maxPending>>20))
		return 0, s.err
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return int64(n), nil
}

// fail stops the writing. The caller holds s.mu.
func (s *stream) fail(err error) {
	s.err, s.frames, s.pending, s.latest = err, nil, 0, nil
	s.relieve()
	s.onEnd(err)
}

// relieve wakes those who wait until little is left to write. The caller holds s.mu.
func (s *stream) relieve() {
	if s.drained != nil {
		close(s.drained)
		s.drained = nil
	}
}

// wait returns when the client has read most of what was sent, or ctx is done.
func (s *stream) wait(ctx context.Context) {
	s.mu.Lock()
	if s.pending <= backlog || s.err != nil {
		s.mu.Unlock()
		return
	}
	if s.drained == nil {
		s.drained = make(chan struct{})
	}
	drained := s.drained
	s.mu.Unlock()
	select {
	case <-drained:
	case <-ctx.Done():
	}
}

// write sends what is queued until Close, and then the rest.
func (s *stream) write() {
	defer close(s.written)
	for open := true; open; {
		_, open = <-s.wake
		for data := s.next(0); data != nil; data = s.next(len(data)) {
			if _, err := s.rwc.Write(data); err != nil {
				s.mu.Lock()
				defer s.mu.Unlock()
				if s.err == nil {
					s.fail(fmt.Errorf("%w: %w", errDisconnected, err))
				}
				return
			}
		}
	}
}

// next returns the next frame, or nil. written is the length of the previous one.
func (s *stream) next(written int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pending = max(0, s.pending-written); s.pending <= backlog {
		s.relieve()
	}
	if len(s.frames) == 0 {
		return nil
	}
	f := s.frames[0]
	s.frames[0] = nil
	if s.frames = s.frames[1:]; s.latest[f.topic] == f {
		delete(s.latest, f.topic)
	}
	return f.data
}

// stop makes Write fail with err from now on. It reports false if Write failed before.
func (s *stream) stop(err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return false
	}
	s.err = err
	return true
}

// Close sends what is queued, if the client reads it soon, and closes the connection.
func (s *stream) Close() error {
	s.once.Do(func() {
		hears := s.stop(errServerIsEnding) // before wake is closed: a failed Write does not wake
		close(s.wake)
		if !hears {
			return
		}
		select {
		case <-s.written:
		case <-time.After(grace / 2):
		}
	})
	return s.rwc.Close()
}
