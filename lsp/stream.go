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
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// A stream frames messages as LSP does. It differs from the library's in three
// ways: a malformed message is answered and does not end the connection, which
// LSP's batchless messages make simple; reading resumes after a broken header;
// and Write never waits for the client, so that the goroutine that reads may
// answer.
type stream struct {
	rwc   io.ReadWriteCloser
	in    *bufio.Reader
	body  []byte // of the message last read, which borrows it
	log   *slog.Logger
	onEnd func() // told when there is nothing more to read

	mu      sync.Mutex
	pending []byte // frames to be written
	message []byte // the one being framed
	err     error  // why nothing more is written

	wake    chan struct{} // there is something in pending; closed by Close
	written chan struct{} // closed when the writer has ended
	once    sync.Once
}

var _ jsonrpc2.Stream = (*stream)(nil)

const (
	maxMessage = 256 << 20 // bytes of a message; a header that declares more is broken
	maxPending = 256 << 20 // bytes that wait for the client to read
	keepBuffer = 1 << 20   // a larger buffer is not kept for the next message
)

// newStream returns a stream over rwc, which its Close closes.
func newStream(rwc io.ReadWriteCloser, log *slog.Logger) *stream {
	s := &stream{
		rwc: rwc, in: bufio.NewReaderSize(rwc, 64<<10), log: log,
		wake: make(chan struct{}, 1), written: make(chan struct{}),
	}
	go s.write()
	return s
}

// Read returns the next well-formed message. The message borrows the stream's
// buffer until the next Read.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if err := s.readBody(ctx); err != nil {
			s.onEnd()
			return nil, 0, err
		}
		msg, err := jsonrpc2.DecodeMessage(s.body)
		if err == nil {
			return msg, int64(len(s.body)), nil
		}
		if json.Valid(s.body) {
			err = jsonrpc2.ErrInvalidRequest // DecodeMessage takes 17 for broken JSON
		}
		s.reject(ctx, idOf(s.body), err)
	}
}

// reject answers something that is no message.
func (s *stream) reject(ctx context.Context, id jsonrpc2.ID, err error) {
	s.log.Warn("the client sent a malformed message", "error", err)
	_, _ = s.Write(ctx, jsonrpc2.NewResponse(id, nil, err))
}

// idOf is the id of a request that is otherwise malformed, so that its sender
// need not wait for ever.
func idOf(body []byte) (id jsonrpc2.ID) {
	var request struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
	}
	if json.Unmarshal(body, &request) != nil || request.Method == "" {
		return id
	}
	switch v := request.ID.(type) {
	case string:
		return jsonrpc2.NewStringID(v)
	case float64:
		if n := int64(v); float64(n) == v {
			return jsonrpc2.NewNumberID(n)
		}
	}
	return id
}

func (s *stream) readBody(ctx context.Context) error {
	length, err := s.readHeader(ctx)
	if err != nil {
		return err
	}
	if cap(s.body) > keepBuffer {
		s.body = nil
	}
	// The buffer grows with what arrives, not with what the header promises.
	buf := bytes.NewBuffer(s.body[:0])
	_, err = io.CopyN(buf, s.in, int64(length))
	s.body = buf.Bytes()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// lengthField matches the field a header needs, at the end of a line: behind a
// body that was longer than declared, the next header starts within a line.
var lengthField = regexp.MustCompile(`(?i)content-length[ \t]*:[ \t]*([0-9]{1,10})[ \t]*\r?\n$`)

// readHeader reads up to the blank line that ends a header and returns the
// length that it declares. A broken header is answered once, and then lines are
// skipped until one declares a length: a message is lost, not the connection.
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
				continue // a line break too many after the message before
			}
		}
		fields++
		good := bytes.IndexByte(line, ':') > 0 && line[0] != '{'
		if m := lengthField.FindSubmatchIndex(line); m != nil {
			if n, err := strconv.Atoi(string(line[m[2]:m[3]])); err == nil && n <= maxMessage {
				length, good = n, m[0] == 0
			} else {
				length, good = -1, false
			}
		}
		if !good && !broken {
			broken = true
			s.reject(ctx, jsonrpc2.ID{}, fmt.Errorf("%w: a message must start with a header that declares its Content-Length", jsonrpc2.ErrParse))
		}
	}
}

// readLine returns a line with its line break, and of one that is longer than
// any header its end.
func (s *stream) readLine() ([]byte, error) {
	line, err := s.in.ReadSlice('\n')
	for errors.Is(err, bufio.ErrBufferFull) {
		end := bytes.Clone(line[max(0, len(line)-64):])
		line, err = s.in.ReadSlice('\n')
		line = append(end, line...)
	}
	return line, err
}

// Write queues a message to be sent.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && len(s.pending) > maxPending {
		s.err = errNothingIsRead
	}
	if s.err != nil {
		return 0, s.err
	}
	s.message = jsonrpc2.AppendMessage(s.message[:0], msg)
	before := len(s.pending)
	s.pending = fmt.Appendf(s.pending, "Content-Length: %d\r\n\r\n", len(s.message))
	s.pending = append(s.pending, s.message...)
	n := int64(len(s.pending) - before)
	if cap(s.message) > keepBuffer {
		s.message = nil
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return n, nil
}

// write sends what is queued until Close, and then the rest.
func (s *stream) write() {
	defer close(s.written)
	var sent []byte
	for open := true; open; {
		_, open = <-s.wake
		s.mu.Lock()
		out := s.pending
		s.pending = sent[:0]
		s.mu.Unlock()
		if len(out) > 0 {
			if _, err := s.rwc.Write(out); err != nil {
				s.stop(err)
				return
			}
		}
		if sent = out; cap(sent) > keepBuffer {
			sent = nil
		}
	}
}

// stop makes Write fail with err from now on.
func (s *stream) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// Close sends what is queued, if the client reads it soon, and closes the
// connection.
func (s *stream) Close() error {
	s.once.Do(func() {
		s.stop(errServerIsEnding) // before wake is closed: a failed Write does not wake
		close(s.wake)
		select {
		case <-s.written:
		case <-time.After(grace / 2):
		}
	})
	return s.rwc.Close()
}
