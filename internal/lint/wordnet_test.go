package lint

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// wordnet is what english.txt takes from WordNet 3.0: the senses of a lemma
// with how often each was met in tagged text.
type wordnet struct {
	synsets map[key]synset
	index   map[byte]map[string][]key // part of speech, lemma -> its senses, the most frequent first
	count   map[string]int            // lemma, part of speech, number of the sense
	odd     map[byte]map[string][]string
}

// key is a part of speech (n, v, a, r) and an offset.
type key struct {
	pos    byte
	offset string
}

// synset is one meaning.
type synset struct {
	category int // of the lexicographers' files
	word     string
	links    []link
}

// link is a pointer to another meaning: "@" to a wider one, ";c" to a topic,
// "+" to a derived form, "\" to what an adjective pertains to.
type link struct {
	kind string
	to   key
}

var speech = map[byte]string{'n': "noun", 'v': "verb", 'a': "adj", 'r': "adv"}

// categories are the lexicographers' files, by number.
var categories = strings.Fields(`adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute
	noun.body noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive
	noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape
	noun.state noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition
	verb.consumption verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social
	verb.stative verb.weather adj.ppl`)

// wordnetFiles are those of the database that are read.
var wordnetFiles = strings.Fields("data.noun data.verb data.adj data.adv index.noun index.verb index.adj index.adv noun.exc verb.exc adj.exc adv.exc cntlist.rev")

// readWordNet reads the database files of a directory.
func readWordNet(dir string) (*wordnet, error) {
	w := &wordnet{synsets: map[key]synset{}, index: map[byte]map[string][]key{}, count: map[string]int{}, odd: map[byte]map[string][]string{}}
	for _, pos := range []byte("nvar") {
		w.index[pos], w.odd[pos] = map[string][]key{}, map[string][]string{}
		for name, read := range map[string]func(byte, []string){"data.": w.data, "index.": w.lemma} {
			if err := fields(filepath.Join(dir, name+speech[pos]), func(f []string) { read(pos, f) }); err != nil {
				return nil, err
			}
		}
		err := fields(filepath.Join(dir, speech[pos]+".exc"), func(f []string) { w.odd[pos][f[0]] = append(w.odd[pos][f[0]], f[1:]...) })
		if err != nil {
			return nil, err
		}
	}
	return w, fields(filepath.Join(dir, "cntlist.rev"), w.tagged)
}

// fields calls yield for each line that is no part of the licence at the head.
func fields(path string, yield func([]string)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if line, _, _ := strings.Cut(s.Text(), " | "); line != "" && line[0] != ' ' {
			yield(strings.Fields(line))
		}
	}
	return s.Err()
}

func (w *wordnet) data(pos byte, f []string) {
	words, _ := strconv.ParseInt(f[3], 16, 0)
	at := 4 + 2*int(words)
	links, _ := strconv.Atoi(f[at])
	s := synset{word: strings.ToLower(f[4])}
	s.category, _ = strconv.Atoi(f[1])
	for i := range links {
		l := f[at+1+4*i:]
		s.links = append(s.links, link{l[0], key{l[2][0], l[1]}})
	}
	w.synsets[key{pos, f[0]}] = s
}

func (w *wordnet) lemma(pos byte, f []string) {
	pointers, _ := strconv.Atoi(f[3])
	for _, offset := range f[6+pointers:] {
		w.index[pos][f[0]] = append(w.index[pos][f[0]], key{pos, offset})
	}
}

// tagged reads "lemma%type:...  sense count".
func (w *wordnet) tagged(f []string) {
	lemma, rest, _ := strings.Cut(f[0], "%")
	pos := " nvara"[rest[0]-'0']
	if rest[0] == '4' {
		pos = 'r'
	}
	n, _ := strconv.Atoi(f[2])
	w.count[fmt.Sprint(lemma, " ", string(pos), " ", f[1])] = n
}

// endings are WordNet's rules of detachment.
var endings = map[byte][][2]string{
	'n': {{"s", ""}, {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}},
	'v': {{"s", ""}, {"ies", "y"}, {"es", "e"}, {"es", ""}, {"ed", "e"}, {"ed", ""}, {"ing", "e"}, {"ing", ""}},
	'a': {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}},
}

func (w *wordnet) lemmas(pos byte, word string) []string {
	out := append([]string{word}, w.odd[pos][word]...)
	if len(out) > 1 {
		return out
	}
	for _, e := range endings[pos] {
		if stem, ok := strings.CutSuffix(word, e[0]); ok {
			out = append(out, stem+e[1])
		}
	}
	return out
}

// sense is one meaning of a word with its count.
type sense struct {
	key
	count, number int
}

