package explain

import (
	"bufio"
	"cmp"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	longestLine  = 1 << 16 // bytes of a line that are looked at
	shownLine    = 300     // bytes of a line that are kept
	mostMessages = 200     // that are kept: the first half and the last
	mostFrames   = 64
	mostTrace    = 200 // lines of a traceback
	mostPools    = 64
	mostScripts  = 8
	tableEnd     = 40 // lines between a message or a table and what else belongs to it
)

var (
	colours   = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]|\x1b\\][^\x07]*\x07")
	oom       = compile(`OOM when allocating tensor(?: (?:of|with) shape)? ?(?:\[([\d,]*)\])?(?: and type (\w+))?(?: on (\S+))?`)
	ranOut    = compile(`Allocator \(([^)]*)\) ran out of memory trying to allocate ([\d.]+) ?([KMGT]?i?B)(?: \(rounded to (\d+)\))?`)
	allocator = compile(`(?i)allocator \(?(\w+)`)
	byOp      = compile(`requested by op (\S+)`)
	// Of XLA, of the asynchronous allocator, and of kernels that say no shape.
	sizedOut   = compile(`(?i)out of memory (?:(?:while )?(?:trying|attempting) to allocate|allocating) (\d+) ?bytes|failed to allocate request for \S+ \((\d+)B\) on device ordinal|cuMemAllocAsync failed to allocate (\d+)`)
	unsizedOut = compile(`failed to allocate memory\b.*\[Op:|ResourceExhaustedError: +failed to allocate memory\s*$|^(?:  \(\d+\).*)?failed to allocate memory\s*$|unable to allocate output tensor|failed to allocate the scratch space`)
	// Of cuDNN, which takes it from TensorFlow's pool.
	scratch  = compile(`failed to allocate the scratch space`)
	ofSpace  = compile(`Ran out of memory in memory space \w+\. Used ([\d.]+)([KMGT]) of ([\d.]+)([KMGT])`)
	noRoom   = compile(`Attempting to (?:reserve|allocate) ([\d.]+)([KMGT]) .*That was not possible`)
	stat     = compile(`\b(Limit|InUse|MaxInUse|LargestFreeBlock):\s+([\d.]+)([KMGT]?i?B)?\s*$`)
	inChunks = compile(`Sum Total of in-use chunks: ([\d.]+) ?([KMGT]?i?B)`)
	regions  = compile(`memory_limit_: ?([\d.]+)([KMGT]?i?B)?`)
	used     = compile(`\b(\d+)MiB */ *(\d+)MiB\b`)
	harmless = compile(`The caller indicates that this is not a failure`)
	created  = compile(`Created (?:TensorFlow )?device \(?/\S*device:(GPU:\d+) with (\d+) MB memory\)?:? +-> (?:physical GPU \()?device: \d+, name: ([^,]+), .*compute capability: ([\d.]+)`)
	totals   = compile(`(?i)totalMemory: ([\d.]+)([KMGT]iB) freeMemory: ([\d.]+)([KMGT]iB)`)
	node     = compile(`\[\[\{?\{?(?:[nN]ode:? )?([\w./\-]+)`)
	detected = compile(`(?:Detected at node|Caused by op) (?:u?')?([\w./\-]+)`)
	opName   = compile(`\[Op:(\w+)\]`)
	// Of Python; of IPython 8 and later.
	frame  = compile(`^\s*File "([^"]+)", line (\d+)|^\s*File (\S+\.py):(\d+)`)
	script = compile(`\bpython[\d.]*(?:\.exe)?["']? +(?:-[uOBEsIm]+ +|-X +\S+ +|-W +\S+ +)*["']?([\w./\\~+-]+\.py)\b`)
	// Of tensorflow.python.client.device_lib.list_local_devices.
	listed   = compile(`^\s*memory_limit: (\d+)`)
	physical = compile(`physical_device_desc: "device: (\d+), name: ([^,]+), .*compute capability: ([\d.]+)`)
	sized    = compile(`deviceMemorySize: ([\d.]+)([KMGT]iB)`)
	ofDevice = compile(`device:(\w+:\d+)|(GPU_\d+)_bfc|\b(GPU|CPU):(\d+)`)
	// speaker is the mark of who says a line: of mpirun, of Ray, of Docker Compose, of a quotation.
	speaker = regexp.MustCompile(`^(?:\[\d+,\d+\]<std(?:out|err)>: ?|\((?:\w+ )?pid=\d+[^)]*\) |[\w.-]+-\d+ +\| |> )`)
)

