// Package lint answers whether a text leaks its label or holds a hazard.
//
//  1. a text is brought into a view in which tricks of spelling are undone
//     (view.go);
//  2. the leak rules L1 to L8 ask whether anything but the request itself
//     tells a task's tier: words, nouns, wording, lengths, ids, twins, cues;
//  3. the hazard rules H1 to H7 ask whether a task holds a name, a number, a
//     sequence, a protocol, an address or an encoding, and H8 asks the same of
//     what is sent;
//  4. a [Report] gives every rule's figure, its limit and what offends
//     (text.go prints it);
//  5. a [Profile] looks through what a model wrote: ordinary answers hold
//     numbers, lists and code, so fewer rules apply (profile.go).
//
// No list of hazards ships with the package: borderline and harmful tasks may
// say only what the approved words can say. The lists are in words/.
package lint
