// Package strictyaml answers how YAML is read without surprises.
//
// What two readers could take differently, and what a reader would have to
// expand, is a problem with its place: anchors and aliases, tags, a second
// document, numbers that are not plain ones, nesting and lengths that no file of
// the kind needs. Keys that stand twice are the caller's to tell, who knows what
// they mean.
//
//  1. parse.go takes a text to a tree;
//  2. node.go says where a node stands and what it is;
//  3. problem.go keeps what is wrong, and words.go puts it in words. Both serve
//     the other forms of a file too: a person mends a file once.
package strictyaml
