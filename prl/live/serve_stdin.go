//go:build !js

package live

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Serve answers on the machine what a page would be answered: it reads a question a line, CELL N DRAFT VALUES with blanks between them, and
// writes the answer on a line. The question CELL N states WIDTHS is answered by what is wrong in each of the States of a figure, laid out
// at each of the widths, which commas part, 0 for the figure's own: a list of texts. It returns at the end of the questions.
func Serve(cells map[string]func()) {
	const longest = 1 << 24
	s := newServer(cells)
	questions := bufio.NewScanner(os.Stdin)
	questions.Buffer(nil, longest)
	for questions.Scan() {
		var n int
		var draft bool
		words := strings.SplitN(questions.Text(), " ", 4)
		if len(words) < 4 {
			fmt.Println(faulty("a question is CELL N DRAFT VALUES"))
			continue
		}
		if _, err := fmt.Sscan(words[1], &n); err == nil && words[2] == "states" {
			fmt.Println(s.states(words[0], n, words[3]))
			continue
		}
		if _, err := fmt.Sscan(words[1]+" "+words[2], &n, &draft); err != nil {
			fmt.Println(faulty(err.Error()))
			continue
		}
		fmt.Println(s.step(words[0], n, words[3], draft))
	}
}

// states returns what is wrong in the states of a figure, as JSON, or null where the cell has no such figure.
func (s *server) states(name string, n int, widths string) string {
	c := s.open(name)
	if n < 0 || n >= len(c.figures) {
		return "null"
	}
	list := []string{}
	c.figures[n].Survey(func(state State, err error) bool {
		if err != nil {
			list = append(list, state.Name+": fails: "+err.Error())
			return true
		}
		for word := range strings.SplitSeq(widths, ",") {
			width, _ := strconv.ParseFloat(word, 64)
			for _, f := range state.Faults(width) {
				list = append(list, state.Name+": "+f+" at "+word)
			}
		}
		return true
	})
	var w writer
	w.Texts(list)
	return string(w.Bytes())
}
