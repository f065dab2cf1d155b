// Package stats says which number a clustered, paired sample gives, and with
// which interval.
//
// Its sample is a [Clustered]: values (paired differences, or plain scores) in
// clusters that are independent of each other, while values within a cluster
// need not be. Slices go in, results come out:
//
//  1. the mean and its closed-form interval: [Clustered.Interval], CR0 to CR3
//     sandwich errors with Satterthwaite degrees of freedom;
//  2. the exact sign-flip test: [Clustered.SignFlipClusters];
//  3. resampling: [Clustered.BootT], [Clustered.BootClusters] and, to compare
//     with figures that assume independent pairs, [Clustered.BootPairs];
//  4. what helps to read them: [Clustered.ICC], [DesignEffect],
//     [Clustered.LeaveOneOut], [Clustered.ClusterWeighted], [CrossCovariance];
//  5. counts: [McNemar], [Wilson];
//  6. how far raters agree: [Ratings].
//
// Estimators answer raw: whether a sample is large enough to print an interval
// is the caller's to decide. A number that does not exist is an error that says
// why; no function returns NaN or an infinity for a valid sample.
//
// Everything random takes a seed and is keyed by the number of the replicate,
// so that results depend neither on GOMAXPROCS nor on how work is split. All
// types are immutable once made and safe for concurrent use.
package stats
