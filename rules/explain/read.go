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

// A Kind says what a message of TensorFlow, or of the system, is about.
type Kind string

const (
	// OutOfMemory is "OOM when allocating tensor with shape[…]", "Out of memory while trying to
	// allocate N bytes" of XLA, or the allocator's "ran out of memory trying to allocate".
	OutOfMemory Kind = "out-of-memory"
	// DeviceFull is "failed to allocate N from device: CUDA_ERROR_OUT_OF_MEMORY": the driver has
	// no such memory left for the pool.
	DeviceFull Kind = "device-full"
	// LibraryFailed is a handle of cuDNN or cuBLAS that could not be made.
	LibraryFailed Kind = "library-failed"
	// WrongVersion is a library of another version than TensorFlow was built with.
	WrongVersion Kind = "wrong-version"
	// LateConfiguration is "… cannot be modified after being initialized".
	LateConfiguration Kind = "late-configuration"
	// UnevenGrowth is "Memory growth cannot differ between GPU devices".
	UnevenGrowth Kind = "uneven-growth"
	// NotAFailure is an allocation that failed and that the caller can do without.
	NotAFailure Kind = "not-a-failure"
	// LargeHostAllocation is "Allocation of N exceeds 10% of free system memory".
	LargeHostAllocation Kind = "large-host-allocation"
	// NoContext is a GPU that has no memory left for a CUDA context.
	NoContext Kind = "no-context"
	// CopyFailed is "Dst tensor is not initialized": there was no memory for an array that is
	// copied to the GPU.
	CopyFailed Kind = "copy-failed"
	// Collected is "Garbage collection: deallocate free memory regions", by which the allocator
	// tries to avoid fragmentation.
	Collected Kind = "collected"
	// Retraced is a warning of tf.function.
	Retraced Kind = "retraced"
	// Forked is a CUDA context that was used in a forked process.
	Forked Kind = "forked"
	// Note is a message about the machine or its speed, after which TensorFlow goes on.
	Note Kind = "note"
	// HostKilled is a process that the system ended for want of memory.
	HostKilled Kind = "host-killed"
)

// A Message is one message with its figures, in bytes; 0 is unknown.
type Message struct {
	Kind Kind
	Line int    // of the log, from 1
	Text string // the line, less colours, cut to a few hundred bytes

	Asked  int64 // what was asked for
	Shape  []int64
	Type   string // "float", as TensorFlow writes it
	Device string // "GPU:0", "CPU:0"
	// OnHost is set if the allocator is one of the machine's memory.
	OnHost bool
	Node   string // the operation

	// Of the allocator, from the table that follows or precedes the message.
	Limit, InUse, MaxInUse, LargestFree int64

	// Steps is how many iterations a progress bar had shown before; 0 where there was none.
	Steps int64

	Frames []Frame // of the Python traceback around it, outermost first
}

// A Frame is a line of a program in a traceback.
type Frame struct {
	File string
	Line int
}

// A Pool is what TensorFlow took of a GPU when it started.
type Pool struct {
	Line       int
	Device     string // "GPU:0"
	Bytes      int64
	Name       string // of the GPU
	Capability string // "8.6"
	// Total and Free are what the driver reported then; 0 where the log does not have it.
	Total, Free int64
}

// A Log is what was found in a text.
type Log struct {
	Messages []Message
	Pools    []Pool
	Lines    int
	// TensorFlow is set if any line is TensorFlow's.
	TensorFlow bool
}

const (
	longestLine  = 1 << 16 // bytes of a line that are looked at
	shownLine    = 300     // bytes of a line that are kept
	mostMessages = 200     // that are kept: the first half and the last
	mostFrames   = 64
	mostPools    = 64
	tableEnd     = 40 // lines between a message or a table and what else belongs to it
)

