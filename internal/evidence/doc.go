// Package evidence answers what happened to a study, in what order, and lets
// anyone check it.
//
// A log is one file of lines, each an [Entry] in canonical JSON (RFC 8785) that
// holds the hash of the line before. It only ever grows. Appending takes these
// steps:
//
//  1. file.go opens the file, which must be a regular one, and flock*.go keeps
//     other processes out;
//  2. scan.go checks the lines that this process has not seen;
//  3. append.go mends what a killed process left of a last line, with a record
//     of it, writes the entry and waits for the disk.
//
// The chain shows a change of any line to whoever knows a later hash. It cannot
// show that the whole log, or its end, was written anew: for that a hash must
// have been published.
package evidence
