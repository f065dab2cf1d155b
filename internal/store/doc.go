// Package store answers what is kept: every response, text, call, label and
// rating of one study, in one SQLite file to which rows are only ever added.
//
//  1. [Create] or [Open] gives a [Store], and [CreateWith] one that is filled or
//     not there at all; every way in which a file can be unfit has its own
//     error, which says what is wrong, where, and what to do;
//  2. [Store.Import] takes other people's rows, all or nothing; [Store.PutCall]
//     and [Store.PutResponse] take a run's, a group at a time, durable on return;
//     [Store.Attempts], [Store.Raw] and [Store.Spent] say what was sent for it, and
//     [Store.Withheld] and [Store.Release] what is locked away, and what no more;
//  3. [Store.PutRows], [Store.PutRatings] and [Store.Freeze] take what raters say;
//  4. [Store.Responses], [Store.Texts] and [Store.Labels] yield it all in one
//     fixed order: model, condition, task, attack, replicate, scale, grader,
//     each by name. Labels is the only place where a rating meets its condition.
//     A [Snapshot] yields them as they were at one moment, whatever is written
//     meanwhile.
//
// Nothing is changed in place. A correction is a further statement beside the
// first; the latest one that states a field is current. Triggers refuse every
// UPDATE and DELETE.
//
// A store that writes keeps a compact copy of the cells and labels in memory
// (see known), about 75 bytes a labelled response, so that a row is checked
// without a query and inserted hundreds at a time.
package store
