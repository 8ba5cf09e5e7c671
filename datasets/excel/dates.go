package excel

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A shape is what the format of a cell makes of its number.
type shape int

const (
	plain shape = iota // a number
	date               // a day, or a moment
	clock              // a time of day, or a duration
)

// styles reads which formats of cells show dates.
func (b *book) styles(name string) error {
	codes, cells := map[int]shape{}, false
	return b.each(name, func(token xml.Token) error {
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "numFmt":
				if id, err := strconv.Atoi(attribute(e, "numFmtId")); err == nil {
					codes[id] = shapeOf(attribute(e, "formatCode"))
				}
			case "cellXfs":
				cells = true
			case "xf":
				if !cells {
					return nil
				}
				if len(b.dates) >= 1<<17 { // Excel has at most 65,490
					return errFull
				}
				id, _ := strconv.Atoi(attribute(e, "numFmtId"))
				kind, own := codes[id]
				if !own {
					kind = builtIn(id)
				}
				b.dates = append(b.dates, kind)
			}
		case xml.EndElement:
			if e.Name.Local == "cellXfs" {
				cells = false
			}
		}
		return nil
	})
}

// builtIn are the formats that have a number only. Source: ECMA-376, Office Open XML, part 1, 18.8.30 numFmt; 27 to 36 and 50 to 58 are
// those of East Asian languages.
func builtIn(id int) shape {
	switch {
	case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return date
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47, id == 55, id == 56:
		return clock
	}
	return plain
}

// shapeOf tells by the code of a format whether it shows a date: it has letters of year, month, day or time that are not quoted, escaped or
// part of a colour or a condition. The month is told from the minute by the others.
func shapeOf(code string) shape {
	code, _, _ = strings.Cut(code, ";") // of positive numbers
	if strings.EqualFold(strings.TrimSpace(code), "general") {
		return plain
	}
	var day, hour, m bool
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			} else {
				i = len(code)
			}
		case '\\', '_', '*':
			i++
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return plain
			}
			if inside := strings.ToLower(code[i+1 : i+end]); inside != "" && strings.Trim(inside, "hms") == "" {
				hour = true
			}
			i += end
		case 'y', 'Y', 'd', 'D':
			day = true
		case 'h', 'H', 's', 'S':
			hour = true
		case 'm', 'M':
			m = true
		case '0', '#', '?':
			if !day && !hour && !m {
				return plain
			}
		}
	}
	switch {
	case day, m && !hour:
		return date
	case hour:
		return clock
	}
	return plain
}

// lastDay is the 31st of December 9999, beyond which Excel has no dates.
const lastDay = 2958465

// moment writes a number of days as a date and a time, ok is false where Excel has no date for it.
func (b *book) moment(days float64) (text string, ok bool) {
	if !(days >= 0 && days < lastDay+1) {
		return "", false
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case b.since04:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60: // Excel takes 1900 for a leap year
		start = start.AddDate(0, 0, 1)
	}
	whole := math.Floor(days)
	t := start.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round((days-whole)*86400e3)) * time.Millisecond)
	return t.Format("2006-01-02 15:04:05.999"), true
}

// duration writes a part of a day, or more than one, as hours, minutes and seconds.
func duration(days float64) (text string, ok bool) {
	if !(days >= 0 && days < lastDay) {
		return "", false
	}
	s := int64(math.Round(days * 86400))
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60), true
}
