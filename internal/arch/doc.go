// Package arch answers whether the house still stands as it was drawn: which
// package may import which, what a rater's pages can reach, and whether the
// documents speak of things that exist. It holds tests alone.
//
// # Arrows
//
// The table in table_test.go has one row a package. A package that has no row
// fails, and so does every import that its row does not name: of this module,
// of another module, and for public packages of anything at all beside the
// standard library. Rows may stand before their package does.
//
// Test files may import more, since they wire the parts that they test: any
// module of the table, and any package of this module that does not itself
// depend on the package under test. So a test never turns an arrow round.
//
// # Blinding
//
// Nothing that can be reached through rating's types mentions a record of the
// evaluation: no model, condition, attack or tier can come to a rater that way.
package arch
