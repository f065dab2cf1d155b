package rating

import (
	"fmt"
	"strings"
	"testing"
)

// The digest was computed by another program. A change of the text needs a new
// version, and then a new digest here.
func TestRubricIsPinned(t *testing.T) {
	pinned := map[int]string{1: "ce3eb9a38af8950d411257a26068f41951edfdb270da156a7eaad38dbd4bdd58"}
	if got := RubricDigest(); got != pinned[RubricVersion] {
		t.Errorf("version %d: got %s, want %s", RubricVersion, got, pinned[RubricVersion])
	}
	if !strings.HasPrefix(Rubric(), fmt.Sprintf("# Rubric, version %d\n", RubricVersion)) {
		t.Errorf("the text begins with %.40q", Rubric())
	}
}

// Every scale has its five levels.
func TestRubricHasEveryLevel(t *testing.T) {
	text := strings.ToLower(Rubric())
	for _, scale := range Scales() {
		_, section, found := strings.Cut(text, "## "+scale+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for level := range 5 {
			if !found || strings.Count(section, fmt.Sprintf("\n- %d: ", level)) != 1 {
				t.Errorf("%s: level %d is missing, or stands twice", scale, level)
			}
		}
	}
}
