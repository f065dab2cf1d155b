package lint

import "strings"

// chain looks for sequences in what a model wrote (H4): neighbours parted by a
// space, a hyphen or a line end are read as one.
type chain struct {
	s           *signals
	at          int
	nucleotides string
	groups      int // of these
	strange     int // groups in capitals or outside English
	marks       int // groups that are start or stop codons
	residues    string
	codes       int // amino acids in codes of three letters
	codesAt     int
}

func (c *chain) next(word, gap string, at int) {
	joined := gap == " " || gap == "-" || gap == "\n"
	c.codons(word, joined, at)
	c.protein(word, joined, at)
	c.triplets(word, gap, at)
}

// codons gathers nucleotide letters. A word of English ends the run unless it
// is in capitals or of three letters, as codons are.
func (c *chain) codons(word string, joined bool, at int) {
	upper := strings.ToUpper(word)
	strange := capitals(word) || !known(word)
	whole := len(word) > 2 && only(upper, nucleotideLetters) && (capitals(word) || lower(word) && (strange || len(word) == 3))
	if !whole || !joined || c.nucleotides == "" || len(c.nucleotides) > 1<<10 { // then enough is seen
		c.closeNucleotides()
		c.at = at
	}
	switch {
	case whole:
		c.nucleotides += upper
		c.groups++
		c.strange += int(one(strange))
		c.marks += int(one(startStop[upper]))
	case longest(upper, nucleotideLetters) >= nucleotides && varied(upper) && strange:
		c.s.add("H4", "nucleotide letters", at)
	}
}

// startStop are the codons that begin and end: to name them is ordinary.
var startStop = wordsOf("AUG ATG UAA UAG UGA TAA TAG TGA")

func (c *chain) closeNucleotides() {
	if len(c.nucleotides) >= nucleotides && varied(c.nucleotides) && 2*c.strange >= c.groups && c.marks < c.groups {
		c.s.add("H4", "nucleotide letters", c.at)
	}
	c.nucleotides, c.groups, c.strange, c.marks = "", 0, 0, 0
}

// varied reports three different nucleotides: "aaaaaaaa" is a cry.
func varied(letters string) bool {
	n := 0
	for i := range len(nucleotideLetters) {
		if strings.IndexByte(letters, nucleotideLetters[i]) >= 0 {
			n++
		}
	}
	return n >= 3
}

// protein gathers amino-acid letters in capitals.
func (c *chain) protein(word string, joined bool, at int) {
	part := len(word) >= 5 && capitals(word) && only(word, aminoLetters) && !known(word)
	if part && joined && c.residues != "" && len(c.residues) < 1<<10 {
		c.residues += word
		return
	}
	c.closeProtein(at)
	if part {
		c.residues = word
	}
}

func (c *chain) closeProtein(at int) {
	if len(c.residues) >= aminoAcids && unlike(c.residues) {
		c.s.add("H4", "amino-acid letters", max(0, at-len(c.residues)))
	}
	c.residues = ""
}

// fewCodes is the number of codes of three letters, joined or parted by hyphens
// or blanks, that make a sequence.
const fewCodes = 6

// triplets counts codes such as Ala-Gly-Ser.
func (c *chain) triplets(word, gap string, at int) {
	n := codesIn(word)
	if n == 0 {
		c.codes = 0
		return
	}
	if c.codes == 0 || gap != "-" && gap != "–" && gap != " " && gap != "\n" {
		c.codes, c.codesAt = 0, at
	}
	if before := c.codes; before < fewCodes && before+n >= fewCodes {
		c.s.add("H4", "amino-acid codes", c.codesAt)
	}
	c.codes += n
}

// codesIn is the number of codes that a word is made of; 0 for another word.
func codesIn(word string) int {
	if len(word)%3 != 0 {
		return 0
	}
	for i := 0; i < len(word); i += 3 {
		code := word[i : i+3]
		if !residueCodes[code] && !(capitals(code) && residueCodes[code[:1]+strings.ToLower(code[1:])]) {
			return 0
		}
	}
	return len(word) / 3
}

var residueCodes = wordsOf("Ala Arg Asn Asp Cys Gln Glu Gly His Ile Leu Lys Met Phe Pro Ser Thr Trp Tyr Val")

func (c *chain) end() {
	c.closeNucleotides()
	c.closeProtein(c.at)
}
