// A stand-in for the NVIDIA driver's library, for main_test.go: a GPU in MIG mode
// with one instance and a whole one. FAKE_NVML tells what goes wrong: a number is what
// nvmlInit returns. -DOLD leaves out what drivers before 450 do not have, -DSTUB what
// all have. Signatures are those of nvml.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct card { const char *name, *uuid; unsigned long long total, used; } card;
typedef struct { unsigned long long total, free, used; } memory;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory_v2;
typedef struct { unsigned pid; unsigned long long used; unsigned gpu_instance, compute_instance; } process;

static card cards[] = {
	{"NVIDIA A100-SXM4-40GB", "GPU-aa", 40960ull << 20, 1024ull << 20},
	{"Tesla T4", "GPU-bb", 15360ull << 20, 460ull << 20},
};
static card instance = {"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "MIG-cc", 4864ull << 20, 12ull << 20};

static int inits; // so far

static int fake(const char *how) { return getenv("FAKE_NVML") && !strcmp(getenv("FAKE_NVML"), how); }

enum { SUCCESS, NOT_SUPPORTED = 3, NO_PERMISSION, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15, UNKNOWN = 999 };

int nvmlInit_v2(void) {
	inits++;
	if (fake("hang")) for (;;) sleep(60);
	if (fake("abort")) abort();
	if (fake("talk")) { puts("Welcome"); fflush(stdout); }
	return getenv("FAKE_NVML") ? atoi(getenv("FAKE_NVML")) : SUCCESS;
}
int nvmlShutdown(void) { return SUCCESS; }
int nvmlDeviceGetCount_v2(unsigned *n) {
	*n = fake("sixteen") ? 16 : 2;
	return fake("lost") && inits > 4 ? UNKNOWN : SUCCESS;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned i, card **c) {
	*c = &cards[i % 2];
	return fake("lost") && i == 1 && inits > 2 ? GPU_IS_LOST : SUCCESS;
}
#ifndef STUB
int nvmlDeviceGetName(card *c, char *s, unsigned n) { snprintf(s, n, "%s", c->name); return SUCCESS; }
int nvmlDeviceGetUUID(card *c, char *s, unsigned n) { snprintf(s, n, "%s", c->uuid); return SUCCESS; }
#endif
int nvmlDeviceGetMemoryInfo(card *c, memory *m) {
	if (fake("query hangs")) for (;;) sleep(60);
	if (fake("query crashes")) *(volatile int *)16 = 1;
	if (fake("absurd")) { m->total = m->free = m->used = -1ull; return SUCCESS; }
	if (fake("used up")) { m->total = c->total, m->used = c->total + 1, m->free = -1ull; return SUCCESS; }
	m->total = c->total, m->used = c->used, m->free = c->total - c->used;
	return SUCCESS;
}
#ifndef OLD
int nvmlSystemGetDriverVersion(char *s, unsigned n) { snprintf(s, n, "535.104.05"); return SUCCESS; }
int nvmlSystemGetCudaDriverVersion(int *v) { *v = 12020; return SUCCESS; }
int nvmlSystemGetProcessName(unsigned pid, char *s, unsigned n) { snprintf(s, n, "/usr/bin/python3"); return SUCCESS; }
int nvmlDeviceGetMemoryInfo_v2(card *c, memory_v2 *m) {
	if (c == &instance) return NOT_SUPPORTED;
	m->total = c->total, m->reserved = 456ull << 20, m->used = c->used - m->reserved, m->free = c->total - c->used;
	return SUCCESS;
}
int nvmlDeviceGetDisplayActive(card *c, unsigned *active) {
	*active = 0;
	return c == &instance ? NOT_SUPPORTED : SUCCESS;
}
int nvmlDeviceGetCudaComputeCapability(card *c, int *major, int *minor) {
	*major = c == cards ? 8 : 7, *minor = c == cards ? 0 : 5;
	return SUCCESS;
}
int nvmlDeviceGetMigMode(card *c, unsigned *now, unsigned *next) {
	*now = *next = 1;
	return c == cards ? SUCCESS : NOT_SUPPORTED;
}
int nvmlDeviceGetMaxMigDeviceCount(card *c, unsigned *n) { *n = 7; return SUCCESS; }
int nvmlDeviceGetMigDeviceHandleByIndex(card *c, unsigned i, card **to) {
	*to = &instance;
	return i == 3 ? SUCCESS : NOT_FOUND;
}
int nvmlDeviceGetComputeRunningProcesses_v3(card *c, unsigned *n, process *p) {
	if (c == &instance) return NO_PERMISSION;
	*n = 1, p->pid = 4211, p->used = -1;
	return SUCCESS;
}
#endif
