package report

import "fmt"

func contrastAnchor(i int) string { return fmt.Sprintf("contrast-%d", i+1) }
