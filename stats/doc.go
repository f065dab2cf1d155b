// Package stats says which number a clustered, paired sample gives, and with
// which interval.
//
// Its sample is a [Clustered]: values (paired differences, or plain scores) in
// clusters that are independent of each other, while values within a cluster
// need not be. Slices go in, results come out:
//
//  1. the mean and its closed-form interval: [Clustered.Interval], CR0 to CR3
//     sandwich errors with Satterthwaite degrees of freedom;
//  2. tests of no change: the exact sign flips [Clustered.SignFlipClusters] and
//     the wild cluster bootstrap [Clustered.WildTest];
//  3. resampling: [Clustered.BootT], [Clustered.BootClusters], [Clustered.Wild];
//  4. claims of no harm: [Clustered.NonInferiority], [Clustered.Equivalence];
//  5. several contrasts at once: [Holm], [MaxT], [Bands];
//  6. clusters crossed with raters: [Crossed];
//  7. what helps to read them: [Clustered.ICC], [DesignEffect],
//     [Clustered.LeaveOneOut], [Clustered.ClusterWeighted], [CrossCovariance];
//  8. figures that assume independent pairs, to compare with published ones:
//     [Clustered.PairsT], [Clustered.BootPairs], [Clustered.SignedRank];
//  9. counts: [McNemarTest], [Fisher], [Boschloo], [Wilson], [ClopperPearson];
//  10. how far raters agree: [Ratings], by coefficient, pair and rater;
//  11. a judge's predictions beside few labels: [Predicted], with PPI, PPI++ and
//     the judge's bias;
//  12. certificates of a risk budget, valid in samples of any size: [WSR],
//     [HoeffdingBentkus], [LargestCertifiable], [ZeroLossTasks] and, for the
//     expected risk only, [ConformalRisk];
//  13. what a study could show, before it is run: [Design], and what a
//     [Published] interval implies.
//
// Each says what it estimates, what it assumes, whether it is exact, and where
// it was published. What counts rows as independent says so in its name or first
// sentence.
//
// Estimators answer raw: whether a sample is large enough to print an interval
// is the caller's to decide. A number that does not exist is an error that says
// why; no function returns NaN or an infinity for a valid sample. Only the
// distributions and quantiles, such as [TQuantile], panic outside their domain.
//
// Everything random takes a seed and is keyed by the number of the replicate,
// so that results depend neither on GOMAXPROCS nor on how work is split. All
// types are immutable once made and safe for concurrent use.
package stats
