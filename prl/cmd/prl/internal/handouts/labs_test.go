package handouts

import (
	"strings"
	"testing"
)

func TestPagesLeadIntoTheLab(t *testing.T) {
	page := `<section id="cell-why" class="cell markdown"><h1 id="one">One</h1><h2 id="two">Two</h2></section><h2 id="three">No cell</h2>`
	course := DefaultCourse()
	tree := parse(page)
	course.addLab(tree, "09-em")
	if got := inner(tree); got != page || course.inLab("09-em", "") != "" {
		t.Errorf("without a lab the page has become %s, and the address %q", got, course.inLab("09-em", ""))
	}
	course.Lab = "https://hub.example.org/hub/user-redirect/"
	course.addLab(tree, "09-em")
	const link = `<a class="anchor lab" href="https://hub.example.org/hub/user-redirect/lab/tree/09-em.ipynb#cell-id=why" ` +
		`aria-label="Open this section in the lab">lab</a>`
	if got := inner(tree); strings.Count(got, link) != 2 || strings.Count(got, "<a ") != 2 {
		t.Errorf("two headings have a cell, and the page is %s", got)
	}
	if h := headings(tree); len(h) != 3 || strings.Contains(string(h[0].HTML), "lab") {
		t.Errorf("the contents show the links: %v", h)
	}
	for _, wrong := range []string{"hub.example.org", "ftp://hub.example.org", "https://", "https://hub.example.org?token=1", ":"} {
		if CheckLab(wrong) == nil {
			t.Errorf("%q passes for the address of a lab", wrong)
		}
	}
	for _, right := range []string{"", "http://localhost:8888", course.Lab} {
		if err := CheckLab(right); err != nil {
			t.Error(err)
		}
	}
}
