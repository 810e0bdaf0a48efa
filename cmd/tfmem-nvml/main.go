// Command tfmem-nvml prints the GPUs that the NVIDIA driver sees, as JSON:
//
//	{"devices":[{"name":"NVIDIA GeForce RTX 3090","index":0,…}]}
//	{"devices":[],"error":"the NVIDIA driver is not loaded"}
//
// with the fields of gpu.Answer, and maybe both devices and an error. It exits
// with 0 if it has printed that. With --every 500ms it prints such a line every
// 500 ms, until nobody reads them. tfmem runs it, since the driver's library can
// end or hang the process that loads it; no other program of tfmem does.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/gpu/nvml"
)

// patience is how long to wait for a driver that hangs, in case the caller is gone and does not
// end this process.
const patience = 5 * gpu.Limit

const usage = "usage: tfmem-nvml [--every INTERVAL]\nIt prints the GPUs that the NVIDIA driver sees, for tfmem. See: tfmem gpu"

func main() {
	var every time.Duration
	if args := os.Args[1:]; len(args) > 0 {
		var err error
		if len(args) == 2 && args[0] == gpu.EveryFlag {
			every, err = time.ParseDuration(args[1])
		}
		if err != nil || every <= 0 {
			fmt.Fprintln(os.Stderr, usage)
			os.Exit(2)
		}
	}
	late := time.AfterFunc(patience, func() {
		fmt.Fprintln(os.Stderr, "the NVIDIA driver did not answer within", patience)
		os.Exit(1)
	})
	for out := json.NewEncoder(os.Stdout); ; time.Sleep(every) {
		late.Reset(every + patience)
		if err := out.Encode(nvml.Ask()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if every == 0 {
			return
		}
	}
}
