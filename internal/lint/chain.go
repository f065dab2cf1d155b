package lint

import "strings"

// chain looks for sequences in what a model wrote (H4): neighbours parted by a
// space, a hyphen or a line end are read as one.
type chain struct {
	s           *signals
	at          int
	nucleotides string
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
// is in capitals, as codons are.
func (c *chain) codons(word string, joined bool, at int) {
	upper := word
	if !capitals(word) {
		upper = strings.ToUpper(word)
	}
	whole := len(word) > 2 && only(upper, nucleotideLetters) && (capitals(word) || lower(word) && !known(word))
	switch {
	case whole && joined && c.nucleotides != "":
		c.nucleotides += upper
	default:
		c.closeNucleotides()
		if whole {
			c.nucleotides, c.at = upper, at
		} else if longest(upper, nucleotideLetters) >= nucleotides && varied(upper) && !known(word) {
			c.s.add("H4", "nucleotide letters", at)
		}
	}
	if len(c.nucleotides) > 1<<10 { // enough is seen
		c.closeNucleotides()
	}
}

func (c *chain) closeNucleotides() {
	if len(c.nucleotides) >= nucleotides && varied(c.nucleotides) {
		c.s.add("H4", "nucleotide letters", c.at)
	}
	c.nucleotides = ""
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

// fewCodes is the number of codes of three letters, joined by hyphens, that
// make a sequence.
const fewCodes = 6

// triplets counts codes such as Ala-Gly-Ser.
func (c *chain) triplets(word, gap string, at int) {
	if !residueCodes[word] {
		c.codes = 0
		return
	}
	if gap != "-" || c.codes == 0 {
		c.codes, c.codesAt = 0, at
	}
	if c.codes++; c.codes == fewCodes {
		c.s.add("H4", "amino-acid codes", c.codesAt)
	}
}

var residueCodes = wordsOf("Ala Arg Asn Asp Cys Gln Glu Gly His Ile Leu Lys Met Phe Pro Ser Thr Trp Tyr Val")

func (c *chain) end() {
	c.closeNucleotides()
	c.closeProtein(c.at)
}
