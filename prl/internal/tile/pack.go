package tile

// pack writes count lines of k numbers to strips of eight lines: number r of line i, line[i across + r along], goes to to[i/8 8 k + 8 r +
// i%8]. The last strip is filled up with zeros.
func pack(to, line []float64, count, k, across, along int) {
	for ; count > 0; count -= Wide {
		strip := to[:Wide*k]
		to = to[min(len(to), Wide*k):]
		packStrip(strip, line, min(count, Wide), k, across, along)
		if count > Wide {
			line = line[Wide*across:]
		}
	}
}

func packStrip(strip, line []float64, count, k, across, along int) {
	switch {
	case count == Wide && across == 1:
		for r := range k {
			*(*[Wide]float64)(strip[r*Wide:]) = *(*[Wide]float64)(line[r*along:])
		}
	case count == Wide && along == 1:
		turnFour(k, line, across, strip, Wide)
		turnFour(k, line[4*across:], across, strip[4:], Wide)
	default:
		clear(strip)
		for i := range count {
			for r := range k {
				strip[r*Wide+i] = line[i*across+r*along]
			}
		}
	}
}
