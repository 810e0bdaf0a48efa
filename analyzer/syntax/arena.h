#include "treesitter.h"

// An arena is the memory in which a text is parsed. What is made of it is never freed piece
// by piece, which takes a tenth of the time of a parse, but all at once.
typedef struct arena arena;

// arena_install has tree-sitter take its memory from the arena of the thread that parses,
// or from malloc where there is none. It must come before anything is parsed.
void arena_install(void);

arena *arena_new(void);
void arena_delete(arena *);

// arena_parse parses a text and returns the root of its tree, which lives in the arena until
// the next text does. The text need not be kept. The node has no id where tree-sitter
// refuses to parse.
TSNode arena_parse(arena *, const char *text, uint32_t length);

// arena_trim gives back what the arena has beyond what a text of some pages takes.
void arena_trim(arena *);
