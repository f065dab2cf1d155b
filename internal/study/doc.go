// Package study answers what was planned, and whether it may be believed.
//
// A study is one YAML file beside its prompts. Reading it takes five steps:
//
//  1. source.go checks the bytes: size, encoding, line ends;
//  2. tree.go parses them into a tree with positions and refuses what would
//     make two readers disagree (anchors, tags, several documents, deep nesting);
//  3. shape.go walks the tree along the JSON Schema that schema.go makes from
//     the structs of plan.go, so that the editor and the reader share one rule;
//  4. rules.go checks what no schema can say: references, cycles, ordered cuts;
//  5. defaults.go fills what was left out, and digest.go hashes the result.
//
// Every step adds to one list of problems, each with line, column, field and
// what was expected: a person mends a file once. The package reads the study's
// own directory and nothing else; it never uses the network.
package study
