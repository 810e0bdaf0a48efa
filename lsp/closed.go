package lsp

import (
	"maps"
	"sync"

	"go.lsp.dev/uri"
)

// The closedParts are the parts of closed documents, by key, on which the client may not have
// heard the newest report. VS Code pulls a document a last time when it is closed, keeps that
// document's diagnostics, and ignores workspace reports on it while it waits for the answer. It
// names the result of an ignored report all the same. So reports are repeated.
type closedParts struct {
	mu    sync.Mutex
	parts map[uri.URI]closedPart
}

// A closedPart is one part of a closed document.
type closedPart struct {
	uri     string // as the client spells it
	reports int    // to pulls of the workspace since the last pull of the part
}

// enoughReports is how many workspace reports must follow the last pull of a closed part before
// the client's result is believed: the first may overtake the answer to that pull.
const enoughReports = 2

// add notes that a part was closed.
func (c *closedParts) add(key uri.URI, clientURI string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parts == nil {
		c.parts = map[uri.URI]closedPart{}
	}
	c.parts[key] = closedPart{uri: clientURI}
}

// pulled notes a pull of a part. It reports whether the part was closed recently.
func (c *closedParts) pulled(key uri.URI) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.parts[key]
	if ok {
		c.parts[key] = closedPart{uri: p.uri}
	}
	return ok
}

// distrust deletes results that the client may name without having applied them. It forgets open
// parts, and those whose result can be believed.
func (c *closedParts) distrust(results map[uri.URI]string, isOpen func(uri.URI) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.parts, func(key uri.URI, p closedPart) bool {
		if _, named := results[key]; isOpen(key) || named && p.reports >= enoughReports {
			return true
		}
		delete(results, key)
		return false
	})
}

// report returns the URI of every part by its key, and counts that as a report.
func (c *closedParts) report() map[uri.URI]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	uris := make(map[uri.URI]string, len(c.parts))
	for key, p := range c.parts {
		p.reports++
		uris[key], c.parts[key] = p.uri, p
	}
	return uris
}
