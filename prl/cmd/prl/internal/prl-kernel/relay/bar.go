//go:build unix

package relay

import (
	"bytes"
	"encoding/json"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/wire"
)

// A bar is the progress bar of the cell that runs. A front end keeps the place of an output that has become empty, in the notebook's file
// too; a bar that was the first output is taken away together with its place.
type bar struct {
	id      string // while it is shown
	outputs bool   // the cell has shown something else
	empty   bool   // the front end takes the outputs away when the next one comes
}

// mark tells a progress bar of package cell from other outputs.
const mark = "data-prl-progress"

// takes passes an output on if it is that of a bar.
func (b *bar) takes(x *run, m wire.Message) bool {
	var content struct {
		Data      map[string]any
		Transient struct {
			ID string `json:"display_id"`
		}
	}
	whole := bytes.Contains(m.Content, []byte(mark))
	if !whole && b.id == "" || json.Unmarshal(m.Content, &content) != nil || content.Transient.ID == "" {
		return false
	}
	id := content.Transient.ID
	switch {
	case whole && m.Head().Type == "display_data":
		b.id, b.empty = id, false
	case id != b.id:
		return false
	case len(content.Data) == 0:
		b.id = ""
		if !b.outputs {
			b.empty = true
			x.clear(true)
			return true
		}
	}
	x.relay.front.iopub.send(m)
	return true
}

// other hears of an output that is none of a bar.
func (b *bar) other() { b.outputs, b.empty = true, false }

// end takes away what an interrupted cell has left.
func (b *bar) end(x *run) {
	switch {
	case b.empty, b.id != "" && !b.outputs:
		x.clear(false)
	case b.id != "":
		x.relay.front.iopub.send(x.asked.Publish("update_display_data", map[string]any{
			"data": map[string]any{}, "metadata": map[string]any{}, "transient": map[string]any{"display_id": b.id},
		}))
	}
	*b = bar{outputs: b.outputs}
}

// clear makes the front end take away the outputs of the cell, now or when the next one comes.
func (x *run) clear(wait bool) {
	x.relay.front.iopub.send(x.asked.Publish("clear_output", map[string]any{"wait": wait}))
}
