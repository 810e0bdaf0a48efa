package explain

// A by says which software prints a message. The zero value is TensorFlow, or Python.
type by uint8

const (
	byTensorFlow by = iota
	byColab
	byKaggle
	byJupyter
	byNbclient
	byVSCode
	byShell
	byKernel
	bySystemd
	byContainer
	byKubernetes
	byCloud
	bySlurm
	byBatch
	byRay
	byDask
	byJoblib
	byGunicorn
	byDatabricks
	byWindows
	byPython
	byCUDA
	byNCCL
)

// software names what prints a message, says by which command it tells more, and how the program
// gets more of the machine's memory from it.
var software = [...]struct{ name, ask, more string }{
	byTensorFlow: {name: "TensorFlow"},
	byColab:      {name: "Colab", ask: "Run the cell's code as a script, \"!python -X faulthandler script.py\", which prints what the notebook hides; \"View runtime logs\" in the Runtime menu has the kernel's last words.", more: "A runtime with more RAM (Runtime, Change runtime type) holds more."},
	byKaggle:     {name: "Kaggle", ask: "The session's panel shows the machine's memory next to the GPU's while the cell runs."},
	byJupyter:    {name: "Jupyter", ask: asAScript},
	byNbclient:   {name: "nbclient, which runs notebooks for nbconvert and papermill,", ask: asAScript},
	byVSCode:     {name: "VS Code", ask: asAScript},
	byShell:      {name: "The shell", ask: askKernel},
	byKernel:     {name: "Linux"},
	bySystemd:    {name: "systemd", ask: askKernel},
	byContainer:  {name: "Docker", ask: "\"docker inspect --format '{{.State.OOMKilled}} {{.State.ExitCode}}' CONTAINER\" says whether its memory limit was met.", more: "Raise the container's limit: docker run --memory; Docker Desktop and WSL2 have a limit of their own, too."},
	byKubernetes: {name: "Kubernetes", ask: "\"kubectl describe pod POD\" shows under Last State whether the memory limit was met.", more: "Raise resources.limits.memory of the container."},
	byCloud:      {name: "The cloud's job service", ask: "The job's page shows the memory that the machine used.", more: "Take a machine type with more memory."},
	bySlurm:      {name: "Slurm", ask: "\"sacct -j JOB --format=State,MaxRSS,ReqMem\" compares what it used with what it asked for.", more: "Ask for more with --mem or --mem-per-cpu: it is the machine's memory that the job asked for, not the GPU's."},
	byBatch:      {name: "The batch system", more: "Ask for more memory with the job."},
	byRay:        {name: "Ray", ask: "\"ray logs raylet.out | grep -i memory\" says whether Ray's memory monitor ended the worker.", more: "Run fewer tasks at once: num_cpus, or memory= for each, says how many fit."},
	byDask:       {name: "Dask", ask: "The dashboard's Workers tab shows the memory of each worker.", more: "Give each worker more (memory_limit), or start fewer."},
	byJoblib:     {name: "joblib", ask: "Run one worker, n_jobs=1: it prints the error itself, or is \"Killed\" by the system.", more: "Start fewer workers, n_jobs: each has its own TensorFlow, data and model."},
	byGunicorn:   {name: "gunicorn", ask: askKernel, more: "Start fewer workers: each has its own TensorFlow and model."},
	byDatabricks: {name: "Databricks", ask: "The cluster's Metrics tab shows the driver's memory.", more: "Take a driver with more memory."},
	byWindows:    {name: "Windows", ask: "\"python -X faulthandler script.py\" in a terminal prints where it crashed."},
	byNCCL:       {name: "NCCL", ask: "Run it again with NCCL_DEBUG=WARN: NCCL then names the reason. Out of memory there means no room beside TensorFlow's pool, or in /dev/shm of a container."},
	byCUDA:       {name: "CUDA", ask: "\"nvidia-smi --query-gpu=memory.used,memory.total --format=csv -l 1\", beside the run, shows whether the GPU's memory is full when it stops."},
	byPython:     {name: "Python", ask: "\"python -X faulthandler script.py\" prints where it crashed."},
}

