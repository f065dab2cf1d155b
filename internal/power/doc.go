// Package power answers one question: what could a design show?
//
// It takes a [Basis], what is known of one contrast before the study that is
// planned: from a published interval, from a pilot's pairs, or from numbers. A
// [Question] says which difference, margin and grids are of interest. [Ask]
// gives the power by tasks, pairs a task, raters and intraclass correlation, the
// smallest difference that the present design finds, the tasks that a power
// takes, the same for non-inferiority, and the price in ratings.
//
// Tasks are always tasks of the endpoint: a benchmark of 18 tasks in three tiers
// has 6 for each. Every answer therefore tells what those 6 can show, whatever
// else was asked.
package power