// main is a word's most frequent meaning over all parts of speech; false when
// WordNet does not know the word.
func (w *wordnet) main(word string) (sense, bool) {
	all := w.senses(word)
	if len(all) == 0 {
		return sense{}, false
	}
	return slices.MaxFunc(all, func(a, b sense) int {
		return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(b.number, a.number))
	}), true
}

// senses are all meanings of a word.
func (w *wordnet) senses(word string) []sense {
	var all []sense
	for _, pos := range []byte("nvar") {
		for _, lemma := range w.lemmas(pos, word) {
			for i, k := range w.index[pos][lemma] {
				all = append(all, sense{k, w.count[fmt.Sprint(lemma, " ", string(pos), " ", i+1)], i + 1})
			}
		}
	}
	return all
}

// under reports whether a meaning is another one or narrower.
func (w *wordnet) under(k key, wider []key) bool {
	if slices.Contains(wider, k) {
		return true
	}
	for _, l := range w.synsets[k].links {
		if (l.kind == "@" || l.kind == "@i") && w.under(l.to, wider) {
			return true
		}
	}
	return false
}

// group is a kind of thing that the lexicographers' files do not part from others.
type group struct {
	name  string
	roots []string // lemma#number of the sense, of nouns
}

var groups = []group{
	{"illness", []string{"disease#1", "illness#1", "ill_health#1", "pathology#2", "pathological_state#1", "injury#1", "symptom#1",
		"infection#3", "infection#4", "contagion#2", "poisoning#1", "poisoning#2", "deadliness#1"}},
	{"weapon", []string{"weapon#1", "weaponry#1", "explosive#1", "ammunition#1", "explosion#1", "explosion#2"}},
	{"drug", []string{"drug#1", "medicine#2", "antigen#1", "immunogen#1", "poison#1"}},
	{"unit", []string{"unit_of_measurement#1"}},
	{"number", []string{"number#2"}},
	{"equipment", []string{"equipment#1", "apparatus#1", "instrument#1", "device#1", "machine#1", "container#1", "appliance#2", "home_appliance#1",
		"edge_tool#1", "vehicle#1"}},
}

// grave are the groups whose derived words go with them, however usual.
var grave = []string{"illness", "weapon", "drug"}

// topics are those whose terms form a kind of their own.
var topics = strings.Fields(`chemistry physical_chemistry biochemistry biology microbiology genetics immunology physiology anatomy
	histology embryology pathology pharmacology medicine metallurgy weaponry botany zoology nuclear_physics terrorism`)

// usual is the count from which a word is so usual in its main meaning that
// its ties ("remove" and "remover") and its second meanings say little.
const usual = 5

// kind is the category of a word's main meaning, or the group, topic or tie
// that says more. A word that is rare in its main meaning, and of which the
// first or second meaning of a part of speech is a thing, is "rare." and that.
func (w *wordnet) kind(word string) string {
	m, ok := w.main(word)
	if !ok {
		return "-"
	}
	if special := w.special(m); special != "" {
		return special
	}
	main := categories[w.synsets[m.key].category]
	if m.count >= usual || things[main] {
		return main
	}
	for _, s := range w.senses(word) {
		special, category := w.special(s), categories[w.synsets[s.key].category]
		switch {
		case s.number > 2:
		case things[category]:
			return "rare." + category
		case special != "" && special != "equipment" && (!strings.HasPrefix(special, "of.") || slices.Contains(grave, special[len("of."):])):
			return "rare." + special
		}
	}
	return main
}

// special is the group, topic or tie of a meaning; empty when there is none.
func (w *wordnet) special(m sense) string {
	if g := w.group(m.key); g != "" {
		return g
	}
	for _, l := range w.synsets[m.key].links {
		to := w.synsets[l.to]
		switch {
		case l.kind == "+" && slices.Contains(grave, w.group(l.to)):
			return "of." + w.group(l.to)
		case l.kind == ";c" && slices.Contains(topics, to.word):
			return "topic." + to.word
		case l.kind == `\` && things[categories[to.category]], l.kind == "+" && m.pos != 'n' && m.count < usual && things[categories[to.category]]:
			return "of." + categories[to.category]
		}
	}
	return ""
}

// group is the group of a meaning; empty for none.
func (w *wordnet) group(k key) string {
	for _, g := range groups {
		if k.pos == 'n' && w.under(k, w.roots(g)) {
			return g.name
		}
	}
	return ""
}

// things are the categories whose derived words go with them.
var things = map[string]bool{"noun.animal": true, "noun.plant": true, "noun.body": true, "noun.substance": true, "noun.food": true, "noun.process": true}

func (w *wordnet) roots(g group) []key {
	var out []key
	for _, r := range g.roots {
		lemma, number, _ := strings.Cut(r, "#")
		n, _ := strconv.Atoi(number)
		out = append(out, w.index['n'][lemma][n-1])
	}
	return out
}