// Read finds the messages of a log. It reads to the end, in bounded memory; the error is the
// reader's.
func Read(from io.Reader) (*Log, error) {
	r := reader{log: &Log{}}
	in := bufio.NewReaderSize(from, longestLine)
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			r.text(string(line))
		}
		for err == bufio.ErrBufferFull { // the rest of a long line is not looked at
			_, err = in.ReadSlice('\n')
		}
		if err == io.EOF {
			return r.log, nil
		}
		if err != nil {
			return r.log, err
		}
	}
}

type reader struct {
	log    *Log
	loose  Message  // has the figures of a table without a message before it
	frames []Frame  // of the traceback that is being read
	trace  []string // its lines
	traced int      // the last line that surely belongs to it
	steps  int64    // of the last progress bar
	fits   int      // trainings that began
	limit  int64    // of the device that is being listed
	begun  bool     // no progress since the last one began
}

// Plain returns a text without the colours of a terminal.
func Plain(text string) string {
	if !strings.Contains(text, "\x1b") {
		return text
	}
	return colours.ReplaceAllString(text, "")
}

// text reads a line, which a progress bar may have drawn again and again.
func (r *reader) text(line string) {
	r.log.Lines++
	line = strings.TrimRight(line, "\r\n")
	line = Plain(line)
	for m := speaker.FindString(line); m != ""; m = speaker.FindString(line) {
		line = line[len(m):]
	}
	for part := range strings.SplitSeq(line, "\r") {
		r.line(part)
	}
}

// A mark is a substring without which a line is of no interest.
var marks = []string{
	"OOM", "not possible", "ran out", "run out", "memory budget", "KilledWorker", "larger than 2GB", "hardware instruction", "段", "Speicherzug", "segment", "fatal", "Fatal", "ActorError", "Session Aborted", "scratch", "workspace", "Exited", "已", "Getötet", "Processus", "Terminado", "Убито", "強制", "죽었", "Ucciso", "Morto", "Unicest", "Error", "command buffer", "memory_limit", "physical_device", "emory", "died", "rash", "ernel", "killed", "KILL", "SIG", "unexpectedly", "abruptly", "running low", "MEMLIMIT", "unresponsive", "has stopped", "0xC0000", "0xc0000", "-10737", "exit", "fault", "Bus error", "Aborted", "abort", "Illegal", "all available", "large alloc", "session", "untime", "NCCL", "nccl", "METAL", "Metal", "paging", "Unable to load", "not locate", "library", "python", "llocat", "CUDNN", "CUBLAS", "cudnn", "cublas", "DNN", "CUFFT", "CUSOLVER", "CUSPARSE", "CURAND", "Caused by", "Node", "Detected", "onvolution algorithm", "algorithm worked", "InUse:", "Limit:", "LargestFree",
	"evices cannot", "insufficient for CUDA", "does not match DSO", "Killed", " killed", "137", "SIGKILL", "signal", "xitcode", "xit code", "bad_alloc", "device:", "File \"", "node", "MiB /", "Dst tensor", "Garbage coll", "retracing", "ptxas", "huffle buffer", "registering GPU", "will not be used", "cuInit", "CUDA-capable", "TIME LIMIT", "LIMIT", "walltime", "factory", "TensorRT", "Rnn", "GPU sync", "launch failure", "Event status", "status", "OUT_OF", "Canceled", "CtxRetain", "forked", "insufficient", "GEMM", "GEMV", "[Op:", "CUDA_ERROR", "oom",
}

