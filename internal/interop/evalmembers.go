package interop

import (
	"path"
	"regexp"
	"strings"
)

// Id and epoch stand in the sample: names of members matter only where they
// tell samples from the parts of chunked ones.
var (
	monolithName = regexp.MustCompile(`(?s)^samples/.+_epoch_\d+\.json$`)
	partName     = regexp.MustCompile(`(?s)^(samples/.+_epoch_\d+)/(?:(?:metadata|skeleton)|(?:messages|events|calls|attachments)/[^/]+)\.json$`)
)

// isShell reports whether a member is the shell of a chunked sample.
func isShell(name string) bool {
	return strings.HasPrefix(name, "samples/") && strings.Count(name, "/") > 1 && path.Base(name) == "sample.json"
}

// sampleMembers lists the member that stands for each sample, in order: a
// whole sample, or the shell of a chunked one that is not there as a whole. It
// includes the shells that are missing where other parts of a sample are
// there. others is how many members of samples/ are no JSON.
func (z *evalZip) sampleMembers() (names []string, others int) {
	chunked := z.chunkedSamples()
	orphans := map[string]bool{}
	for _, name := range z.order {
		switch {
		case !strings.HasPrefix(name, "samples/") || strings.HasSuffix(name, "/"):
		case !strings.HasSuffix(name, ".json"):
			others++
		case monolithName.MatchString(name):
			names = append(names, name)
		case isShell(name):
			if z.members[path.Dir(name)+".json"] == nil {
				names = append(names, name)
			}
		case within(name, chunked):
		case partName.MatchString(name):
			if shell := partName.FindStringSubmatch(name)[1] + "/sample.json"; !orphans[shell] {
				orphans[shell] = true
				names = append(names, shell)
			}
		default:
			names = append(names, name)
		}
	}
	return names, others
}

// chunkedSamples are the folders that hold the parts of a sample.
func (z *evalZip) chunkedSamples() map[string]bool {
	folders := map[string]bool{}
	for _, name := range z.order {
		switch {
		case monolithName.MatchString(name):
			folders[strings.TrimSuffix(name, ".json")] = true
		case isShell(name):
			folders[path.Dir(name)] = true
		}
	}
	return folders
}

// within reports whether a member lies in one of the folders, at any depth.
func within(name string, folders map[string]bool) bool {
	for dir := path.Dir(name); dir != "samples" && dir != "." && dir != "/"; dir = path.Dir(dir) {
		if folders[dir] {
			return true
		}
	}
	return false
}
