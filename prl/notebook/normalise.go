package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Normalise removes from an executed notebook everything that differs from one execution to the next without meaning:
// execution times and versions, the numbers of earlier sessions, temporary paths, and the order and pieces in which the two
// text streams and the displays of a cell happened to arrive. root, the path of the clone, is cut from paths in text.
func (n *Notebook) Normalise(root string) {
	n.raw["nbformat_minor"] = json.Number("5")
	n.raw["metadata"] = map[string]any{
		"kernelspec":    map[string]any{"display_name": "Go (Pattern Recognition Lab)", "language": "go", "name": "gonb"},
		"language_info": LanguageInfo(),
	}
	count := 0
	seen := map[string]bool{}
	for i, c := range n.Cells {
		c.normaliseID(i, seen)
		metadata, _ := c.raw["metadata"].(map[string]any)
		if metadata == nil {
			metadata = map[string]any{}
		}
		for _, noise := range []string{"execution", "ExecuteTime", "trusted", "collapsed", "scrolled"} {
			delete(metadata, noise)
		}
		c.raw["metadata"] = metadata
		c.raw["source"] = lines(c.Source())
		if !c.IsCode() {
			delete(c.raw, "outputs")
			delete(c.raw, "execution_count")
			continue
		}
		c.raw["execution_count"] = nil
		if c.Runs() {
			count++
			c.raw["execution_count"] = json.Number(strconv.Itoa(count))
		}
		c.normaliseOutputs(root, count)
	}
}

// LanguageInfo is what a notebook keeps of its language: how an editor colours the cells, and not the version of Go, which differs by
// machine.
func LanguageInfo() map[string]any {
	return map[string]any{
		"codemirror_mode": "", "file_extension": ".go", "mimetype": "text/x-go", "name": "go",
		"nbconvert_exporter": "", "pygments_lexer": "go",
	}
}

// normaliseID gives a cell without an id, or with the id of an earlier cell, one that follows from its place and text.
func (c *Cell) normaliseID(index int, seen map[string]bool) {
	if id := c.ID(); id == "" || seen[id] {
		sum := sha256.Sum256([]byte(strconv.Itoa(index) + "\x00" + c.Source()))
		c.raw["id"] = hex.EncodeToString(sum[:4])
	}
	seen[c.ID()] = true
}

// normaliseOutputs brings the outputs into the order standard output, standard error, displays, error. GoNB promises no order
// between them, since each comes through a pipe of its own.
func (c *Cell) normaliseOutputs(root string, count int) {
	var streams [2]strings.Builder
	var rest []any
	for _, output := range c.Outputs() {
		switch output["output_type"] {
		case "stream":
			which := 0
			if output["name"] == "stderr" {
				which = 1
			}
			streams[which].WriteString(text(output["text"]))
			continue
		case "execute_result":
			output["execution_count"] = json.Number(strconv.Itoa(count))
		case "error":
			output["evalue"] = Clean(text(output["evalue"]), root)
			trace, _ := output["traceback"].([]any)
			for i, line := range trace {
				trace[i] = Clean(text(line), root)
			}
		}
		delete(output, "transient")
		if data, isObject := output["data"].(map[string]any); isObject {
			normaliseData(data)
			if output["metadata"] == nil {
				output["metadata"] = map[string]any{}
			}
		}
		rest = append(rest, output)
	}
	slices.SortStableFunc(rest, func(a, b any) int { return rank(a) - rank(b) })
	outputs := []any{}
	for i, name := range []string{"stdout", "stderr"} {
		s := streams[i].String()
		if goroutine.MatchString(s) {
			s = cellLine.ReplaceAllString(s, "")
		}
		if s = Clean(s, root); s != "" {
			outputs = append(outputs, map[string]any{"output_type": "stream", "name": name, "text": lines(s)})
		}
	}
	c.raw["outputs"] = append(outputs, rest...)
}

func rank(output any) int {
	if output.(map[string]any)["output_type"] == "error" {
		return 1
	}
	return 0
}

// normaliseData writes text as a list of lines, as Jupyter does, and leaves JSON as it is.
func normaliseData(data map[string]any) {
	for mime, value := range data {
		if mime == "application/json" || strings.HasSuffix(mime, "+json") {
			continue
		}
		if s := text(value); s != "" {
			data[mime] = lines(s)
		}
	}
}

var (
	// tempProgram is the path of a cell's program or source in GoNB's temporary folder, as in /x/gonb_1a2b3c4d/main.go.
	tempProgram = regexp.MustCompile(`[^\s"'=:]*/gonb_[0-9a-f]{8}/(?:gonb_[0-9a-f]{8}\b)?`)
	cellProgram = regexp.MustCompile(`\bgonb_[0-9a-f]{8}\b`)
	// pointer is an argument or register in a Go stack trace.
	pointer = regexp.MustCompile(`\b0x[0-9a-f]{7,16}\b`)
	// cellLine is what GoNB writes before the line of a cell's program. In a stack trace, which arrives in pieces, it is there
	// only if the place is not cut in two, and that is chance.
	cellLine = regexp.MustCompile(` ?\x1b\[7m\[\[ Cell \[\d+\] Line \d+ \]\]\x1b\[0m ?`)
	// goroutine is the heading of a stack trace; which number a goroutine has is chance.
	goroutine = regexp.MustCompile(`\bgoroutine \d+( gp=\S+ m=\S+)?( mp=\S+)? \[`)
)

// Clean removes from printed text what differs from run to run: temporary paths, addresses, and root, the path of the clone.
func Clean(s, root string) string {
	s = tempProgram.ReplaceAllString(s, "")
	s = cellProgram.ReplaceAllString(s, "cell")
	s = pointer.ReplaceAllString(s, "0x…")
	s = goroutine.ReplaceAllString(s, "goroutine [")
	if root != "" {
		s = strings.ReplaceAll(s, strings.TrimSuffix(root, "/")+"/", "")
	}
	return s
}
