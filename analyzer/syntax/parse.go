package syntax

/*
#include "treesitter.h"
#include <string.h>

enum {
	CHUNK = 256,    // bytes that tree-sitter reads at a time
	LISTEN = 8192,  // bytes after which errors are listened for again
	CALM = 32,      // steps without an error after which they are not
	SKIPPED = 512,  // tokens that cost as much as a chunk where recovery copies them
};

// A task is a text that is parsed, and the work that was done for it. tree-sitter's lexer
// looks ahead over comments and continued lines at each of them, and its recovery from an
// error copies all that it has skipped: either may take quadratic time. Both are counted, in
// chunks read, and stopped at a limit.
typedef struct {
	TSParser *parser;
	const char *text;
	uint32_t length;
	uint64_t work, limit;
	size_t stop;      // tree-sitter stops where it is not 0

	// The log, which alone tells of recovery, takes longer than the parse. It is heard now
	// and then, and for as long as there are errors.
	uint32_t listen;  // byte of the text at which it is heard again
	uint32_t calm;    // steps without an error
	uint64_t skipped; // tokens, since there was none
} task;

static void do_work(task *t, uint64_t n) {
	t->work += n;
	if (t->work > t->limit) t->stop = 1;
}

static bool starts(const char *message, const char *with) { return !strncmp(message, with, strlen(with)); }

static void hear(void *payload, TSLogType type, const char *message) {
	task *t = payload;
	if (type == TSLogTypeLex) return;
	if (starts(message, "process")) {
		if (++t->calm > CALM) {
			t->skipped = 0;
			ts_parser_set_logger(t->parser, (TSLogger){NULL, NULL});
		}
	} else if (starts(message, "skip_token")) {
		t->calm = 0;
		t->skipped++;
	} else if (starts(message, "recover_to_previous")) {
		t->calm = 0;
		do_work(t, t->skipped / SKIPPED);
	}
}

// read_chunk hands out the text. Where there was too much work the text is at its end, which
// stops what asks for the flag only later.
static const char *read_chunk(void *payload, uint32_t at, TSPoint point, uint32_t *size) {
	task *t = payload;
	do_work(t, 1);
	if (at >= t->length || t->stop) {
		*size = 0;
		return "";
	}
	if (at >= t->listen) {
		t->listen = at + LISTEN;
		t->calm = 0;
		ts_parser_set_logger(t->parser, (TSLogger){t, hear});
	}
	*size = t->length - at < CHUNK ? t->length - at : CHUNK;
	return t->text + at;
}

typedef struct { TSTree *tree; uint64_t work; } parsed;

// parse parses a text, by the tree of one before it where there is one. There is no tree
// where the work reaches the limit.
static parsed parse(TSParser *p, const TSTree *old, const char *text, uint32_t length, uint64_t limit) {
	task t = {.parser = p, .text = text, .length = length, .limit = limit, .listen = LISTEN};
	ts_parser_set_cancellation_flag(p, &t.stop);
	TSTree *tree = ts_parser_parse(p, old, (TSInput){&t, read_chunk, TSInputEncodingUTF8});
	ts_parser_set_cancellation_flag(p, NULL);
	ts_parser_set_logger(p, (TSLogger){NULL, NULL});
	if (t.stop) {
		if (tree) ts_tree_delete(tree);
		tree = NULL;
		ts_parser_reset(p); // or it goes on with this text
	}
	return (parsed){tree, t.work};
}

static bool is_broken(const TSTree *tree) { return ts_node_has_error(ts_tree_root_node(tree)); }
*/
import "C"

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Why a text has no tree, for people.
const (
	tooMuchWork = "it takes too long to parse, as very long runs of comments, of continued lines or of errors do"
	tooDeep     = "it is nested more than 10,000 deep"
	tooLong     = "it has more than 600,000 tokens"
)

// maxTokens bounds the tokens of a text. tree-sitter takes some 230 bytes for each, and up to 640
// in a text with errors. Usual Python of 3 MB has as many.
const maxTokens = 600_000

// isTooLong reports whether a text may have more than maxTokens tokens. It counts each word and
// each other character except spaces, in strings and comments as well.
func isTooLong(text string) bool {
	if len(text) <= maxTokens {
		return false
	}
	tokens, within := 0, false
	for i := range len(text) {
		c := text[i]
		word := c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
		if c != ' ' && c != '\t' && !(word && within) {
			tokens++
		}
		within = word
	}
	return tokens > maxTokens
}

// workLimit returns how many chunks tree-sitter may read of a text: the chunks of 16 times the
// text, and of 64 MB. Usual Python takes twice the text.
func workLimit(text string) int { return len(text)/16 + 1<<18 }

// withLineFeeds returns a text with a line feed in place of each lone carriage return. Such a
// character ends a line in Python, but not a comment in tree-sitter.
func withLineFeeds(text string) string {
	if strings.Count(text, "\r") == strings.Count(text, "\r\n") {
		return text
	}
	b := []byte(text)
	for i, c := range b {
		if c == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			b[i] = '\n'
		}
	}
	return string(b)
}

func newCParser() *C.TSParser {
	p := C.ts_parser_new()
	if !C.ts_parser_set_language(p, C.tree_sitter_python()) {
		panic("tree-sitter does not know the version of its Python grammar")
	}
	return p
}

// parseC parses a text, reusing the tree of the previous one unless that is nil. It returns nil
// if the work reaches the limit. The caller deletes the tree.
func parseC(p *C.TSParser, old *C.TSTree, text string) (tree *C.TSTree, work int) {
	r := C.parse(p, old, (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.uint32_t(len(text)), C.uint64_t(workLimit(text)))
	return r.tree, int(r.work)
}

// isBroken reports whether anything in a tree does not parse.
func isBroken(tree *C.TSTree) bool { return bool(C.is_broken(tree)) }
