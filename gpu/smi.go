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

// smiPlaces are where nvidia-smi is without being on every PATH: Windows' subsystem for Linux adds
// its folder only to the shells that it starts itself, not to services, nor under sudo.
var smiPlaces = []string{"/usr/lib/wsl/lib/nvidia-smi"}

func findSMI() (string, error) {
	for _, place := range append([]string{smi}, smiPlaces...) {
		if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", absent{smi + " is not on the PATH"}
}

// smiFields are the fields requested from nvidia-smi. Old ones do not know some of them:
// mig.mode.current (before driver 450), memory.reserved and compute_cap (before 510). They are
// asked without.
var smiFields = []string{
	"index", "uuid", "name", "memory.total", "memory.free", "driver_version",
	"memory.reserved", "display_active", "compute_cap", "mig.mode.current",
}

// notAField matches the error of an nvidia-smi that does not know a field: Field
// "compute_cap" is not a valid field to query.
var notAField = regexp.MustCompile(`Field "(compute_cap|mig\.mode\.current|memory\.reserved|display_active)" is not a valid field`)

// askSMI runs nvidia-smi. If it returns both devices and an error, nvidia-smi could not report
// all of them.
func askSMI(ctx context.Context) (found, error) {
	path, err := findSMI()
	if err != nil {
		return found{}, err
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
		return found{}, err
	}
	answer, err := readGPUs(out, fields)
	if len(answer.devices) > 0 {
		if out, err := query(ctx, path, "compute-apps", processFields); err == nil {
			readProcesses(out, answer.devices)
		}
	}
	return answer, err
}

func query(ctx context.Context, path, what string, fields []string) ([]byte, error) {
	return run(ctx, path, "--query-"+what+"="+strings.Join(fields, ","), "--format=csv,noheader,nounits")
}

// rows parses the CSV of nvidia-smi into maps from field to value.
func rows(out []byte, fields []string) ([]map[string]string, error) {
	r := csv.NewReader(bytes.NewReader(out))
	r.FieldsPerRecord, r.TrimLeadingSpace, r.LazyQuotes = -1, true, true
	records, err := r.ReadAll()
	var all []map[string]string
	last := len(fields) - 1
	for _, record := range records {
		if len(record) < len(fields) {
			err = csv.ErrFieldCount
			break
		}
		row := map[string]string{}
		for i, f := range fields {
			row[f] = strings.TrimSpace(record[i])
		}
		// A process may have commas in its name.
		row[fields[last]] = strings.TrimSpace(strings.Join(record[last:], ","))
		all = append(all, row)
	}
	if err != nil {
		return nil, fmt.Errorf("%s printed what is not its CSV%s", smi, saying(out))
	}
	return all, nil
}

// readGPUs interprets the answer to --query-gpu. It leaves out GPUs with unknown memory, with an
// error that names them.
func readGPUs(out []byte, fields []string) (found, error) {
	all, err := rows(out, fields)
	if err != nil {
		return found{}, err
	}
	if len(all) == 0 {
		return found{}, errors.New(smi + " lists no GPU")
	}
	var devices []Device
	var left []string
	driver := Driver{Version: told(all[0]["driver_version"])}
	if err := driver.validate(); err != nil {
		return found{}, fmt.Errorf("%s printed what cannot be: %w", smi, err)
	}
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
			return found{}, fmt.Errorf("%s printed what cannot be: %w%s", smi, err, saying(out))
		}
		devices = append(devices, d)
	}
	answer := found{devices, driver}
	if len(left) > 0 {
		return answer, errors.New(words(strings.Join(left, "; ")))
	}
	return answer, nil
}

// told returns a field's text, or "" where nvidia-smi says that it has none: "[N/A]", "[Not
// Supported]".
func told(field string) string {
	if strings.HasPrefix(field, "[") {
		return ""
	}
	return field
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
	if reserved, ok := fromMiB(row["memory.reserved"]); ok {
		d.ReservedBytes = &reserved
	}
	if shown := row["display_active"]; shown == "Enabled" || shown == "Disabled" {
		display := shown == "Enabled"
		d.Display = &display
	}
	if d.ComputeCapability, err = parseCapability(row["compute_cap"]); err != nil || row["compute_cap"] == "" {
		d.ComputeCapability = capabilityOf(d.Name)
	}
	return d, nil
}

var processFields = []string{"gpu_uuid", "pid", "used_memory", "process_name"}

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
		p := Process{PID: pid, Name: programName(told(row["process_name"]))}
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
