package controller

func (s *scratch) unescape(l, budget int) {}
