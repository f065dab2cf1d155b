package stats

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkPeers times what the shared folder's peers/stats/run.sh times of R
// boot and scipy: percentile and BCa of a mean of n paired differences, on the
// same data. From that folder, on one core:
//
//	./run.sh 'cd MODULE && go test ./stats -run=- -bench=Peers -cpu=1'
//
// Each case prints a line in the peers' form, "tool,n,B,what,seconds", which a
// person can set beside theirs: once as BootPairs answers, from the values on,
// and once made to resample by index, as the peers do. The data lie in
// $UPLIFT_SHARED, or in ../shared beside the module; without them it skips.
func BenchmarkPeers(b *testing.B) {
	for _, n := range []int{49, 5000} {
		values := peerData(b, n)
		for _, replicates := range []int{10_000, 100_000} {
			r := Resample{B: replicates, Seed: 1, Level: 0.95}
			b.Run(fmt.Sprintf("n=%d/B=%d", n, replicates), func(b *testing.B) {
				benchPeer(b, "BootPairs", n, r, func() (Bootstrap, error) {
					return sampleOf(b, values, indices(n)).BootPairs(r)
				})
			})
			b.Run(fmt.Sprintf("n=%d/B=%d/index", n, replicates), func(b *testing.B) {
				benchPeer(b, "by index", n, r, func() (Bootstrap, error) {
					t := sampleOf(b, values, indices(n)).singletons()
					mean, size := t.mean()
					acc, _ := t.acceleration(mean, size)
					return intervals(t, r, t.meansByIndex(r), mean, acc), nil
				})
			})
		}
	}
}

func benchPeer(b *testing.B, what string, n int, r Resample, run func() (Bootstrap, error)) {
	b.Helper()
	var got Bootstrap
	for b.Loop() {
		var err error
		if got, err = run(); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("\nuplift %s (percentile+BCa),%d,%d,all,%.4f\n# CI %v %v %v %v", what, n, r.B,
		b.Elapsed().Seconds()/float64(b.N), got.Percentile.Lo, got.Percentile.Hi, got.BCa.Lo, got.BCa.Hi)
}

// peerData reads one difference a line.
func peerData(b *testing.B, n int) []float64 {
	b.Helper()
	shared := os.Getenv("UPLIFT_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(shared, "peers", "stats", "data", fmt.Sprintf("bench_%d.txt", n)))
	if errors.Is(err, fs.ErrNotExist) {
		b.Skipf("no peers' data: %v (set UPLIFT_SHARED)", err)
	}
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var values []float64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		v, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			b.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}
