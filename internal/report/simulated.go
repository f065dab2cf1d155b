package report

// nobody says who took no part in what is simulated. Labels that were brought in
// may be those of people.
func nobody(broughtIn bool) string {
	if broughtIn {
		return "no model took part; labels of its responses were brought in"
	}
	return "no model and no person took part"
}

// simulatedMarks says whose the marks of simulated responses are.
func simulatedMarks(broughtIn bool) string {
	if broughtIn {
		return "nothing here says anything about a real model"
	}
	return "the marks are those of simulated raters"
}
