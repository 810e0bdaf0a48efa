#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Blocks are handed out behind each other from chunks, each behind a word that holds its
// class. One that is given back is handed out again for the next of its class: what
// tree-sitter makes and drops while it parses stays in a processor's cache.
//
// A block of class c up to SMALL takes c times GRAIN bytes, its word included; beyond that
// it takes a power of two.
enum { GRAIN = 16, WORD = 8, SMALL = 64, CLASSES = SMALL + 64, CHUNK = 1 << 20 };

typedef struct chunk {
	struct chunk *next;
	size_t size; // bytes behind the header
} chunk;

struct arena {
	chunk *first, *at;  // of all, and that of which is handed out
	char *free, *end;   // of that
	void *idle[CLASSES]; // blocks that were given back, each of which points to the next
};

// Of the thread that parses; none while it does not.
static _Thread_local arena *current;

static void *must(void *p, size_t size) {
	if (!p && size > 0) {
		fprintf(stderr, "tree-sitter failed to allocate %zu bytes", size);
		abort();
	}
	return p;
}

static size_t bytes_of(size_t class) { return class <= SMALL ? class * GRAIN : (size_t)1 << (class - SMALL); }

static size_t class_of(size_t bytes) {
	size_t grains = (bytes + WORD + GRAIN - 1) / GRAIN;
	if (grains <= SMALL) return grains;
	size_t class = SMALL + 11; // twice SMALL grains
	while (bytes_of(class) < bytes + WORD) class++;
	return class;
}

static void use(arena *a, chunk *c) {
	a->at = c;
	a->free = (char *)(c + 1) + WORD; // so that what follows a word is aligned
	a->end = (char *)(c + 1) + c->size;
}

// next_chunk makes room for a block.
static void next_chunk(arena *a, size_t bytes) {
	chunk *c = a->at ? a->at->next : a->first;
	if (!c || c->size < bytes + WORD) {
		size_t size = bytes + WORD > CHUNK ? bytes + WORD : CHUNK;
		chunk *made = must(malloc(sizeof *made + size), size);
		*made = (chunk){c, size};
		if (a->at) a->at->next = made; else a->first = made;
		c = made;
	}
	use(a, c);
}

static void *take(arena *a, size_t size) {
	size_t class = class_of(size);
	void *p = a->idle[class];
	if (p) {
		a->idle[class] = *(void **)p;
		return p;
	}
	size_t bytes = bytes_of(class);
	if (!a->at || (size_t)(a->end - a->free) < bytes) next_chunk(a, bytes);
	*(uint64_t *)a->free = class;
	p = a->free + WORD;
	a->free += bytes;
	return p;
}

static uint64_t class_at(void *p) { return ((uint64_t *)p)[-1]; }

static void give(arena *a, void *p) {
	uint64_t class = class_at(p);
	*(void **)p = a->idle[class];
	a->idle[class] = p;
}

static void *ts_malloc(size_t size) {
	return current ? take(current, size) : must(malloc(size), size);
}

static void *ts_calloc(size_t count, size_t size) {
	if (!current) return must(calloc(count, size), count * size);
	return memset(take(current, count * size), 0, count * size);
}

static void *ts_realloc(void *old, size_t size) {
	if (!current) return must(realloc(old, size), size);
	if (!old) return take(current, size);
	size_t had = bytes_of(class_at(old)) - WORD;
	if (size <= had) return old;
	void *p = memcpy(take(current, size), old, had);
	give(current, old);
	return p;
}

static void ts_free(void *p) {
	if (!current) free(p);
	else if (p) give(current, p);
}

void arena_install(void) { ts_set_allocator(ts_malloc, ts_calloc, ts_realloc, ts_free); }

arena *arena_new(void) { return must(calloc(1, sizeof(arena)), sizeof(arena)); }

static void delete_from(chunk *c) {
	while (c) {
		chunk *next = c->next;
		free(c);
		c = next;
	}
}

void arena_delete(arena *a) {
	delete_from(a->first);
	free(a);
}

void arena_trim(arena *a) {
	chunk *c = a->first;
	if (!c) return;
	if (c->size > CHUNK) {
		delete_from(c);
		a->first = NULL;
	} else {
		delete_from(c->next);
		c->next = NULL;
	}
	a->at = NULL;
}

TSNode arena_parse(arena *a, const char *text, uint32_t length) {
	memset(a->idle, 0, sizeof a->idle);
	a->at = NULL;
	current = a;
	// The parser, too, lives in the arena. Its scanner does not: it is deleted with it.
	TSParser *p = ts_parser_new();
	TSTree *tree = ts_parser_set_language(p, tree_sitter_python()) ? ts_parser_parse_string(p, NULL, text, length) : NULL;
	ts_parser_delete(p);
	TSNode root = {0};
	if (tree) root = ts_tree_root_node(tree);
	current = NULL;
	return root;
}
