// Package interop answers how other tools write what the store keeps: it reads
// their files into responses and labels, and writes labels for them.
//
// Every importer takes the same road:
//
//  1. read the container: a CSV or JSONL table, or the zip of an `.eval` log;
//  2. bind what the file calls its columns, members and scorers to our words;
//  3. turn each record into one [uplift.Response] with its labels;
//  4. hand both to a [Sink], normally one transaction of the store;
//  5. account for every record in [Counts].
//
// An importer is strict about what it needs and tolerant of what it does not:
// unknown columns and keys are ignored, and a missing value is missing, never
// a refusal and never 0. Every record that cannot be used is a [Problem] with
// its place. Any problem makes the importer return [*Problems], and then the
// caller must drop what the sink took, so that nothing is half imported.
package interop
