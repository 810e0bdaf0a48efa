// Command tfmem-nvml prints the GPUs that the NVIDIA driver sees, as JSON:
//
//	{"devices":[{"name":"NVIDIA GeForce RTX 3090","index":0,…}]}
//	{"devices":[],"error":"the NVIDIA driver is not loaded"}
//
// with the fields of gpu.Answer, and maybe both devices and an error. It exits
// with 0 if it has printed that. tfmem runs it, since the driver's library can
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

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: tfmem-nvml\nIt prints the GPUs that the NVIDIA driver sees, for tfmem. See: tfmem gpu")
		os.Exit(2)
	}
	time.AfterFunc(patience, func() {
		fmt.Fprintln(os.Stderr, "the NVIDIA driver did not answer within", patience)
		os.Exit(1)
	})
	if err := json.NewEncoder(os.Stdout).Encode(nvml.Ask()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
