// Package run answers which cells of a study remain, and walks them.
//
//  1. [Spec.Plan] lists every cell in a fixed order: the conditions of one
//     item stand side by side, so that what is compared is asked at about the
//     same time;
//  2. [Run] leaves out the cells that the [Keeper] holds already;
//  3. each remaining cell goes through [access.Condition.Respond], the only
//     code that turns a request into an output;
//  4. equal upstream requests are sent once: within a run they wait for the
//     one in flight, across runs the kept [uplift.Call] answers;
//  5. the response is kept, failures included, and counted once it is durable.
//
// A call is kept before its response. A kill between the two costs nothing:
// the next run finds the call. A failure is kept as the outcome error and is
// planned again only with Options.Retry.
package run