var (
	colours   = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]|\x1b\\][^\x07]*\x07")
	oom       = compile(`OOM when allocating tensor (?:of|with) shape ?\[([\d,]*)\](?: and type (\w+))?(?: on (\S+))?`)
	ranOut    = compile(`Allocator \(([^)]*)\) ran out of memory trying to allocate ([\d.]+) ?([KMGT]?i?B)(?: \(rounded to (\d+)\))?`)
	allocator = compile(`(?i)allocator \(?(\w+)`)
	byOp      = compile(`requested by op (\S+)`)
	// Of XLA, of the asynchronous allocator, and of kernels that say no shape.
	sizedOut   = compile(`(?i)out of memory (?:(?:while )?(?:trying|attempting) to allocate|allocating) (\d+) ?bytes|failed to allocate request for \S+ \((\d+)B\) on device ordinal|cuMemAllocAsync failed to allocate (\d+)`)
	unsizedOut = compile(`failed to allocate memory\b.*\[Op:|unable to allocate output tensor`)
	ofSpace    = compile(`Ran out of memory in memory space \w+\. Used ([\d.]+)([KMGT]) of ([\d.]+)([KMGT])`)
	fromDevice = compile(`failed to allocate \S+ \((\d+) bytes\) (?:bytes )?from device: (?:CUDA_ERROR_OUT_OF_MEMORY|RESOURCE_EXHAUSTED)`)
	stat       = compile(`\b(Limit|InUse|MaxInUse|LargestFreeBlock):\s+([\d.]+)([KMGT]?i?B)?\s*$`)
	inChunks   = compile(`Sum Total of in-use chunks: ([\d.]+) ?([KMGT]?i?B)`)
	regions    = compile(`memory_limit_: ?([\d.]+)([KMGT]?i?B)?`)
	library    = compile(`((?i:could not create cudnn handle|failed to create cublas handle|failed to get convolution algorithm)|CUDNN_STATUS_(?:NOT_INITIALIZED|INTERNAL_ERROR|ALLOC_FAILED)|CUBLAS_STATUS_(?:ALLOC_FAILED|NOT_INITIALIZED)|Failed to set dropout descriptor|cudnnCreate|No algorithm worked|Blas x?G[A-Z]+ launch failed|(?:in-memory CUBIN|PTX text as a module): CUDA_ERROR_OUT_OF_MEMORY|CUFFT_ALLOC_FAILED|CUSOLVER_STATUS_(?:ALLOC_FAILED|NOT_INITIALIZED)|CUSPARSE_STATUS_ALLOC_FAILED|CURAND_STATUS_(?:ALLOCATION|INITIALIZATION)_FAILED)`)
	version    = compile(`Loaded runtime CuDNN library: \S+ but source was compiled with|driver version is insufficient for CUDA runtime version|kernel version \S+ does not match DSO version|CUDA_ERROR_SYSTEM_DRIVER_MISMATCH|possibly insufficient driver version|DNN library is not found|ptxas fatal\s+: Memory allocation failure`)
	noContext  = compile(`cuDevicePrimaryCtxRetain: CUDA_ERROR_OUT_OF_MEMORY|CUDA runtime implicit initialization on GPU:\d+ failed. Status: out of memory|cudaSetDevice\(\) on GPU:\d+ failed. Status: (?:all CUDA-capable devices are busy|out of memory)`)
	copyFailed = compile(`Dst tensor is not initialized`)
	collected  = compile(`Garbage collection: deallocate free memory regions`)
	retraced   = compile(`triggered tf\.function retracing`)
	forked     = compile(`CUDA_ERROR_NOT_INITIALIZED`)
	note       = compile(`ptxas fatal\s+: Value 'sm_\d+\w?' is not defined|Filling up shuffle buffer|Your CUDA software stack is old|Relying on driver to perform ptx compilation`)
	used       = compile(`\b(\d+)MiB */ *(\d+)MiB\b`)
	late       = compile(`(Physical|Visible|Virtual|Logical) devices cannot be modified after being initialized`)
	uneven     = compile(`Memory growth cannot differ between GPU devices`)
	harmless   = compile(`The caller indicates that this is not a failure`)
	hostLarge  = compile(`Allocation of (\d+) exceeds (?:\d+)% of (?:free )?system memory`)
	killed     = compile(`^\s*(?:\[[^\]]*\] )?(?:\S+: line \d+: +\d+ )?Killed\b|(?i:out of memory: kill(?:ed)? process)|oom-kill|OOMKilled|(?i:exit(?:ed with)? (?:code|status):? 137)|memory cgroup out of memory|died with <Signals\.SIGKILL|std::bad_alloc|^(?:numpy\._?core\._exceptions\.)?_?(?:Array)?MemoryError\b|\[Errno 12\] Cannot allocate memory|^\[\d+\]\s+\+?\s*\d+ killed\b|on signal 9 \(|signal: killed|(?i:exit ?code:? -9\b)|Unable to allocate [\d.]+ [KMGT]iB for an array`)
	created    = compile(`Created (?:TensorFlow )?device \(?/\S*device:(GPU:\d+) with (\d+) MB memory\)?:? +-> (?:physical GPU \()?device: \d+, name: ([^,]+), .*compute capability: ([\d.]+)`)
	totals     = compile(`(?i)totalMemory: ([\d.]+)([KMGT]iB) freeMemory: ([\d.]+)([KMGT]iB)`)
	node       = compile(`\[\[\{?\{?(?:[nN]ode:? )?([\w./\-]+)`)
	detected   = compile(`(?:Detected at node|Caused by op) (?:u?')?([\w./\-]+)`)
	opName     = compile(`\[Op:(\w+)\]`)
	frame      = compile(`^\s*File "([^"]+)", line (\d+)`)
	ofDevice   = compile(`device:(\w+:\d+)|(GPU_\d+)_bfc|\b(GPU|CPU):(\d+)`)
	// speaker is the mark of who says a line: of mpirun, of Ray, of Docker Compose.
	speaker = regexp.MustCompile(`^(?:\[\d+,\d+\]<std(?:out|err)>: ?|\((?:\w+ )?pid=\d+[^)]*\) |[\w.-]+-\d+ +\| )`)
)

