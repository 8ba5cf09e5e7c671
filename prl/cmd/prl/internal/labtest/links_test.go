//go:build unix

package labtest

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestLinksLeadToCells opens links to a cell as those of handouts are: with a token, which JupyterLab takes out of the address with all
// that follows, and without one, as somebody does who has been there before.
func TestLinksLeadToCells(t *testing.T) {
	s := start(t)
	var sources []string
	for i := range 60 {
		sources = append(sources, fmt.Sprintf("a%d := %d\n\n\n\n\n\nfmt.Println(a%d)", i, i, i))
	}
	s.notebook("cells.ipynb", false, sources...)
	for _, query := range []string{"?token=t", ""} {
		ctx, cancel := chromedp.NewContext(s.browser)
		defer cancel()
		p := &page{Context: ctx, s: s}
		p.do(
			call(network.Enable, network.EnableParams{}),
			chromedp.EmulateViewport(1400, 900),
			chromedp.Navigate(s.address+s.page+"cells.ipynb"+query+"#cell-id=c47"),
		)
		p.ready()
		p.until(`jupyterapp.shell.currentWidget.content.activeCellIndex === 47`)
		p.until(`(() => { const cell = jupyterapp.shell.currentWidget.content.activeCell.node, e = cell.getBoundingClientRect();
			return cell.isConnected && e.height > 0 && e.top < innerHeight && e.bottom > 0 })()`)
		if query != "" && eval[string](p, "location.search") != "" {
			t.Error("the token is still in the address")
		}
	}
}
