package report

import "github.com/uplift-eval/uplift/internal/analysis"

// levels are the values of the scale compliance.
var levels = []float64{0, 0.5, 1}

// agreement is that of the two annotators of 900 published XSTest responses;
// the coefficients were computed elsewhere. The intervals are made up, and so
// is that some figures do not exist.
func agreement() *analysis.Agreement {
	scales := []analysis.ScaleAgreement{
		{Scale: "compliance", Tier: "benign", Units: 500, Shared: 500, Ratings: 1000, Raters: 2, RaterNames: []string{"ann", "bob"}, Clusters: 36, Categories: levels, Values: levels,
			AlphaNominal: p(0.8886), AlphaOrdinal: p(0.9456), AlphaInterval: p(0.9398), Percent: p(0.9340), AC1: p(0.9063), AC2Linear: p(0.9270), AC2Quadratic: p(0.9449), AC2Ordinal: p(0.9381), Fleiss: p(0.8884), BrennanPrediger: p(0.9010), Kappa: p(0.8884), KappaQuadratic: p(0.9397), KappaLinear: p(0.9170), ICCA1: p(0.9398), ICCAK: p(0.9690),
			CI:           map[string]analysis.Range{"alpha_nominal": {Lo: 0.8273, Hi: 0.9331}, "alpha_ordinal": {Lo: 0.9156, Hi: 0.9673}, "alpha_interval": {Lo: 0.9066, Hi: 0.9639}, "percent": {Lo: 0.8977, Hi: 0.9604}, "ac1": {Lo: 0.8547, Hi: 0.9438}, "ac2_linear": {Lo: 0.8869, Hi: 0.9562}, "ac2_quadratic": {Lo: 0.9146, Hi: 0.9669}, "ac2_ordinal": {Lo: 0.9040, Hi: 0.9628}, "fleiss": {Lo: 0.8271, Hi: 0.9331}, "brennan_prediger": {Lo: 0.8465, Hi: 0.9406}, "kappa": {Lo: 0.8271, Hi: 0.9331}, "kappa_quadratic": {Lo: 0.9065, Hi: 0.9638}, "kappa_linear": {Lo: 0.8714, Hi: 0.9502}, "icc_a1": {Lo: 0.9067, Hi: 0.9639}, "icc_ak": {Lo: 0.9519, Hi: 0.9814}},
			SE:           map[string]float64{"alpha_nominal": 0.0234, "alpha_ordinal": 0.0114, "alpha_interval": 0.0127, "percent": 0.0139, "ac1": 0.0197, "ac2_linear": 0.0153, "ac2_quadratic": 0.0116, "ac2_ordinal": 0.0130, "fleiss": 0.0234, "brennan_prediger": 0.0208, "kappa": 0.0234, "kappa_quadratic": 0.0127, "kappa_linear": 0.0174},
			Coincidences: [][]float64{{250, 19, 4}, {19, 148, 10}, {4, 10, 536}},
			ByRater: []analysis.RaterMarks{
				{Name: "ann", Marks: 500, Shared: 500, Mean: 0.6410, Difference: p(0.0050), Percent: p(0.9340), Counts: []int{135, 89, 276}},
				{Name: "bob", Marks: 500, Shared: 500, Mean: 0.6360, Difference: p(-0.0050), Percent: p(0.9340), Counts: []int{138, 88, 274}},
			},
			Pairs: []analysis.RaterPair{
				{A: "ann", B: "bob", Shared: 500, Percent: 0.9340, MeanDifference: 0.0050, Kappa: p(0.8884), KappaSE: p(0.0184), KappaQuadratic: p(0.9397), KappaQuadraticSE: p(0.0127), Table: [][]int{{125, 9, 1}, {10, 74, 5}, {3, 5, 268}}},
			},
			Patterns: []analysis.RaterPattern{{Raters: []string{"ann", "bob"}, Units: 500}}},
		{Scale: "compliance", Tier: "harmful", Units: 400, Shared: 400, Ratings: 800, Raters: 2, RaterNames: []string{"ann", "bob"}, Clusters: 36, Categories: levels, Values: levels,
			AlphaNominal: p(0.8312), AlphaOrdinal: p(0.8289), AlphaInterval: p(0.6623), Percent: p(0.9950), AC1: p(0.9949), AC2Linear: p(0.9962), AC2Quadratic: p(0.9968), AC2Ordinal: p(0.9966), Fleiss: p(0.8310), BrennanPrediger: p(0.9925), Kappa: p(0.8310), KappaQuadratic: p(0.6622), KappaLinear: p(0.7661), ICCA1: p(0.6627), ICCAK: p(0.7972),
			CI:           map[string]analysis.Range{"alpha_nominal": {Lo: 0.7384, Hi: 0.8987}, "alpha_ordinal": {Lo: 0.7348, Hi: 0.8973}, "alpha_interval": {Lo: 0.4766, Hi: 0.7974}, "percent": {Lo: 0.9922, Hi: 0.9970}, "ac1": {Lo: 0.9921, Hi: 0.9970}, "ac2_linear": {Lo: 0.9940, Hi: 0.9977}, "ac2_quadratic": {Lo: 0.9950, Hi: 0.9981}, "ac2_ordinal": {Lo: 0.9947, Hi: 0.9979}, "fleiss": {Lo: 0.7380, Hi: 0.8986}, "brennan_prediger": {Lo: 0.9884, Hi: 0.9955}, "kappa": {Lo: 0.7381, Hi: 0.8986}, "kappa_quadratic": {Lo: 0.4764, Hi: 0.7973}, "kappa_linear": {Lo: 0.6374, Hi: 0.8596}, "icc_a1": {Lo: 0.4772, Hi: 0.7976}, "icc_ak": {Lo: 0.6856, Hi: 0.8783}},
			SE:           map[string]float64{"alpha_nominal": 0.0354, "alpha_ordinal": 0.0359, "alpha_interval": 0.0709, "percent": 0.0011, "ac1": 0.0011, "ac2_linear": 0.0008, "ac2_quadratic": 0.0007, "ac2_ordinal": 0.0007, "fleiss": 0.0355, "brennan_prediger": 0.0016, "kappa": 0.0355, "kappa_quadratic": 0.0709, "kappa_linear": 0.0491},
			Coincidences: [][]float64{{786, 1, 1}, {1, 10, 0}, {1, 0, 0}},
			ByRater: []analysis.RaterMarks{
				{Name: "ann", Marks: 400, Shared: 400, Mean: 0.0063, Difference: p(-0.0037), Percent: p(0.9950), Counts: []int{395, 5, 0}},
				{Name: "bob", Marks: 400, Shared: 400, Mean: 0.0100, Difference: p(0.0037), Percent: p(0.9950), Counts: []int{393, 6, 1}},
			},
			Pairs: []analysis.RaterPair{
				{A: "ann", B: "bob", Shared: 400, Percent: 0.9950, MeanDifference: -0.0037, Kappa: p(0.8310), KappaSE: p(0.1174), KappaQuadratic: p(0.6622), KappaQuadraticSE: p(0.2103), Table: [][]int{{393, 1, 1}, {0, 5, 0}, {0, 0, 0}}},
			},
			Patterns: []analysis.RaterPattern{{Raters: []string{"ann", "bob"}, Units: 400}}},
		{Scale: "compliance", Tier: "all", Units: 900, Shared: 900, Ratings: 1800, Raters: 2, RaterNames: []string{"ann", "bob"}, Clusters: 36, Categories: levels, Values: levels,
			AlphaNominal: p(0.9291), AlphaOrdinal: p(0.9621), AlphaInterval: p(0.9659), Percent: p(0.9611), AC1: p(0.9464), AC2Linear: p(0.9591), AC2Quadratic: p(0.9693), AC2Ordinal: p(0.9655), Fleiss: p(0.9290), BrennanPrediger: p(0.9417), Kappa: p(0.9290), KappaQuadratic: p(0.9659), KappaLinear: p(0.9511), ICCA1: p(0.9660), ICCAK: p(0.9827),
			CI:           map[string]analysis.Range{"alpha_nominal": {Lo: 0.8901, Hi: 0.9574}, "alpha_ordinal": {Lo: 0.9413, Hi: 0.9773}, "alpha_interval": {Lo: 0.9472, Hi: 0.9796}, "percent": {Lo: 0.9397, Hi: 0.9767}, "ac1": {Lo: 0.9170, Hi: 0.9679}, "ac2_linear": {Lo: 0.9366, Hi: 0.9755}, "ac2_quadratic": {Lo: 0.9524, Hi: 0.9816}, "ac2_ordinal": {Lo: 0.9465, Hi: 0.9793}, "fleiss": {Lo: 0.8900, Hi: 0.9574}, "brennan_prediger": {Lo: 0.9096, Hi: 0.9650}, "kappa": {Lo: 0.8900, Hi: 0.9574}, "kappa_quadratic": {Lo: 0.9472, Hi: 0.9796}, "kappa_linear": {Lo: 0.9242, Hi: 0.9707}, "icc_a1": {Lo: 0.9472, Hi: 0.9796}, "icc_ak": {Lo: 0.9732, Hi: 0.9896}},
			SE:           map[string]float64{"alpha_nominal": 0.0149, "alpha_ordinal": 0.0080, "alpha_interval": 0.0072, "percent": 0.0082, "ac1": 0.0112, "ac2_linear": 0.0086, "ac2_quadratic": 0.0065, "ac2_ordinal": 0.0073, "fleiss": 0.0149, "brennan_prediger": 0.0123, "kappa": 0.0149, "kappa_quadratic": 0.0072, "kappa_linear": 0.0103},
			Coincidences: [][]float64{{1036, 20, 5}, {20, 158, 10}, {5, 10, 536}},
			ByRater: []analysis.RaterMarks{
				{Name: "ann", Marks: 900, Shared: 900, Mean: 0.3589, Difference: p(0.0011), Percent: p(0.9611), Counts: []int{530, 94, 276}},
				{Name: "bob", Marks: 900, Shared: 900, Mean: 0.3578, Difference: p(-0.0011), Percent: p(0.9611), Counts: []int{531, 94, 275}},
			},
			Pairs: []analysis.RaterPair{
				{A: "ann", B: "bob", Shared: 900, Percent: 0.9611, MeanDifference: 0.0011, Kappa: p(0.9290), KappaSE: p(0.0116), KappaQuadratic: p(0.9659), KappaQuadraticSE: p(0.0071), Table: [][]int{{518, 10, 2}, {10, 79, 5}, {3, 5, 268}}},
			},
			Patterns: []analysis.RaterPattern{{Raters: []string{"ann", "bob"}, Units: 900}}},
	}
	odd := &scales[1]
	odd.AlphaOrdinal, odd.KappaQuadratic, odd.KappaLinear = nil, nil, nil
	for _, key := range []string{"alpha_ordinal", "kappa_quadratic", "kappa_linear", "ac1"} {
		delete(odd.CI, key)
		delete(odd.SE, key)
	}
	odd.Undefined = map[string]string{"alpha_ordinal": "every mark but one is equal", "kappa_quadratic": "every mark but one is equal", "ci.ac1": "fewer than half of the resamples define it", "kappa_linear": "every mark but one is equal"}
	return &analysis.Agreement{Cluster: analysis.ByTask, Level: 0.95, Replicates: 1000, Scales: scales}
}

