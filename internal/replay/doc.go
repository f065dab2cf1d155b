// Package replay answers whether what is stored follows from its bytes, without
// sending anything.
//
//  1. [Transport] stands where the network was: it gives a provider's client the
//     body, status and headers that are kept of an attempt, and nothing else;
//  2. each call that a stored response needs is read again from the bodies of its
//     attempts, by the code that read them first, and compared field by field;
//     a simulated model is drawn from again instead;
//  3. each stored response is walked again with the stored calls, and what the
//     user saw is compared with what is stored;
//  4. a cell is reproduced, or it differs, or the bytes for it are not there: a
//     [Report] counts the three, which are never mixed.
//
// [Recontrol] walks the stored responses in the same way under a changed
// controller.
package replay
