package gpu

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const smi = "nvidia-smi"

// smiFields are the fields requested from nvidia-smi. Old ones do not know mig.mode.current
// (before driver 450) or compute_cap (before 510), and are asked without.
var smiFields = []string{"index", "uuid", "name", "memory.total", "memory.free", "compute_cap", "mig.mode.current"}

// notAField matches the error of an nvidia-smi that does not know a field: Field
// "compute_cap" is not a valid field to query.
var notAField = regexp.MustCompile(`Field "(compute_cap|mig\.mode\.current)" is not a valid field`)

// askSMI runs nvidia-smi. If it returns both devices and an error, nvidia-smi could not report
// all of them.
func askSMI(ctx context.Context) ([]Device, error) {
	path, err := exec.LookPath(smi)
	if err != nil {
		return nil, absent{smi + " is not on the PATH"}
	}
	fields := slices.Clone(smiFields)
	out, err := query(ctx, path, "gpu", fields)
	for range len(smiFields) {
		unknown := notAField.FindSubmatch(out)
		if err == nil || unknown == nil {
			break
		}
		fields = slices.DeleteFunc(fields, func(f string) bool { return f == string(unknown[1]) })
		out, err = query(ctx, path, "gpu", fields)
	}
	if err != nil {
		return nil, err
	}
	devices, err := readGPUs(out, fields)
	if len(devices) > 0 {
		if out, err := query(ctx, path, "compute-apps", processFields); err == nil {
			readProcesses(out, devices)
		}
	}
	return devices, err
}

func query(ctx context.Context, path, what string, fields []string) ([]byte, error) {
	return run(ctx, path, "--query-"+what+"="+strings.Join(fields, ","), "--format=csv,noheader,nounits")
}

// rows parses the CSV of nvidia-smi into maps from field to value.
func rows(out []byte, fields []string) ([]map[string]string, error) {
	r := csv.NewReader(bytes.NewReader(out))
	r.FieldsPerRecord, r.TrimLeadingSpace, r.LazyQuotes = len(fields), true, true
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s printed what is not its CSV%s", smi, saying(out))
	}
	var all []map[string]string
	for _, record := range records {
		row := map[string]string{}
		for i, f := range fields {
			row[f] = strings.TrimSpace(record[i])
		}
		all = append(all, row)
	}
	return all, nil
}

// readGPUs interprets the answer to --query-gpu. It leaves out GPUs with unknown memory, with an
// error that names them.
func readGPUs(out []byte, fields []string) ([]Device, error) {
	all, err := rows(out, fields)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New(smi + " lists no GPU")
	}
	var devices []Device
	var left []string
	for _, row := range all {
		if row["mig.mode.current"] == "Enabled" {
			left = append(left, fmt.Sprintf("GPU %s (%s) is in MIG mode, and %s does not tell the memory of its instances", row["index"], row["name"], smi))
			continue
		}
		if !number.MatchString(row["memory.total"]) {
			left = append(left, fmt.Sprintf("%s does not tell the memory of GPU %s (%s)", smi, row["index"], row["name"]))
			continue
		}
		d, err := readGPU(row)
		if err == nil {
			err = d.validate()
		}
		if err != nil {
			return nil, fmt.Errorf("%s printed what cannot be: %w%s", smi, err, saying(out))
		}
		devices = append(devices, d)
	}
	if len(left) > 0 {
		return devices, errors.New(words(strings.Join(left, "; ")))
	}
	return devices, nil
}

var number = regexp.MustCompile(`^\d+$`)

func readGPU(row map[string]string) (d Device, err error) {
	d = Device{Name: row["name"], UUID: row["uuid"]}
	if d.Index, err = strconv.Atoi(row["index"]); err != nil {
		return d, fmt.Errorf("the index %.40q", row["index"])
	}
	total, ok := fromMiB(row["memory.total"])
	if !ok {
		return d, fmt.Errorf("%.40q MiB", row["memory.total"])
	}
	d.TotalBytes = total
	if free, ok := fromMiB(row["memory.free"]); ok {
		d.FreeBytes = &free
	}
	if d.ComputeCapability, err = parseCapability(row["compute_cap"]); err != nil || row["compute_cap"] == "" {
		d.ComputeCapability = capabilityOf(d.Name)
	}
	return d, nil
}

var processFields = []string{"gpu_uuid", "pid", "used_memory"}

// readProcesses adds to each device its processes, if all of the answer to --query-compute-apps
// is valid. Unknown memory is "[N/A]".
func readProcesses(out []byte, devices []Device) {
	all, err := rows(out, processFields)
	if err != nil {
		return
	}
	of := map[string][]Process{}
	for _, row := range all {
		pid, err := strconv.Atoi(row["pid"])
		if err != nil || pid <= 0 {
			return
		}
		p := Process{PID: pid}
		if used, ok := fromMiB(row["used_memory"]); ok {
			p.UsedBytes = &used
		}
		of[row["gpu_uuid"]] = append(of[row["gpu_uuid"]], p)
	}
	for i := range devices {
		devices[i].Processes = append([]Process{}, of[devices[i].UUID]...)
	}
}

// fromMiB converts a number of MiB to bytes.
func fromMiB(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > mostMemory>>20 {
		return 0, false
	}
	return n << 20, true
}
