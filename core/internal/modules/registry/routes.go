package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wattle-portal/wattle/core/module"
)

// node is one segment of a path. A literal segment is matched before a parameter, like chi does inside a module, because the operation that
// core checks must be the one that runs.
type node struct {
	static map[string]*node
	param  *node
	ops    map[string]*Operation // by method
}

// validTemplate returns an error unless every parameter is a whole segment: /a/{b}/c.
func validTemplate(path string) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("path %q does not begin with a slash", path)
	}
	for s := range strings.SplitSeq(path[1:], "/") {
		_, isParam := parameter(s)
		if s == "" || !isParam && strings.ContainsAny(s, "{}*%?#") {
			return fmt.Errorf("path %q: a segment is either a plain text or one {parameter}", path)
		}
	}
	return nil
}

func parameter(segment string) (name string, ok bool) {
	name, opened := strings.CutPrefix(segment, "{")
	name, closed := strings.CutSuffix(name, "}")
	return name, opened && closed && name != "" && !strings.ContainsAny(name, "{}*:%")
}

// add adds an operation. If one with the same method and template exists, add returns that one instead. Parameter names do not matter.
func (n *node) add(op *Operation) (taken *Operation) {
	end := n.at(op.Path)
	if taken = end.ops[op.Method]; taken == nil {
		end.ops[op.Method] = op
	}
	return taken
}

// put adds an operation, or replaces the existing one.
func (n *node) put(op *Operation) { n.at(op.Path).ops[op.Method] = op }

// at returns the node of a template, and creates it when it does not exist.
func (n *node) at(path string) *node {
	for s := range strings.SplitSeq(path[1:], "/") {
		next := n.static[s]
		if _, ok := parameter(s); ok {
			if n.param == nil {
				n.param = &node{}
			}
			next = n.param
		} else if next == nil {
			if n.static == nil {
				n.static = map[string]*node{}
			}
			next = &node{}
			n.static[s] = next
		}
		n = next
	}
	if n.ops == nil {
		n.ops = map[string]*Operation{}
	}
	return n
}

// match searches depth first. It continues searching if a path exists without the method.
func (n *node) match(method, path string) (*Operation, []string) {
	if len(path) < 2 || path[0] != '/' {
		return nil, nil
	}
	if op := n.find(method, path[1:]); op != nil {
		return op, nil
	}
	found := map[string]bool{}
	n.methods(path[1:], found)
	return nil, slices.Sorted(maps.Keys(found))
}

func (n *node) find(method, rest string) *Operation {
	segment, rest, more := strings.Cut(rest, "/")
	if segment == "" {
		return nil
	}
	for _, next := range [...]*node{n.static[segment], n.param} {
		if next == nil {
			continue
		}
		if !more {
			if op := next.ops[method]; op != nil {
				return op
			}
		} else if op := next.find(method, rest); op != nil {
			return op
		}
	}
	return nil
}

func (n *node) methods(rest string, found map[string]bool) {
	segment, rest, more := strings.Cut(rest, "/")
	if segment == "" {
		return
	}
	for _, next := range [...]*node{n.static[segment], n.param} {
		switch {
		case next == nil:
		case more:
			next.methods(rest, found)
		default:
			for m, op := range next.ops {
				if op.Access != module.Sibling { // sibling operations are not listed for outside callers
					found[m] = true
				}
			}
		}
	}
}
