//go:build !js

package live

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// Serve answers on the machine what a page would be answered: it reads a question a line, CELL N DRAFT VALUES with blanks between them, and
// writes the answer on a line. It returns at the end of the questions.
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
		if _, err := fmt.Sscan(words[1]+" "+words[2], &n, &draft); err != nil {
			fmt.Println(faulty(err.Error()))
			continue
		}
		fmt.Println(s.step(words[0], n, words[3], draft))
	}
}