const (
	asAScript = "Run it as a script: \"jupyter nbconvert --to script NOTEBOOK.ipynb && ipython NOTEBOOK.py\". It then ends with an error, or with \"Killed\" if the machine's memory ran out."
	askKernel = "\"sudo dmesg -T | grep -i 'killed process'\" says whether the system ended it for want of memory."
)

// phrases are the messages that a line tells by itself, the first that matches: what TensorFlow and
// the libraries below it say, and the words by which others tell that a program ended. Each fact
// about the wording has its source beside it.
var phrases = []struct {
	pattern
	kind Kind
	// asks is set if the first group is what was asked for, in bytes; done if the groups are how
	// many elements there are, and will be; operation if the first is the name of one.
	asks, done, operation bool
	by                    by
	proof                 Proof
}{
	// xla/stream_executor/cuda/cuda_executor.cc and its forerunners
	{pattern: compile(`(?:cuDevicePrimaryCtxRetain|cuCtxCreate|cuInit): CUDA_ERROR_OUT_OF_MEMORY|CUDA runtime implicit initialization on GPU:\d+ failed. Status: out of memory|cudaSetDevice\(\) on GPU:\d+ failed. Status: (?:all CUDA-capable devices are busy|out of memory)`), kind: NoContext},
	// tensorflow/core/common_runtime/gpu/gpu_util.cc, eager/execute.cc ("in order to run")
	{pattern: compile(`(?:in order to run (\w+): )?Dst tensor is not initialized`), kind: CopyFailed, operation: true},
	// xla/tsl/framework/bfc_allocator.cc
	{pattern: compile(`Garbage collection: deallocate free memory regions`), kind: Collected},
	// tensorflow/python/eager/polymorphic_function
	{pattern: compile(`triggered tf\.function retracing`), kind: Retraced},
	{pattern: compile(`CUDA_ERROR_NOT_INITIALIZED`), kind: Forked},
	// tensorflow/core/kernels/data/shuffle_dataset_op.cc
	{pattern: compile(`Filling up shuffle buffer \(this may take a while\): (\d+) of (\d+)`), kind: Shuffling, done: true},
	{pattern: compile(`Shuffle buffer filled`), kind: Shuffled},
	// Apple's plugin, which is not public; it shares the machine's memory.
	{pattern: compile(`kIOGPUCommandBufferCallbackErrorOutOfMemory|Insufficient Memory \(0{7}8`), kind: Ended, proof: ProvesHost},
	{pattern: compile(`command buffer exited with error status`), kind: MetalFault},
	{pattern: compile(`Metal device set to: |-> physical PluggableDevice \(device: \d+, name: METAL`), kind: Metal},
	{pattern: compile(`ptxas fatal\s+: Value 'sm_\d+\w?' is not defined|Filling up shuffle buffer|Your CUDA software stack is old|Relying on driver to perform ptx compilation|Unable to register cu\w+ factory|Could not find TensorRT|Failed to allocate memory for convolution redzone checking`), kind: Note},
	// tensorflow/core/common_runtime/gpu/gpu_device.cc; xla/stream_executor/cuda/cuda_diagnostics.cc
	{pattern: compile(`Skipping registering GPU devices|GPU will not be used|failed call to cuInit: |no CUDA-capable device is detected`), kind: NoGPU},
	{pattern: compile(`DUE TO TIME LIMIT|TERM_RUNLIMIT|job killed: walltime`), kind: TimeLimit, by: bySlurm},
	// xla/stream_executor/cuda/cuda_executor.cc; device_host_allocator.h for pinned memory
	{pattern: compile(`failed to allocate \S+ \((\d+) bytes\) (?:bytes )?from device: (?:CUDA_ERROR_OUT_OF_MEMORY|RESOURCE_EXHAUSTED|HIP_ERROR_OutOfMemory|hipErrorOutOfMemory)`), kind: DeviceFull, asks: true},
	{pattern: compile(`could not allocate pinned host memory of size: (\d+)|failed to alloc (\d+) bytes on host: CUDA_ERROR_(?:OUT_OF_MEMORY|UNKNOWN)`), kind: PinnedFull, asks: true},
	{pattern: compile(`Loaded runtime CuDNN library: \S+ but source was compiled with|driver version is insufficient for CUDA runtime version|kernel version \S+ does not match DSO version|CUDA_ERROR_SYSTEM_DRIVER_MISMATCH|possibly insufficient driver version|DNN library is not found|ptxas fatal\s+: Memory allocation failure|Could not load library (?:lib)?cudnn|Could not locate (?:zlibwapi|cudnn\S*)\.dll|Unable to load any of \{libcudnn|Cannot load symbol cudnn|could not find cudnn\w* in cudnn DSO`), kind: WrongVersion},
	{pattern: compile(`Illegal instruction|illegal hardware instruction`), kind: WrongProcessor},
	// tensorflow/python/framework/tensor_util.py
	{pattern: compile(`Cannot create a tensor proto whose content is larger than 2GB`), kind: GraphFull},
	// The libraries' own status names; NCCL: src/include/checks.h
	{pattern: compile(`((?i:could not create cudnn handle|failed to create cublas handle|failed to get convolution algorithm)|CUDNN_STATUS_(?:NOT_INITIALIZED|INTERNAL_ERROR|ALLOC_FAILED)|CUBLAS_STATUS_(?:ALLOC_FAILED|NOT_INITIALIZED)|Failed to set dropout descriptor|cudnnCreate|No algorithm worked|Blas x?G[A-Z]+ launch failed|(?:in-memory CUBIN|PTX text as a module): CUDA_ERROR_OUT_OF_MEMORY|CUFFT_ALLOC_FAILED|CUSOLVER_STATUS_(?:ALLOC_FAILED|NOT_INITIALIZED)|CUSPARSE_STATUS_ALLOC_FAILED|CURAND_STATUS_(?:ALLOCATION|INITIALIZATION)_FAILED|Failed to call (?:Then|Do)Rnn(?:Forward|Backward)|NCCL WARN Cuda failure (?:\d+ )?'?out of memory|NCCL: unhandled cuda error.*out of memory)`), kind: LibraryFailed},
	// Whatever else asks the driver for memory.
	{pattern: compile(`CUDA_ERROR_OUT_OF_MEMORY|cudaErrorMemoryAllocation|HIP_ERROR_OutOfMemory`), kind: DeviceFull},
	// tensorflow/python/eager/context.py
	{pattern: compile(`(Physical|Visible|Virtual|Logical) devices cannot be modified after being initialized`), kind: LateConfiguration},
	{pattern: compile(`Memory growth cannot differ between GPU devices`), kind: UnevenGrowth},
	{pattern: compile(`Cannot set memory growth on device when virtual devices configured`), kind: GrowthWithLimit},
	// tensorflow/core/framework/cpu_allocator_impl.cc; gperftools, src/tcmalloc.cc
	{pattern: compile(`Allocation of (\d+) exceeds (?:\d+)% of (?:free )?system memory|tcmalloc: large alloc (\d+) bytes`), kind: LargeHostAllocation, asks: true},

	// The machine's memory, by name.
	// Colab's page; Kaggle's page, and what it writes into the log.
	{pattern: compile(`(?i:session (?:has )?crashed after using all available RAM|crashed after using all (?:of )?(?:the )?available (?:RAM|memory))`), kind: Ended, by: byColab, proof: ProvesHost},
	{pattern: compile(`(?i:notebook|session) tried to (?:use|allocate) more memory than is available|(?i:(?:notebook|session) (?:has )?r[au]n out of (?:memory|RAM))`), kind: Ended, by: byKaggle, proof: ProvesHost},
	// Linux, mm/oom_kill.c and mm/memcontrol.c
	{pattern: compile(`(?i:out of memory: kill(?:ed)? process|memory cgroup out of memory)|invoked oom-killer|oom_reaper: reaped process|oom-kill:constraint`), kind: Ended, by: byKernel, proof: ProvesHost},
	// Slurm, src/slurmd/slurmstepd and src/plugins/jobacct_gather, task/cgroup; srun
	{pattern: compile(`slurmstepd: error: .*(?:oom[_-]kill|memory limit)|Exceeded (?:job|step) memory limit|exceeded memory limit \(\d|oom[_-]kill event|(?:srun|slurm\S*): error: .*Out Of Memory|\bOUT_OF_ME(?:\+|MORY)|killed by the cgroup out-of-memory handler`), kind: Ended, by: bySlurm, proof: ProvesHost},
	{pattern: compile(`srun: error: .*: Killed`), kind: Ended, by: bySlurm, proof: ProvesKill},
	// OpenPBS, LSF, HTCondor
	{pattern: compile(`PBS: job killed: (?:v|p|pv)?mem|TERM_MEMLIMIT|memory usage exceeded request_memory`), kind: Ended, by: byBatch, proof: ProvesHost},
	// systemd, src/core/service.c and src/oom; earlyoom, kill.c
	{pattern: compile(`killed by the OOM killer|Failed with result 'oom-kill'|systemd-oomd\S*: Killed |earlyoom.*sending SIG(?:TERM|KILL) to process`), kind: Ended, by: bySystemd, proof: ProvesHost},
	// Kubernetes, pkg/kubelet (the runtime's reason; eviction/helpers.go)
	{pattern: compile(`[Nn]ode was low on resource: memory|OOMKilling|had condition: \[MemoryPressure\]|[Rr]eason"?: *"?OOMKilled`), kind: Ended, by: byKubernetes, proof: ProvesHost},
	// Docker, api/types (State.OOMKilled), which may be false
	{pattern: compile(`OOMKilled"?: ?true`), kind: Ended, by: byContainer, proof: ProvesHost},
	{pattern: compile(`\bOOMKilled(?:[\s,.)]|$)|\bOOM[- ][Kk]illed\b`), kind: Ended, by: byKubernetes, proof: ProvesHost},
	// Vertex AI and AI Platform; SageMaker; Cloud Run; Heroku
	{pattern: compile(`replica \S+(?: \S+)? ran out-of-memory|Container killed due to memory usage|exceeding (?:physical )?memory limits|beyond physical memory limits|memory limit exceeded \(|use an instance type with more memory|Memory limit of \S+ (?:MiB?|GiB?|[MG]B?) exceeded with|[Ee]xceeded (?:soft|hard) (?:private )?memory limit|Memory quota (?:vastly )?exceeded`), kind: Ended, by: byCloud, proof: ProvesHost},
	// Ray, src/ray/raylet/node_manager.cc, python/ray/exceptions.py
	{pattern: compile(`exceeded \d+% memory budget`), kind: Ended, by: byDask, proof: ProvesHost},
	{pattern: compile(`node running low on memory|ray\.exceptions\.OutOfMemoryError|RayOutOfMemoryError|killed due to memory pressure \(OOM\)`), kind: Ended, by: byRay, proof: ProvesHost},
	// tensorflow/core/data/dataset_utils.cc: a batch is made in the machine's memory
	{pattern: compile(`Failed to allocate memory for the batch of component`), kind: Ended, proof: ProvesHost},
	// CPython; NumPy, _core/_exceptions.py; libstdc++; LLVM; Windows, error 1455
	{pattern: compile(`std::bad_alloc|^(?:numpy\._?core\._exceptions\.)?_?(?:Array)?MemoryError\b|\[Errno 12\] Cannot allocate memory|\bfork: Cannot allocate memory|Unable to allocate [\d.]+ [KMGT]iB for an array|LLVM ERROR: out of memory|WinError 1455|paging file is too small|run out of application memory|computer is low on memory`), kind: Ended, by: byPython, proof: ProvesHost},

	// SIGKILL. bash and dash, jobs.c; zsh, Src/jobs.c; csh
	{pattern: compile(`^(?:\d{4}-\d\d-\d\d[T ]\S+\s+)?(?:\[[^\]]*\] )?(?:\S+: (?:line )?\d+: +\d+ )?[Kk]illed(?:\b|\d)|^\[\d+\]\s*[+-]?\s*(?:\d+ )?[Kk]illed\b|^zsh: killed|^\S+: +\d+: +\d+ [Kk]illed\b`), kind: Ended, by: byShell, proof: ProvesKill},
	// The same word by glibc's translations, po/*.po, "Killed"
	{pattern: compile(`^(?:\S+: \S+ \d+: +\d+ )?(?:已杀死|已砍掉|Getötet|Processus arrêté|Terminado \(killed\)|Убито|強制終了|죽었음|Ucciso|Morto|Unicestwiony)(?:\s|$)`), kind: Ended, by: byShell, proof: ProvesKill},
	// fish, src/proc.rs (proc.cpp before)
	{pattern: compile(`terminated by signal SIGKILL`), kind: Ended, by: byShell, proof: ProvesKill},
	{pattern: compile(`code=killed, status=9/KILL`), kind: Ended, by: bySystemd, proof: ProvesKill},
	{pattern: compile(`was sent SIGKILL! Perhaps out of memory`), kind: Ended, by: byGunicorn, proof: ProvesKill},
	// joblib, externals/loky/process_executor.py
	{pattern: compile(`exit codes of the workers are \{[^}]*SIGKILL`), kind: Ended, by: byJoblib, proof: ProvesKill},
	// What a parent says of its child: subprocess, mpirun, torchrun, PyCharm, Docker, Databricks.
	{pattern: compile(`(?i:exit(?:ed with)?,? (?:code|status):? ?137|exited with code 137|finished with exit code 137|exit ?code:? -9\b|exit status (?:137|-9)\b|(?:exit|status) code 247\b|status of 137\b|^Exit 137\b)|died with <Signals\.SIGKILL|on signal 9 \(|signal: killed|status of 9 ?\(SIGKILL\)|\bSIGKILL\(-9\)|interrupted by signal 9|error code 137|(?i:exit_?code['"]?[:=] ?137)|Exited \(137\)`), kind: Ended, by: byShell, proof: ProvesKill},

	// Another signal. bash, zsh; PyCharm; Windows, ntstatus.h (0xC0000005, 0xC0000409, 0xC0000374)
	{pattern: compile(`Segmentation fault|zsh: (?:segmentation fault|bus error|abort|trace trap)|段错误|已放弃 \(核心已转储\)|Speicherzugriffsfehler|Erreur de segmentation|Violación de segmento|Fatal Python error|terminated by signal SIG(?:SEGV|ABRT|BUS)|interrupted by signal (?:6|7|11)|on signal (?:6|11) \(|(?i:exit(?:ed with)?(?: code| status)?:? (?:139|134|135)\b)|Bus error|Aborted \(core dumped\)|status=(?:11/SEGV|6/ABRT)|died with <Signals\.SIG(?:SEGV|ABRT)`), kind: Ended, by: byPython, proof: ProvesCrash},
	{pattern: compile(`0x[Cc]0000(?:005|409|374|0FD)\b|Windows fatal exception|-1073741819|-1073740791|-1073740940|-1073741571`), kind: Ended, by: byWindows, proof: ProvesCrash},
	{pattern: compile(`exit codes of the workers are \{|worker process managed by the executor was unexpectedly terminated|process in the process pool was terminated abruptly|subprocesses has abruptly died`), kind: Ended, by: byJoblib, proof: ProvesCrash},

	{pattern: compile(`distributed\.scheduler\.KilledWorker|^KilledWorker`), kind: Ended, by: byDask, proof: ProvesCrash},
	{pattern: compile(`WorkerCrashedError|worker died unexpectedly while executing|worker died or was killed while executing|ActorDiedError|RayActorError`), kind: Ended, by: byRay},

	// Nothing but the end. Colab's page
	{pattern: compile(`(?i:session crashed for an unknown reason|session crashed\. Automatically restarting|runtime (?:has )?(?:died|crashed))`), kind: Ended, by: byColab},
	// vscode-jupyter, src/platform/common/utils/localize.ts, package.nls.json
	{pattern: compile(`[Tt]he Kernel crashed while executing code|Canceled future for execute_request|The kernel '[^']*' died|Cannot execute code, session has been disposed`), kind: Ended, by: byVSCode},
	// nbclient, client.py, and papermill, which runs it
	{pattern: compile(`DeadKernelError|Kernel died while waiting for execute reply|Kernel died before replying`), kind: Ended, by: byNbclient},
	// jupyter_client, ioloop/restarter.py; notebook, static/notebook/js/notificationarea.js;
	// JupyterLab, packages/apputils-extension; Spyder
	{pattern: compile(`[Kk]ernel (?:for \S+ )?appears to have died|KernelRestarter: restarting kernel|[Kk]ernel [0-9a-f]{8}-[0-9a-f-]{20,} (?:restarted|died)|^Kernel Restarting|Kernel died, restarting|error ocurred while starting the kernel|R encountered a fatal error|R Session Aborted|[Tt]he (?:\S+ )?kernel (?:has )?died|^Dead kernel|^Kernel died$`), kind: Ended, by: byJupyter},
	{pattern: compile(`Python (?:kernel|process) (?:is unresponsive|has stopped)|[Dd]river (?:is unresponsive|has stopped unexpectedly)|Python kernel is unresponsive`), kind: Ended, by: byDatabricks},
	// cuda.h: a fault on the GPU, which TensorFlow cannot go on after
	{pattern: compile(`CUDA_ERROR_(?:ILLEGAL_ADDRESS|LAUNCH_FAILED|MISALIGNED_ADDRESS)|illegal memory access was encountered|unspecified launch failure|CUDNN_STATUS_(?:EXECUTION_FAILED|MAPPING_ERROR)|cuDNN launch failure|Unexpected Event status: 1|GPU sync failed`), kind: Ended, by: byCUDA, proof: ProvesCrash},
	// Any other exception. Its own of Python, and TensorFlow's InvalidArgumentError, are about names,
	// shapes and values.
	{pattern: compile(`^(?:\w+\.)*(?:AttributeError|TypeError|ValueError|KeyError|NameError|ImportError|ModuleNotFoundError|IndexError|FileNotFoundError|AssertionError|ZeroDivisionError|SyntaxError|IndentationError|NotImplementedError|UnicodeDecodeError|InvalidArgumentError)(?::|$)`), kind: Exception, proof: ProvesCrash},
	{pattern: compile(`^(?:\w+\.)*(?:RuntimeError|InternalError|UnknownError|AbortedError|UnavailableError|OSError|SystemError|FailedPreconditionError|XlaRuntimeError|UnimplementedError|DataLossError|NotFoundError): `), kind: Exception},
	// NCCL, src/init.cc, ncclGetErrorString: the reason stands in its own log only
	{pattern: compile(`ncclUnhandledCudaError|ncclSystemError|NCCL: unhandled (?:cuda|system) error|unhandled (?:cuda|system) error, NCCL`), kind: Ended, by: byNCCL},
}