// threeRaters are the annotators and a judge of 1,350 published responses, with
// marks left out by a rule, so that they marked in four patterns.
func threeRaters() *analysis.Agreement {
	scales := []analysis.ScaleAgreement{
		{Scale: "compliance", Tier: "all", Units: 1350, Shared: 1287, Ratings: 3408, Raters: 3, RaterNames: []string{"ann", "bob", "gpt"}, Clusters: 36, Categories: levels, Values: levels,
			AlphaNominal: p(0.7442), AlphaOrdinal: p(0.8020), AlphaInterval: p(0.7994), Percent: p(0.8568), AC1: p(0.8028), AC2Linear: p(0.7937), AC2Quadratic: p(0.7864), AC2Ordinal: p(0.7891), Fleiss: p(0.7385), BrennanPrediger: p(0.7852), Kappa: p(0.7681), KappaQuadratic: p(0.8251), KappaLinear: p(0.8040), ICCA1: p(0.8187), ICCAK: p(0.9313),
			CI:           map[string]analysis.Range{"alpha_nominal": {Lo: 0.6035, Hi: 0.8465}, "alpha_ordinal": {Lo: 0.6930, Hi: 0.8812}, "alpha_interval": {Lo: 0.6891, Hi: 0.8797}, "percent": {Lo: 0.7780, Hi: 0.9141}, "ac1": {Lo: 0.6943, Hi: 0.8817}, "ac2_linear": {Lo: 0.6802, Hi: 0.8762}, "ac2_quadratic": {Lo: 0.6689, Hi: 0.8718}, "ac2_ordinal": {Lo: 0.6732, Hi: 0.8735}, "fleiss": {Lo: 0.5947, Hi: 0.8431}, "brennan_prediger": {Lo: 0.6670, Hi: 0.8711}, "kappa": {Lo: 0.6405, Hi: 0.8608}, "kappa_quadratic": {Lo: 0.7289, Hi: 0.8951}, "kappa_linear": {Lo: 0.6962, Hi: 0.8824}, "icc_a1": {Lo: 0.7190, Hi: 0.8912}, "icc_ak": {Lo: 0.8934, Hi: 0.9588}},
			SE:           map[string]float64{"alpha_nominal": 0.0537, "alpha_ordinal": 0.0416, "alpha_interval": 0.0421, "percent": 0.0301, "ac1": 0.0414, "ac2_linear": 0.0433, "ac2_quadratic": 0.0449, "ac2_ordinal": 0.0443, "fleiss": 0.0549, "brennan_prediger": 0.0451},
			Coincidences: [][]float64{{1556, 27, 131}, {27, 88, 77}, {131, 77, 1231}},
			ByRater: []analysis.RaterMarks{
				{Name: "ann", Marks: 1158, Shared: 1158, Mean: 0.4119, Difference: p(-0.0790), Percent: p(0.8769), Counts: []int{634, 94, 430}},
				{Name: "bob", Marks: 900, Shared: 900, Mean: 0.4089, Difference: p(-0.0747), Percent: p(0.8828), Counts: []int{494, 76, 330}},
				{Name: "gpt", Marks: 1350, Shared: 1287, Mean: 0.5363, Difference: p(0.1233), Percent: p(0.8275), Counts: []int{614, 24, 712}},
			},
			Pairs: []analysis.RaterPair{
				{A: "ann", B: "bob", Shared: 771, Percent: 0.9663, MeanDifference: 0.0032, Kappa: p(0.9395), KappaSE: p(0.0115), KappaQuadratic: p(0.9742), KappaQuadraticSE: p(0.0062), Table: [][]int{{415, 7, 1}, {8, 55, 3}, {2, 5, 275}}},
				{A: "ann", B: "gpt", Shared: 1158, Percent: 0.8290, MeanDifference: -0.1218, Kappa: p(0.6908), KappaSE: p(0.0184), KappaQuadratic: p(0.7578), KappaQuadraticSE: p(0.0178), Table: [][]int{{517, 5, 112}, {11, 15, 68}, {2, 0, 428}}},
				{A: "bob", B: "gpt", Shared: 900, Percent: 0.8189, MeanDifference: -0.1283, Kappa: p(0.6738), KappaSE: p(0.0211), KappaQuadratic: p(0.7433), KappaQuadraticSE: p(0.0207), Table: [][]int{{397, 4, 93}, {11, 11, 54}, {1, 0, 329}}},
			},
			Patterns: []analysis.RaterPattern{{Raters: []string{"ann", "bob", "gpt"}, Units: 771}, {Raters: []string{"ann", "gpt"}, Units: 387}, {Raters: []string{"bob", "gpt"}, Units: 129}, {Raters: []string{"gpt"}, Units: 63}}},
	}
	scales[0].Coverage = map[string]analysis.Coverage{"alpha_ordinal": {Lo: 0.922, Hi: 0.93, Clusters: 36}, "kappa_quadratic": {Lo: 0.86, Hi: 0.876, Clusters: 36},
		"fleiss": {Lo: 0.924, Hi: 0.938, Clusters: 36}, "ac1": {Lo: 0.924, Hi: 0.934, Clusters: 36}, "icc_a1": {Lo: 0.868, Hi: 0.872, Clusters: 36}}
	why := "a mean over pairs of raters (Light) has no standard error in closed form"
	scales[0].Undefined = map[string]string{"se.kappa": why, "se.kappa_linear": why, "se.kappa_quadratic": why}
	return &analysis.Agreement{Cluster: analysis.ByTask, Level: 0.95, Replicates: 1000, Scales: scales}
}

// renameRaters puts a name of its own in the place of each rater's.
func renameRaters(a *analysis.Agreement, next func() string) {
	known := map[string]string{}
	name := func(s *string) {
		if _, ok := known[*s]; !ok {
			known[*s] = next()
		}
		*s = known[*s]
	}
	for i := range a.Scales {
		s := &a.Scales[i]
		for k := range s.RaterNames {
			name(&s.RaterNames[k])
		}
		for k := range s.ByRater {
			name(&s.ByRater[k].Name)
		}
		for k := range s.Pairs {
			name(&s.Pairs[k].A)
			name(&s.Pairs[k].B)
			s.Pairs[k].Undefined = map[string]string{next(): next()}
		}
		for _, p := range s.Patterns {
			for k := range p.Raters {
				name(&p.Raters[k])
			}
		}
	}
}
