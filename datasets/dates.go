package datasets

import (
	"fmt"
	"math"
	"time"
)

// parts are what Part takes of a date.
var parts = []string{"year", "month", "day", "day of year", "weekday", "hour"}

// Part adds a column with a part of each date as a number, called "date, month": "year", "month" (1 to 12), "day" (of the month), "day of
// year" (1 to 366), "weekday" (1, Monday, to 7) or "hour" (with its fraction), all in universal time.
func (t Table) Part(date, part string) Table {
	t, ok := t.ready("Part", date, part)
	if !ok {
		return t
	}
	j, err := t.of(Temporal, date)
	if err != nil {
		return t.fail(err)
	}
	k, err := find("part", part, parts)
	if err != nil {
		return t.fail(err)
	}
	return t.put(column{name: t.columns[j].name + ", " + parts[k], numbers: partOf(t.columns[j].numbers, k)})
}

// partOf returns part k of dates.
func partOf(dates []float64, k int) []float64 {
	v := make([]float64, len(dates))
	for i, s := range dates {
		if v[i] = math.NaN(); s == s {
			d := moment(s)
			v[i] = [...]float64{
				float64(d.Year()), float64(d.Month()), float64(d.Day()), float64(d.YearDay()), float64((d.Weekday()+6)%7 + 1),
				float64(d.Hour()) + float64(d.Minute())/60 + float64(d.Second())/3600,
			}[k]
		}
	}
	return v
}

// dateOf reads a date of a layout; times finer than a microsecond are refused.
func dateOf(text, layout string) (float64, error) {
	t, err := time.Parse(layout, text)
	if err != nil {
		return 0, err
	}
	return seconds(t)
}

// isoDate reads a date of ISO 8601, with a time of the day and its distance from universal time or without: 2009-11-16, 2009-11-16 14:30,
// 2009-11-16T14:30:00.5Z.
func isoDate(b []byte) (float64, bool) {
	n := len(b)
	if n < 10 || b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	ok := true
	two := func(i int) int {
		tens, ones := b[i]-'0', b[i+1]-'0'
		ok = ok && tens <= 9 && ones <= 9
		return 10*int(tens) + int(ones)
	}
	year, month, day := 100*two(0)+two(2), two(5), two(8)
	if !ok || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, false
	}
	// Days since 1970: years begin in March, so that leap days stand at their ends.
	y, m := year, month
	if m <= 2 {
		y, m = y-1, m+12
	}
	floor := func(a, b int) int { return (a - (a%b+b)%b) / b }
	days := 365*y + floor(y, 4) - floor(y, 100) + floor(y, 400) + (153*(m-3)+2)/5 + day - 719469
	total := float64(days * 86400)
	if n == 10 {
		return total, true
	}
	if n < 16 || b[10] != ' ' && b[10] != 'T' || b[13] != ':' {
		return 0, false
	}
	hour, minute, second, i := two(11), two(14), 0, 16
	fraction := 0.0
	if n >= 19 && b[16] == ':' {
		second, i = two(17), 19
		if i < n && b[i] == '.' {
			i++
			from, micro := i, 0
			for ; i < n && b[i]-'0' <= 9; i++ {
				if i-from < 6 {
					micro = 10*micro + int(b[i]-'0')
				} else if b[i] != '0' {
					return 0, false // finer than a table can tell
				}
			}
			if i == from {
				return 0, false
			}
			for k := i - from; k < 6; k++ {
				micro *= 10
			}
			fraction = float64(micro) / 1e6
		}
	}
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	total += float64(3600*hour + 60*minute + second)
	switch {
	case i == n, i+1 == n && b[i] == 'Z':
	case (i+3 == n || i+5 == n || i+6 == n && b[i+3] == ':') && (b[i] == '+' || b[i] == '-'): // +02, +0200 or +02:00
		hours, minutes := two(i+1), 0
		if i+3 < n {
			minutes = two(n - 2)
		}
		away := float64(3600*hours + 60*minutes)
		if ok = ok && hours < 24 && minutes < 60; b[i] == '+' {
			away = -away
		}
		total += away
	default:
		return 0, false
	}
	return total + fraction, ok
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// seconds since 1970, of which float64 tells microseconds apart; the zero time is a gap.
func seconds(t time.Time) (float64, error) {
	if t.IsZero() {
		return math.NaN(), nil
	}
	if t.Nanosecond()%1000 != 0 {
		return 0, fmt.Errorf("%v is a time finer than a microsecond, which no table tells apart; round it with Round(time.Microsecond)", t)
	}
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9, nil
}