// logged is the begin of a line of TensorFlow's log, of all versions: a date, or a letter for the
// severity.
var logged = regexp.MustCompile(`^\s*(?:\d{4}-\d\d-\d\d[ T]|[IWEF](?:\d{4} | \S*tensorflow))`)

// stepsIn returns the iterations that the last progress bar of a line shows: "12/100 [", "12/Unknown
// - ". Nearly all lines of a long log are such bars or nothing, so there is no regexp here.
func stepsIn(line string) (steps int64, ok bool) {
	digits := func(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
	for from := 0; ; {
		slash := strings.IndexByte(line[from:], '/')
		if slash < 0 {
			return steps, ok
		}
		before, after := line[:from+slash], line[from+slash+1:]
		from += slash + 1
		begin := len(strings.TrimRight(before, "0123456789"))
		end := digits(after)
		if end == 0 && strings.HasPrefix(after, "Unknown") {
			end = len("Unknown")
		}
		if end == 0 || begin > 0 && !strings.ContainsRune(" \t|", rune(before[begin-1])) {
			continue
		}
		after, spaced := strings.CutPrefix(after[end:], " ")
		if !spaced || !strings.HasPrefix(after, "[") && !strings.HasPrefix(after, "- ") && !strings.HasPrefix(after, "\u2501") {
			continue
		}
		if n, err := strconv.ParseInt(before[begin:], 10, 64); err == nil {
			steps, ok = n, true
		}
	}
}

func isBar(line string) bool {
	_, ok := stepsIn(line)
	return ok
}

// isChunk reports whether a line of the allocator's table is about a chunk. A table has thousands.
func isChunk(line string) bool {
	return strings.Contains(line, " of size ") && (strings.Contains(line, " at ") || strings.Contains(line, " Chunks of size "))
}

func (r *reader) line(line string) {
	if isChunk(line) {
		r.log.TensorFlow = true
		r.chunk(line)
		return
	}
	if n, ok := stepsIn(line); ok {
		r.steps, r.begun, r.log.Progress = n, false, r.log.Lines
	} else if strings.HasPrefix(line, "Epoch 1/") {
		if !r.begun {
			r.fits++
		}
		r.begun, r.log.Progress = true, r.log.Lines
	} else if strings.HasPrefix(line, "Epoch ") {
		r.log.Progress = r.log.Lines
	}
	if !logged.MatchString(line) && strings.TrimSpace(line) != "" {
		r.log.Printed = r.log.Lines
	}
	r.traceback(line)
	r.log.TensorFlow = r.log.TensorFlow || strings.Contains(line, "tensor") || strings.Contains(line, "_bfc")
	interesting := false
	for _, m := range marks {
		if strings.Contains(line, m) {
			interesting = true
			break
		}
	}
	if !interesting {
		return
	}
	if m := frame.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[2] + m[4])
		if len(r.frames) == mostFrames {
			r.frames = r.frames[1:]
		}
		r.frames = append(r.frames, Frame{m[1] + m[3], n})
		r.traced = r.log.Lines
		return
	}
	if m := script.FindStringSubmatch(line); m != nil && len(r.log.Scripts) < mostScripts && !slices.Contains(r.log.Scripts, m[1]) {
		r.log.Scripts = append(r.log.Scripts, m[1])
	}
	if r.table(line) || r.pool(line) {
		return
	}
	r.message(line)
}

// traceback keeps a line of a traceback: from its head on, as long as frames follow each other.
func (r *reader) traceback(line string) {
	trimmed := strings.TrimSpace(line)
	head := strings.Contains(line, "Traceback (most recent call last)") || strings.HasPrefix(trimmed, "File \"") // its head may be cut off
	if len(r.trace) == 0 && !head {
		return
	}
	switch {
	case head, strings.HasPrefix(trimmed, "File "), strings.HasPrefix(trimmed, "--"), strings.Contains(line, ".py in "), strings.Contains(line, "<ipython-input"):
		r.traced = r.log.Lines
	case r.log.Lines-r.traced > tableEnd:
		r.trace, r.frames = nil, nil
		return
	}
	if len(r.trace) == mostTrace {
		r.trace = r.trace[1:]
	}
	r.trace = append(r.trace, cut(line))
}

