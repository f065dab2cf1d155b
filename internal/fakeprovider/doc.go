// Package fakeprovider answers how providers behave, on good days and bad.
//
// A [Provider] is an http.Handler that speaks four wire forms on loopback, whole
// and streamed: Anthropic Messages, Gemini generateContent, OpenAI chat
// completions (and Azure's path to them) and OpenAI Responses. It is for tests
// and measurements of clients.
//
//  1. a request is read in its form, and counted by the digest of path and body;
//  2. one draw from the seed, that digest and how often it came decides what
//     goes wrong, so that the first attempt of a request fails or not however
//     requests interleave, and a second one has a draw of its own;
//  3. the text is drawn from model, system prompt and messages, or a script says it;
//  4. the form writes it, and the fault spoils status, body or connection;
//  5. a reply that was written to its end counts as delivered.
//
// The counts are [Provider.Stats], and as JSON at /__fake/stats.
package fakeprovider
