package gpu

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"
)

// Limit is the maximum duration of Devices, whatever the driver does.
const Limit = 2 * time.Second

var errLimit = errors.New("the time limit has passed")

// errNotInstalled is wrapped by the reason why no program could be asked.
var errNotInstalled = errors.New("not installed")

// found is what one source knows of the machine.
type found struct {
	devices []Device
	driver  Driver
}

// Devices lists the GPUs of this machine: it asks the helper, then nvidia-smi. It returns within
// Limit, and at once when ctx is done. Each call queries them again.
func Devices(ctx context.Context) Result { return devices(ctx, Limit) }

func devices(ctx context.Context, limit time.Duration) Result {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errLimit)
	defer cancel()
	var why, missing []string
	for _, s := range []struct {
		name string
		ask  func(context.Context) (found, error)
	}{{NVML, askHelper}, {NvidiaSMI, askSMI}} {
		answer, err := s.ask(ctx)
		switch {
		case errors.Is(err, errNotInstalled):
			missing = append(missing, err.Error())
		case err != nil:
			why = append(why, err.Error())
		}
		if len(answer.devices) > 0 {
			if unclear := hide(answer.devices, os.LookupEnv); unclear != "" {
				why = append(why, unclear)
			}
			return Result{Devices: answer.devices, Source: s.name, Driver: answer.driver, Why: strings.Join(why, "; ")}
		}
		if ctx.Err() != nil {
			if len(why) == 0 {
				why = append(why, "the search was called off")
			}
			break
		}
	}
	if hidden := hiddenHere(len(why) > 0); hidden != "" {
		missing = append(missing, hidden)
	}
	return Result{Devices: []Device{}, Why: strings.Join(append(why, missing...), "; ")}
}