// chunk reads a line of the allocator's table about chunks: "2 Chunks of size 256 totalling 512B".
func (r *reader) chunk(line string) {
	_, after, ok := strings.Cut(line, " Chunks of size ")
	if !ok {
		return
	}
	digits, _, _ := strings.Cut(after, " ")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return
	}
	of := r.last(OutOfMemory, NotAFailure)
	if of == nil {
		of = &r.loose
		of.Line = r.log.Lines
	}
	of.Largest = max(of.Largest, n)
}

// table reads a line of the allocator's table, which belongs to the message before it: TensorFlow
// prints "ran out of memory", then the table, then the error.
func (r *reader) table(line string) bool {
	of := r.last(OutOfMemory, NotAFailure)
	if of == nil { // the beginning of the log is missing
		of = &r.loose
		of.Line = r.log.Lines
	}
	if m := stat.FindStringSubmatch(line); m != nil {
		n := size(m[2], cmp.Or(m[3], "B")) // TensorFlow 2.21 writes a unit, older ones bytes
		switch m[1] {
		case "Limit":
			of.Limit = n
		case "InUse":
			of.InUse = n
		case "MaxInUse":
			of.MaxInUse = n
		case "LargestFreeBlock":
			of.LargestFree = n
		}
		return true
	}
	if m := inChunks.FindStringSubmatch(line); m != nil {
		if of.InUse == 0 {
			of.InUse = size(m[1], m[2])
		}
		return true
	}
	if m := regions.FindStringSubmatch(line); m != nil {
		if of.Limit == 0 {
			of.Limit = size(m[1], cmp.Or(m[2], "B"))
		}
		return true
	}
	return false
}

// pool reads a line on the GPU that TensorFlow has taken.
func (r *reader) pool(line string) bool {
	if len(r.log.Pools) >= mostPools {
		return false
	}
	if m := created.FindStringSubmatch(line); m != nil {
		mb, _ := strconv.ParseInt(m[2], 10, 64)
		p := Pool{Line: r.log.Lines, Device: m[1], Bytes: mb << 20, Name: strings.TrimSpace(m[3]), Capability: strings.TrimRight(m[4], ".")}
		if n := len(r.log.Pools); n > 0 && r.log.Pools[n-1].Bytes == 0 {
			p.Total, p.Free, p.FreeKnown = r.log.Pools[n-1].Total, r.log.Pools[n-1].Free, r.log.Pools[n-1].FreeKnown
			r.log.Pools = r.log.Pools[:n-1]
		}
		r.log.Pools = append(r.log.Pools, p)
		return true
	}
	if m := used.FindStringSubmatch(line); m != nil { // nvidia-smi's table
		inUse, total := size(m[1], "MiB"), size(m[2], "MiB")
		r.log.Pools = append(r.log.Pools, Pool{Line: r.log.Lines, Total: total, Free: max(total-inUse, 0), FreeKnown: true})
		return true
	}
	if m := totals.FindStringSubmatch(line); m != nil {
		r.log.Pools = append(r.log.Pools, Pool{Line: r.log.Lines, Total: size(m[1], m[2]), Free: size(m[3], m[4]), FreeKnown: true})
		return true
	}
	if m := listed.FindStringSubmatch(line); m != nil {
		r.limit, _ = strconv.ParseInt(m[1], 10, 64)
		return true
	}
	if m := physical.FindStringSubmatch(line); m != nil {
		r.log.TensorFlow = true
		r.log.Pools = append(r.log.Pools, Pool{Line: r.log.Lines, Device: "GPU:" + m[1], Bytes: r.limit, Name: strings.TrimSpace(m[2]), Capability: strings.TrimRight(m[3], ".")})
		return true
	}
	if m := sized.FindStringSubmatch(line); m != nil {
		r.log.Pools = append(r.log.Pools, Pool{Line: r.log.Lines, Total: size(m[1], m[2])})
		return true
	}
	return false
}

