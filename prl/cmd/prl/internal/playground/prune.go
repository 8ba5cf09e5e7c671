package playground

import (
	"encoding/binary"
	"slices"
)

// prune takes out of archives, which are taken apart, what symbols hold that no program with cells can need, and the names of these
// symbols. They stay in their places, since others refer to symbols by number, with a mark: where a program does need one, the linker of
// the page says so (see overlay).
func prune(archives []archive, debug []byte, m marks) error {
	r := newReach(archives, debug, m)
	if err := r.roots(archives); err != nil {
		return err
	}
	r.follow()
	r.rewrite()
	return nil
}

// rewrite writes the object files again with what is needed.
func (r *reach) rewrite() {
	known := map[string]uint64{}
	for _, u := range r.units {
		r.empty(u)
		r.number(u, known)
		r.rename(u)
		r.drop(u)
		u.seal()
	}
}

// empty leaves of symbols that are not needed their places.
func (r *reach) empty(u *unit) {
	var kept, places [3][]byte
	for table := range kept {
		place := func() {
			places[table] = binary.LittleEndian.AppendUint32(places[table], uint32(len(kept[table])/widths[contentsAt+table]))
		}
		for s := u.first; s < u.first+u.size(); s++ {
			place()
			if r.needed[s] {
				kept[table] = append(kept[table], u.has(table, s)...)
			}
		}
		place()
	}
	for table := range kept {
		u.blocks[tablesAt+table], u.blocks[contentsAt+table] = places[table], kept[table]
	}
	for s := u.first; s < u.first+u.size(); s++ {
		if record := u.symbol(s); !r.needed[s] {
			kind := record[kindAt]
			clear(record)
			record[kindAt] = kind // the linker looks at it in any case, and at symbols for debuggers, which were empty before
			if !slices.Contains(r.debug, kind) {
				record[flagAt] = gone
			}
		}
	}
	for i, said := range r.said[u] {
		if !said {
			clear(u.row(refsAt, i))
		}
	}
	u.blocks[refNamesAt] = nil // only tools read it
}

// number replaces the hashes of contents, which nothing packs, by the number of the content. Tables of interfaces keep theirs: a cell can
// have the same table, and a program compares their addresses. So do short contents, which are their own hashes.
func (r *reach) number(u *unit, known map[string]uint64) {
	for k := range u.count[1] {
		if !r.needed[u.first+u.count[0]+k] {
			clear(u.row(hash64At, k))
		}
	}
	for k := range u.count[2] {
		s, hash := u.first+u.count[0]+u.count[1]+k, u.row(hashAt, k)
		if r.needed[s] && u.symbol(s)[flag2At]&itab != 0 {
			continue
		}
		n, has := known[string(hash)]
		if !has && r.needed[s] {
			n = uint64(len(known) + 1)
			known[string(hash)] = n
		}
		clear(hash)
		if r.needed[s] {
			binary.BigEndian.PutUint64(hash[8:], n)
		}
	}
}

// drop takes out the symbols by content that neither a program needs nor the object names. No other object has numbers of them.
func (r *reach) drop(u *unit) {
	first := u.count[0] + u.count[1]
	kept := slices.Clone(r.needed[u.first+first : u.first+first+u.count[2]])
	references := func(see func(number []byte)) {
		for _, list := range []struct{ block, to int }{{contentsAt + relocations, relocTo}, {contentsAt + auxiliaries, auxTo}} {
			for row := range slices.Chunk(u.blocks[list.block], widths[list.block]) {
				if u32(row[list.to:]) == byContent {
					see(row[list.to+4:])
				}
			}
		}
	}
	references(func(number []byte) { kept[u32(number)] = true })
	rows := func(block, first int) {
		width, all := widths[block], u.blocks[block]
		some := slices.Clone(all[:first*width])
		for k, keep := range kept {
			if keep {
				some = append(some, all[(first+k)*width:(first+k+1)*width]...)
			}
		}
		u.blocks[block] = append(some, all[(first+len(kept))*width:]...)
	}
	rows(symbolsAt+2, 0)
	rows(hashAt, 0)
	for table := range 3 {
		rows(tablesAt+table, first)
	}
	numbers := make([]uint32, len(kept))
	n := uint32(0)
	for k, keep := range kept {
		numbers[k] = n
		if keep {
			n++
		}
	}
	references(func(number []byte) { binary.LittleEndian.PutUint32(number, numbers[u32(number)]) })
}

// rename writes the strings again that records refer to.
func (r *reach) rename(u *unit) {
	var text []byte
	places := map[string]int{}
	move := func(ref []byte) {
		name := u.text(ref)
		if name == "" {
			clear(ref[:8])
			return
		}
		at, has := places[name]
		if !has {
			at = headerSize + len(text)
			places[name] = at
			text = append(text, name...)
		}
		binary.LittleEndian.PutUint32(ref[4:], uint32(at))
	}
	const importSize = 16 // a fingerprint follows the name
	for _, list := range []struct{ block, width int }{{importsAt, importSize}, {packagesAt, 8}, {filesAt, 8}} {
		for ref := range slices.Chunk(u.blocks[list.block], list.width) {
			move(ref)
		}
	}
	for s := u.first; s < u.first+u.size(); s++ {
		move(u.symbol(s))
	}
	for i := range r.said[u] {
		move(u.row(refsAt, i))
	}
	u.blocks[0] = text
}
