// Package report answers one question: how is an analysis shown? It computes
// no statistic. It rounds, words and lays out what [analysis.Result] holds:
//
//  1. [Text] is the terminal table of `uplift analyze`;
//  2. [Markdown], [CSV] and [LaTeX] are the contrast table for other documents;
//  3. [HTML] is the whole study as one self-contained page;
//  4. [Frontier] and [Forest] are figures for papers, as SVG, PDF or PNG;
//  5. [PairsCSV] and [RScript] let others compute the headline again.
//
// Names and texts are untrusted everywhere: they never become markup, and
// control or direction characters in them are shown as their code points.
// The same input gives the same bytes.
package report