// told are the messages that a line tells by itself, the first that matches. asks is set if the first
// group is what was asked for, in bytes.
var told = []struct {
	by   pattern
	kind Kind
	asks bool
}{
	{by: noContext, kind: NoContext}, {by: copyFailed, kind: CopyFailed}, {by: collected, kind: Collected},
	{by: retraced, kind: Retraced}, {by: forked, kind: Forked}, {by: note, kind: Note},
	{fromDevice, DeviceFull, true}, {by: version, kind: WrongVersion}, {by: library, kind: LibraryFailed},
	{by: late, kind: LateConfiguration}, {by: uneven, kind: UnevenGrowth},
	{hostLarge, LargeHostAllocation, true}, {by: killed, kind: HostKilled},
}

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
	loose  Message // has the figures of a table without a message before it
	frames []Frame // of the traceback that is being read
	steps  int64   // of the last progress bar
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
	if m := speaker.FindString(line); m != "" {
		line = line[len(m):]
	}
	for part := range strings.SplitSeq(line, "\r") {
		r.line(part)
	}
}

// A mark is a substring without which a line is of no interest.
var marks = []string{
	"OOM", "emory", "llocat", "CUDNN", "CUBLAS", "cudnn", "cublas", "DNN", "CUFFT", "CUSOLVER", "CUSPARSE", "CURAND", "Caused by", "Node", "Detected", "onvolution algorithm", "algorithm worked", "InUse:", "Limit:", "LargestFree",
	"evices cannot", "insufficient for CUDA", "does not match DSO", "Killed", " killed", "137", "SIGKILL", "signal", "xitcode", "xit code", "bad_alloc", "device:", "File \"", "node", "MiB /", "Dst tensor", "Garbage coll", "retracing", "ptxas", "shuffle buffer", "CtxRetain", "forked", "insufficient", "GEMM", "GEMV", "[Op:", "CUDA_ERROR", "oom",
}

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
		return
	}
	if n, ok := stepsIn(line); ok {
		r.steps = n
	}
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
		n, _ := strconv.Atoi(m[2])
		if len(r.frames) == mostFrames {
			r.frames = r.frames[1:]
		}
		r.frames = append(r.frames, Frame{m[1], n})
		return
	}
	if r.table(line) || r.pool(line) {
		return
	}
	r.message(line)
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
			p.Total, p.Free = r.log.Pools[n-1].Total, r.log.Pools[n-1].Free
			r.log.Pools = r.log.Pools[:n-1]
		}
		r.log.Pools = append(r.log.Pools, p)
		return true
	}
	if m := used.FindStringSubmatch(line); m != nil { // nvidia-smi's table
		inUse, total := size(m[1], "MiB"), size(m[2], "MiB")
		r.log.Pools = append(r.log.Pools, Pool{Line: r.log.Lines, Total: total, Free: max(total-inUse, 0)})
		return true
	}
	if m := totals.FindStringSubmatch(line); m != nil {
		r.log.Pools = append(r.log.Pools, Pool{Line: r.log.Lines, Total: size(m[1], m[2]), Free: size(m[3], m[4])})
		return true
	}
	return false
}

// message reads a line that may say that something failed.
func (r *reader) message(line string) {
	m := Message{Line: r.log.Lines, Text: cut(line), Steps: r.steps}
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
		m.Shape = dims(g[1])
		m.Asked = bytesOf(m.Shape, m.Type)
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
	case unsizedOut.MatchString(line):
		m.Kind, m.Node = OutOfMemory, nodeIn(line)
		r.merge(m)
	case strings.HasSuffix(line, "Killed") && isBar(line): // a bar has no end of its line
		m.Kind = HostKilled
		r.add(m)
	default:
		for _, k := range told {
			if g := k.by.FindStringSubmatch(line); g != nil {
				if m.Kind = k.kind; k.asks {
					m.Asked, _ = strconv.ParseInt(g[1], 10, 64)
				}
				r.add(m)
				return
			}
		}
		if last := r.last(OutOfMemory); last != nil && last.Node == "" && r.log.Lines-last.Line < tableEnd {
			last.Node = nodeIn(line)
		}
	}
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
	last.Frames = r.taken(last.Frames)
}

func (r *reader) add(m Message) {
	m.Frames = r.taken(nil)
	if m.Kind == OutOfMemory && r.loose.Limit > 0 && m.Line-r.loose.Line < tableEnd {
		m.Limit, m.InUse, m.MaxInUse, m.LargestFree = r.loose.Limit, r.loose.InUse, r.loose.MaxInUse, r.loose.LargestFree
	}
	if len(r.log.Messages) == mostMessages {
		// The first are the cause, the last the end.
		r.log.Messages = append(r.log.Messages[:mostMessages/2], r.log.Messages[mostMessages/2+1:]...)
	}
	r.log.Messages = append(r.log.Messages, m)
}

// taken returns the frames of the traceback that ends here, if there is one.
func (r *reader) taken(old []Frame) []Frame {
	if len(r.frames) == 0 {
		return old
	}
	taken := r.frames
	r.frames = nil
	return taken
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