// message reads a line that may say that something failed.
func (r *reader) message(line string) {
	m := Message{Line: r.log.Lines, Text: cut(line), Steps: r.steps, Fits: r.fits}
	if a := allocator.FindStringSubmatch(line); a != nil {
		name := strings.ToLower(a[1]) // cpu, mklcpu, gpu_host_bfc, bfc_cpu_allocator_for_gpu
		m.OnHost = strings.Contains(name, "cpu") || strings.Contains(name, "host")
	}
	if d := ofDevice.FindStringSubmatch(line); d != nil {
		switch {
		case d[1] != "":
			m.Device = d[1]
		case d[2] != "":
			m.Device = strings.Replace(d[2], "_", ":", 1)
		default:
			m.Device = d[3] + ":" + d[4]
		}
		m.OnHost = m.OnHost || strings.HasPrefix(m.Device, "CPU")
	}
	switch {
	case oom.MatchString(line):
		g := oom.FindStringSubmatch(line)
		m.Kind, m.Type = OutOfMemory, g[2]
		if strings.Contains(g[0], "[") { // the oldest versions leave it out
			m.Shape = dims(g[1])
			m.Asked = bytesOf(m.Shape, m.Type)
		}
		m.Node = nodeIn(line)
		r.merge(m)
	case ranOut.MatchString(line):
		g := ranOut.FindStringSubmatch(line)
		m.Kind = OutOfMemory
		if harmless.MatchString(line) {
			m.Kind = NotAFailure
		}
		if m.Asked, _ = strconv.ParseInt(g[4], 10, 64); m.Asked == 0 {
			m.Asked = size(g[2], g[3])
		}
		if op := byOp.FindStringSubmatch(line); op != nil {
			m.Node = op[1]
		}
		r.add(m)
	case harmless.MatchString(line):
		if last := r.last(OutOfMemory); last != nil {
			last.Kind = NotAFailure
		}
	case sizedOut.MatchString(line):
		g := sizedOut.FindStringSubmatch(line)
		m.Kind = OutOfMemory
		m.Asked, _ = strconv.ParseInt(cmp.Or(g[1], g[2], g[3]), 10, 64)
		r.merge(m)
	case ofSpace.MatchString(line): // of a whole program that XLA compiled
		g := ofSpace.FindStringSubmatch(line)
		m.Kind, m.Asked, m.Limit = OutOfMemory, size(g[1], g[2]+"iB"), size(g[3], g[4]+"iB")
		r.merge(m)
	case noRoom.MatchString(line): // of a TPU
		g := noRoom.FindStringSubmatch(line)
		m.Kind, m.Asked = OutOfMemory, size(g[1], g[2]+"iB")
		r.merge(m)
	case unsizedOut.MatchString(line):
		m.Kind, m.Node = OutOfMemory, nodeIn(line)
		r.merge(m)
	case strings.HasSuffix(line, "Killed") && isBar(line): // a bar has no end of its line
		m.Kind, m.By, m.Proof = Ended, byShell, ProvesKill
		r.add(m)
	default:
		if r.phrase(line, m) {
			return
		}
		if last := r.last(OutOfMemory); last != nil && last.Node == "" && r.log.Lines-last.Line < tableEnd {
			last.Node = nodeIn(line)
		}
	}
}

// phrase reads a line that tells a message by itself.
func (r *reader) phrase(line string, m Message) bool {
	line = strings.TrimSpace(line)
	for i := range phrases {
		p := &phrases[i]
		g := p.FindStringSubmatch(line)
		if g == nil {
			continue
		}
		m.Kind, m.By, m.Proof = p.kind, p.by, p.proof
		switch {
		case p.asks:
			m.Asked, _ = strconv.ParseInt(cmp.Or(g[1:]...), 10, 64)
		case p.done:
			m.Done, _ = strconv.ParseInt(g[1], 10, 64)
			m.Of, _ = strconv.ParseInt(g[2], 10, 64)
		case p.operation:
			m.Node = g[1]
		}
		r.add(m)
		return true
	}
	return false
}

