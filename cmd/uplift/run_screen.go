package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uplift-eval/uplift/internal/evidence"
)

// screening is the data of a screen entry: from here on what comes back is also
// looked through with an operator's list. It tells which list without its words.
type screening struct {
	Command     string `json:"command"`
	StudyDigest string `json:"study_digest"`
	List        string `json:"list"`              // HMAC-SHA-256 of the file's bytes; the key is StudyDigest, in hex as it stands here
	Changed     bool   `json:"changed,omitempty"` // another list was used before
}

// screened gives the screening by a list, in the study as it is.
func (s *studyDir) screened(list []byte) screening {
	return screening{Command: runCommand, StudyDigest: s.plan.Digest(), List: listMark(s.plan.Digest(), list)}
}

func listMark(studyDigest string, list []byte) string {
	mac := hmac.New(sha256.New, []byte(studyDigest))
	mac.Write(list)
	return hex.EncodeToString(mac.Sum(nil))
}

// by reports whether the screening was by a list. The key is that of the entry,
// so that an amended study still knows its list.
func (x screening) by(list []byte) bool { return x.List == listMark(x.StudyDigest, list) }

// lastScreening is the newest screen entry; ok is false where there is none. One
// that cannot be read was by a list that nobody has.
func lastScreening(entries []evidence.Entry) (last screening, ok bool) {
	for _, e := range entries {
		if e.Kind == evidence.KindScreen {
			last, ok = screening{}, true
			if json.Unmarshal(e.Data, &last) != nil {
				last = screening{}
			}
		}
	}
	return last, ok
}

// screen compares the flags with the list that earlier runs were screened by, and
// gives the entry that must be written before anything is asked; nil: none.
func (s *studyDir) screen(f *runFlags, entries []evidence.Entry) (*screening, error) {
	last, ok := lastScreening(entries)
	now := s.screened(f.operatorList)
	switch {
	case !ok && f.operatorFile == "":
		return nil, nil
	case !ok:
		return &now, nil
	case f.operatorFile == "":
		return nil, hint(fmt.Errorf("%s: earlier runs looked through the replies with an operator's list, and this one has none", s.dir),
			"give the same file: uplift run %s --operator-list FILE; another one goes with --new-operator-list, which is recorded", s.dir)
	case last.by(f.operatorList):
		return nil, nil
	case !f.newOperatorList:
		return nil, hint(fmt.Errorf("%s: --operator-list: %s is not the list that earlier runs looked through the replies with", s.dir, f.operatorFile),
			"give the same file, byte for byte; or add --new-operator-list, which is recorded")
	}
	now.Changed = true
	return &now, nil
}

// checkScreen wants the list of earlier runs, and writes nothing.
func (s *studyDir) checkScreen(f *runFlags) error {
	log, err := evidence.Open(s.logPath())
	if err == nil {
		_, err = s.screen(f, log.Entries())
	}
	return err
}

// keepScreen records by which list replies are screened from here on.
func (a *asking) keepScreen(env *Env) error {
	if a.flags.operatorFile == "" {
		return nil
	}
	log, err := evidence.Open(a.logPath())
	if err != nil {
		return err
	}
	entry, err := a.screen(&a.flags, log.Entries())
	if err != nil || entry == nil {
		return err
	}
	_, err = log.Append(evidence.KindScreen, entry, env.Now())
	return hint(err, "that a list is used is recorded in %s, which must be writable", evidence.File)
}

// again is the command that goes on with a study, with the list that it must have.
func (a *asking) again() string {
	if a.flags.operatorFile == "" {
		return "uplift run " + a.dir
	}
	return "uplift run " + a.dir + " --operator-list " + a.flags.operatorFile
}

// screenNote says for people what a screen entry means.
func screenNote(e evidence.Entry) string {
	which, when := "an operator's list", e.Time.Format(time.RFC3339)
	x, _ := lastScreening([]evidence.Entry{e})
	if x.Changed {
		which = "another operator's list than before"
	}
	return fmt.Sprintf("replies are looked through with %s (HMAC %.12s) from %s on", which, x.List, when)
}
