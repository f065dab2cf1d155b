// Package analysis answers what the labels say: how far each access condition
// moved each endpoint, with which interval, and how far to believe it.
//
// It works in twelve steps.
//
//  1. read: responses and labels stream in from a [Source]; names become small
//     integers in the order of their names, so that no result depends on the
//     order of the rows;
//  2. divide: what was locked is the headline, and test-b, adaptive probes and
//     the splits of development stand apart; each part takes the steps that
//     follow as if there were no other;
//  3. grade: one grader is chosen for each scale, people before judges;
//  4. lay out: rows are sorted by model, item, replicate and condition, so that
//     the cells that match each other stand side by side;
//  5. match: for every model, condition and endpoint the pairs of cells with
//     the same model, item and replicate that both carry a label;
//  6. estimate: package stats gives the paired difference, its CR2 interval,
//     exact sign-flip p, the tests against the study's margin and the sensitivity
//     intervals;
//  7. guard: intervals that the data cannot carry are withheld, and every
//     number takes its warnings along (guards live here, estimators in stats),
//     and the marks that say why it is none of the locked plan's;
//  8. see: the difference as single raters saw it, from their own marks; a text
//     that stands for several responses was marked for all of them;
//  9. adjust: the contrasts of one endpoint are a family, whose tests are
//     adjusted together;
//  10. describe: means, outcomes and refusal by condition;
//  11. place: the frontier of utility and risk, with joint regions;
//  12. take apart: where a controller's change comes from, by score and by
//     action, and what is left of it without some of its cues.
//
// [Run] takes all of them. [Pairs] stops after the fifth and gives the rows from
// which every headline can be computed again elsewhere. [Agree] asks instead how
// far the raters agree. [Full] gives all three from one reading of the source.
//
// Nothing here depends on the clock, on map order or on GOMAXPROCS: equal
// rows, options and seed give equal bytes.
package analysis
