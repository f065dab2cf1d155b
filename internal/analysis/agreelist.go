package analysis

// Figure is one coefficient of agreement by its JSON name; a nil value is not
// defined.
type Figure struct {
	Name  string
	Value *float64
}

// Figures lists every coefficient, in the order of the JSON.
func (s *ScaleAgreement) Figures() []Figure {
	out := []Figure{}
	for _, f := range s.places() {
		out = append(out, Figure{f.name, *f.at})
	}
	return out
}

// place of a coefficient by its JSON name.
type figurePlace struct {
	name string
	at   **float64
}

func (s *ScaleAgreement) places() []figurePlace {
	return []figurePlace{
		{"percent", &s.Percent},
		{"alpha_nominal", &s.AlphaNominal}, {"alpha_ordinal", &s.AlphaOrdinal}, {"alpha_interval", &s.AlphaInterval}, {"alpha_ratio", &s.AlphaRatio},
		{"kappa", &s.Kappa}, {"kappa_linear", &s.KappaLinear}, {"kappa_quadratic", &s.KappaQuadratic},
		{"fleiss", &s.Fleiss}, {"brennan_prediger", &s.BrennanPrediger},
		{"ac1", &s.AC1}, {"ac2_linear", &s.AC2Linear}, {"ac2_quadratic", &s.AC2Quadratic}, {"ac2_ordinal", &s.AC2Ordinal},
		{"icc_a1", &s.ICCA1}, {"icc_ak", &s.ICCAK},
	}
}
