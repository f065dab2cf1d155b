package analysis

// separate deals the rows of a settled reader to n readers: those of item i to
// reader places[i]. Each knows the names of its own rows alone, so that nothing
// in it tells that there are others; ids stay the ranks of names and rows stay
// sorted. The first reader takes r's memory over, and is r itself when it is the
// only one.
func (r *reader) separate(places []int, n int) []*reader {
	if n == 1 {
		return []*reader{r}
	}
	seen := r.see(places, n)
	out, to := make([]*reader, n), make([]renaming, n)
	for i := range out {
		out[i] = &reader{simulated: r.simulated}
		to[i] = out[i].take(r, seen[i])
	}
	items := make([]int32, len(places))
	for i, it := range r.items.list {
		own, id := out[places[i]], to[places[i]]
		items[i] = int32(len(own.items.list))
		it.task, it.attack = id.tasks[it.task], id.attacks[it.attack]
		own.items.list = append(own.items.list, it)
	}
	responses, marks := r.responses, r.marks
	out[0].responses, out[0].marks = responses[:0], marks[:0]
	for _, x := range responses {
		own, id := out[places[x.item()]], to[places[x.item()]]
		own.responses = append(own.responses, response{id.key(x.key, items), id.outcomes[x.outcome]})
	}
	for _, m := range marks {
		own, id := out[places[m.item()]], to[places[m.item()]]
		own.marks = append(own.marks, mark{id.key(m.key, items), id.outcomes[m.outcome], id.scales[m.scale], id.graders[m.grader], m.value})
	}
	return out
}

// sight marks the names that some rows use, by id.
type sight struct {
	models, conditions, tasks, attacks []bool
	scales, graders, outcomes          []bool
}

// see marks the names of each of n readers.
func (r *reader) see(places []int, n int) []sight {
	seen := make([]sight, n)
	for i := range seen {
		seen[i] = sight{make([]bool, len(r.models.list)), make([]bool, len(r.conditions.list)), make([]bool, len(r.tasks.list)), make([]bool, len(r.attacks.list)),
			make([]bool, len(r.scales.list)), make([]bool, len(r.graders.list)), make([]bool, len(r.outcomes.list))}
	}
	for i, it := range r.items.list {
		s := &seen[places[i]]
		s.tasks[it.task], s.attacks[it.attack] = true, true
	}
	for _, x := range r.responses {
		seen[places[x.item()]].cell(x.key, x.outcome)
	}
	for _, m := range r.marks {
		s := &seen[places[m.item()]]
		s.cell(m.key, m.outcome)
		s.scales[m.scale], s.graders[m.grader] = true, true
	}
	return seen
}

func (s *sight) cell(k key, outcome int32) {
	s.models[k.model()], s.conditions[k.condition()], s.outcomes[outcome] = true, true, true
}

// renaming gives the new id of each old one that is kept.
type renaming struct {
	models, conditions, tasks, attacks []int32
	scales, graders, outcomes          []int32
}

// take fills in the names that were seen.
func (r *reader) take(from *reader, s sight) renaming {
	return renaming{
		r.models.take(&from.models, s.models), r.conditions.take(&from.conditions, s.conditions),
		r.tasks.take(&from.tasks, s.tasks), r.attacks.take(&from.attacks, s.attacks),
		r.scales.take(&from.scales, s.scales), r.graders.take(&from.graders, s.graders), r.outcomes.take(&from.outcomes, s.outcomes),
	}
}

// take adds those of other's names that were seen, in their order.
func (n *names) take(other *names, seen []bool) []int32 {
	to := make([]int32, len(seen))
	for i, s := range seen {
		if s {
			to[i] = n.id(other.list[i])
		}
	}
	return to
}

// key renames a key; items gives the new id of each item.
func (id *renaming) key(k key, items []int32) key {
	return newKey(id.models[k.model()], items[k.item()], k.replicate(), id.conditions[k.condition()])
}
