package playground

import "encoding/binary"

// An entry says of an archive how long it is, where its objects begin, and whether cells import the package.
type entry struct {
	Path     string `json:"path"`
	Size     int    `json:"size"`
	Objects  []int  `json:"objects"`
	Imported bool   `json:"imported"`
}

// joined are all archives, taken apart, as one piece of bytes that packs better than they do: first what lies outside of blocks, then the
// blocks of one kind after those of another, and tables by columns. The page's function archives takes it apart.
func joined(archives []archive) (all []byte, list []entry) {
	streams := make([][]byte, len(widths))
	for _, a := range archives {
		e := entry{Path: a.path, Imported: a.imported, Objects: []int{}}
		for _, o := range a.pieces {
			all = append(all, o.before...)
			e.Size += len(o.before)
			e.Objects = append(e.Objects, e.Size-headerSize)
			for i, b := range o.blocks {
				streams[i] = append(streams[i], b...)
				e.Size += len(b)
			}
		}
		all = append(all, a.rest...)
		e.Size += len(a.rest)
		list = append(list, e)
	}
	for i, s := range streams {
		all = append(all, columns(s, widths[i], rises(i))...)
	}
	return all, list
}

// rises reports whether the records of a block begin with a number that grows from one to the next as a rule.
func rises(block int) bool { return block >= tablesAt && block <= contentsAt }

// columns are the records of a table by columns. Numbers that rise become their differences.
func columns(rows []byte, width int, rises bool) []byte {
	n, out, last := len(rows)/width, make([]byte, len(rows)), uint32(0)
	for i := range n {
		row := rows[i*width : (i+1)*width]
		if rises {
			v := binary.LittleEndian.Uint32(row)
			binary.LittleEndian.PutUint32(row, v-last)
			last = v
		}
		for k, v := range row {
			out[k*n+i] = v
		}
	}
	return out
}

// A form is what the page has to know of blocks.
type form struct {
	Width int  `json:"width"`
	Rises bool `json:"rises"`
}

func forms() (list []form) {
	for i, width := range widths {
		list = append(list, form{width, rises(i)})
	}
	return list
}