// merge adds what an error says to the allocator's message before it, which it repeats.
func (r *reader) merge(m Message) {
	last := r.last(OutOfMemory)
	if last == nil || last.Shape != nil && m.Shape != nil && !slices.Equal(last.Shape, m.Shape) || last.Shape == nil && m.Shape == nil && last.Asked != m.Asked && m.Asked > 0 {
		r.add(m)
		return
	}
	if m.Shape != nil {
		last.Shape, last.Type, last.Text = m.Shape, m.Type, m.Text
		if last.Asked == 0 {
			last.Asked = m.Asked
		}
	}
	if last.Node == "" {
		last.Node = m.Node
	}
	if last.Device == "" {
		last.Device = m.Device
	}
	last.OnHost = last.OnHost || m.OnHost
	r.takeInto(last)
}

func (r *reader) add(m Message) {
	if m.Kind == Exception { // its first line; what it is about may follow
		m.Frames, m.Trace = r.frames, r.trace
	} else {
		r.takeInto(&m)
	}
	if m.Kind == OutOfMemory && r.loose.Limit > 0 && m.Line-r.loose.Line < tableEnd {
		m.Limit, m.InUse, m.MaxInUse, m.LargestFree, m.Largest = r.loose.Limit, r.loose.InUse, r.loose.MaxInUse, r.loose.LargestFree, r.loose.Largest
	}
	if len(r.log.Messages) == mostMessages {
		// The first are the cause, the last the end.
		r.log.Messages = append(r.log.Messages[:mostMessages/2], r.log.Messages[mostMessages/2+1:]...)
	}
	r.log.Messages = append(r.log.Messages, m)
}

// takeInto gives a message the traceback that ends here, if there is one.
func (r *reader) takeInto(m *Message) {
	if r.log.Lines-r.traced <= 2*tableEnd {
		if len(r.frames) > 0 {
			m.Frames = r.frames
		}
		if len(r.trace) > 0 {
			m.Trace = r.trace
		}
	}
	r.frames, r.trace = nil, nil
}

// last returns the last message of one of the kinds, or nil.
func (r *reader) last(kinds ...Kind) *Message {
	for i := len(r.log.Messages) - 1; i >= 0; i-- {
		if m := &r.log.Messages[i]; slices.Contains(kinds, m.Kind) {
			return m
		}
	}
	return nil
}

func nodeIn(line string) string {
	for _, re := range []pattern{node, detected, opName} {
		if m := re.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

func dims(text string) []int64 {
	shape := []int64{}
	for d := range strings.SplitSeq(text, ",") {
		if n, err := strconv.ParseInt(d, 10, 64); err == nil && n >= 0 {
			shape = append(shape, n)
		}
	}
	return shape
}

// elementBytes are the sizes of TensorFlow's types, by the names of DataTypeString and of C++
// (tensorflow/core/framework/types.cc).
var elementBytes = map[string]int64{
	"float": 4, "float32": 4, "double": 8, "float64": 8, "half": 2, "float16": 2, "bfloat16": 2, "int32": 4, "int64": 8,
	"uint8": 1, "int8": 1, "bool": 1, "int16": 2, "uint16": 2, "uint32": 4, "uint64": 8, "complex64": 8, "complex128": 16,
}

// bytesOf returns the bytes of a tensor, 0 if they are not known or beyond what there is.
func bytesOf(shape []int64, of string) int64 {
	n := elementBytes[of]
	if of == "" {
		n = 4 // old versions do not name the type; float is the usual one
	}
	for _, d := range shape {
		if d > 0 && n > (1<<60)/d {
			return 0
		}
		n *= d
	}
	return n
}

var units = map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}

func size(number, unit string) int64 {
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n < 0 || n*units[unit] > 1<<60 {
		return 0
	}
	return int64(n * units[unit])
}

func cut(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > shownLine {
		line = strings.ToValidUTF8(line[:shownLine], "") + "…"
	}
	return line
}
