package measure

import (
	"strings"
	"time"
)

// A Measurement is what a run of a program used. In JSON, null stands for unknown.
type Measurement struct {
	Command  []string  `json:"command"`
	Script   string    `json:"script"` // the absolute path of the Python file or notebook that it ran; "" if none is known
	SHA256   string    `json:"sha256"` // of the script's code when the program started; see Hash
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
	Interval float64   `json:"interval_seconds"`
	ExitCode int       `json:"exit_code"` // -1 if a signal ended it
	Devices  []Device  `json:"devices"`   // those that could be sampled
	Why      string    `json:"why"`       // why there is no device, or what is not known of them

	// TensorFlow has the peaks that TensorFlow reported, one per process and device. Nil if it
	// was not asked, or had no answer.
	TensorFlow []Peak `json:"tensorflow"`
}

// A Device is a GPU while the program ran.
type Device struct {
	Name       string `json:"name"`
	Index      int    `json:"index"`
	UUID       string `json:"uuid"`
	TotalBytes int64  `json:"total_bytes"`
	// PeakBytes is the most that the program used in a sample.
	PeakBytes int64 `json:"peak_bytes"`
	// By says what was counted: "processes", the memory of the program and its children, or
	// "device", what the whole device used beyond its use before the program started. The driver
	// does not tell the memory of processes to containers, nor on Windows.
	By      string   `json:"by"`
	Samples []Sample `json:"samples"`
}

// A Sample is the program's use of a device at a time.
type Sample struct {
	Seconds float64 `json:"seconds"` // since the program started
	Bytes   int64   `json:"bytes"`
}

// A Peak is what tf.config.experimental.get_memory_info said of a device when a process ended.
type Peak struct {
	PID       int    `json:"pid"`
	Device    string `json:"device"` // "GPU:0"
	PeakBytes int64  `json:"peak_bytes"`
}

// The values of Device.By.
const (
	ByProcesses = "processes"
	ByDevice    = "device"
)

// Peak returns the largest peak of TensorFlow on a GPU, and whether there is one.
func (m *Measurement) Peak() (bytes int64, ok bool) {
	for _, p := range m.TensorFlow {
		if strings.HasPrefix(p.Device, "GPU:") && p.PeakBytes > bytes {
			bytes, ok = p.PeakBytes, true
		}
	}
	return bytes, ok
}

// Used returns the most that the program used of one GPU, and that GPU; nil if there is none.
func (m *Measurement) Used() (most *Device) {
	for i := range m.Devices {
		if d := &m.Devices[i]; most == nil || d.PeakBytes > most.PeakBytes {
			most = d
		}
	}
	return most
}
