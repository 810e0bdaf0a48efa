package gpu

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// containerVariable names the GPUs that NVIDIA's runtime puts into a container: all, indices and
// UUIDs; "none", the driver without a GPU; "void" and "", neither.
// https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html
//
// The runtime reads it before a program starts, and CUDA never does. So it hides no GPU that the
// driver lists: a privileged container sees all of them, and where the Container Device Interface
// adds GPUs it sets the variable to "void" itself (nvidia-container-toolkit, pull request 395).
const containerVariable = "NVIDIA_VISIBLE_DEVICES"

// root is the folder in which the marks of containers are looked for.
var root = "/"

// inContainer reports whether this process is in a container: Docker and Podman leave a file,
// Kubernetes a variable, and cgroups of version 1 have the name of what made them.
func inContainer() bool {
	for _, mark := range []string{".dockerenv", "run/.containerenv"} {
		if _, err := os.Stat(filepath.Join(root, mark)); err == nil {
			return true
		}
	}
	if inKubernetes() {
		return true
	}
	groups, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for _, maker := range []string{"docker", "kubepods", "containerd", "libpod", "/lxc/"} {
		if strings.Contains(string(groups), maker) {
			return true
		}
	}
	return false
}

func inKubernetes() bool { return os.Getenv("KUBERNETES_SERVICE_HOST") != "" }

// hiddenHere says how a container may keep this process from the machine's GPUs, of which none was
// found; "" if nothing says so. driver is set if there is a driver that says something else.
func hiddenHere(driver bool) string {
	value, set := os.LookupEnv(containerVariable)
	switch {
	case !inContainer():
		return ""
	case value == "none":
		return containerVariable + "=none hides the machine's GPUs from this container"
	case driver:
		return "" // the runtime put it here
	case set && (value == "" || value == "void"):
		return fmt.Sprintf("%s=%s hides the machine's GPUs from this container", containerVariable, cmp.Or(value, `""`))
	case inKubernetes():
		return "this is a container of Kubernetes, which has GPUs only if its limits name nvidia.com/gpu"
	}
	return "this is a container, which has GPUs only if it is started with them, as by docker run --gpus all"
}
