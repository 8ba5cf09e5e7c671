package parquet

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// exact is the least whole number from which float64 leaves some out.
const exact = 1 << 53

// conversion returns what makes the values of a type a column of a table: float64, string or time.Time. Whole numbers that are long become
// words.
func conversion(t parquet.Type, long bool) (func([]parquet.Value) (any, error), error) {
	kind := t.Kind()
	if kind == parquet.Boolean {
		return words(func(v parquet.Value) (string, error) {
			if v.Boolean() {
				return "yes", nil
			}
			return "no", nil
		}), nil
	}
	var logical format.LogicalTypeValue
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.DecimalType:
		return numbers(decimal(kind, int(l.Scale))), nil
	case *format.DateType:
		if kind == parquet.Int32 {
			return times(func(v parquet.Value) time.Time { return time.Unix(86400*int64(v.Int32()), 0).UTC() }), nil
		}
	case *format.TimestampType:
		if kind == parquet.Int64 && l.Unit.Value != nil {
			each := int64(time.Second / l.Unit.Value.Duration()) // units a second
			return times(func(v parquet.Value) time.Time {
				n := v.Int64()
				return time.Unix(n/each, n%each*(1e9/each)).UTC()
			}), nil
		}
	case *format.TimeType:
		if l.Unit.Value != nil && (kind == parquet.Int32 || kind == parquet.Int64) {
			unit := l.Unit.Value.Duration()
			return words(func(v parquet.Value) (string, error) { return clock(whole(v), unit) }), nil
		}
	case *format.IntType:
		if !l.IsSigned {
			natural := func(v parquet.Value) uint64 {
				if v.Kind() == parquet.Int64 {
					return v.Uint64()
				}
				return uint64(v.Uint32())
			}
			if long {
				return words(func(v parquet.Value) (string, error) { return strconv.FormatUint(natural(v), 10), nil }), nil
			}
			return numbers(func(v parquet.Value) (float64, error) {
				if n := natural(v); n <= exact {
					return float64(n), nil
				}
				return 0, errLong
			}), nil
		}
	case *format.UUIDType:
		return words(func(v parquet.Value) (string, error) {
			b := v.ByteArray()
			if len(b) != 16 {
				return "", fmt.Errorf("a UUID of %d bytes", len(b))
			}
			h := hex.EncodeToString(b)
			return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], nil
		}), nil
	case *format.BsonType, *format.VariantType, *format.GeometryType, *format.GeographyType:
		return nil, &unfit{"the column holds values of the type " + logical.String() + ", but a table holds numbers, words and dates"}
	}
	switch kind {
	case parquet.Int32, parquet.Int64:
		if long {
			return words(func(v parquet.Value) (string, error) { return strconv.FormatInt(whole(v), 10), nil }), nil
		}
		return numbers(func(v parquet.Value) (float64, error) {
			n := whole(v)
			if n > exact || n < -exact {
				return 0, errLong
			}
			return float64(n), nil
		}), nil
	case parquet.Float:
		return numbers(func(v parquet.Value) (float64, error) { return finite(float64(v.Float())) }), nil
	case parquet.Double:
		return numbers(func(v parquet.Value) (float64, error) { return finite(v.Double()) }), nil
	case parquet.Int96: // nanoseconds of a day, and the Julian day
		return times(func(v parquet.Value) time.Time {
			n := v.Int96()
			return time.Unix(86400*(int64(n[2])-2440588), int64(uint64(n[1])<<32|uint64(n[0]))).UTC()
		}), nil
	}
	if kind == parquet.FixedLenByteArray {
		return nil, &unfit{"the column holds bytes of a fixed number, such as numbers of 16 bits, which are not read"}
	}
	known := map[string]string{} // texts come again, and are kept once
	return words(func(v parquet.Value) (string, error) {
		b := v.ByteArray()
		if text, ok := known[string(b)]; ok {
			return text, nil
		}
		if !utf8.Valid(b) {
			return "", &unfit{"the column holds bytes that are no text"}
		}
		text := string(b)
		if len(known) < 1<<16 {
			known[text] = text
		}
		return text, nil
	}), nil
}

func finite(v float64) (float64, error) {
	if math.IsInf(v, 0) {
		return 0, &unfit{"the column holds an infinite number"}
	}
	return v, nil
}

func whole(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// clock writes a time of the day.
func clock(n int64, unit time.Duration) (string, error) {
	if n < 0 || n >= int64(24*time.Hour/unit) {
		return "", fmt.Errorf("%d is no time of a day", n)
	}
	return time.Unix(0, n*int64(unit)).UTC().Format("15:04:05.999999999"), nil
}

// decimal reads whole numbers with a point so many places from their end.
func decimal(kind parquet.Kind, scale int) func(parquet.Value) (float64, error) {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(max(scale, 0), 400))), nil)
	return func(v parquet.Value) (float64, error) {
		n := new(big.Int)
		switch kind {
		case parquet.Int32, parquet.Int64:
			n.SetInt64(whole(v))
		default:
			b := v.ByteArray()
			if len(b) > 64 {
				return 0, fmt.Errorf("a decimal of %d bytes", len(b))
			}
			if n.SetBytes(b); len(b) > 0 && b[0] >= 0x80 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			}
		}
		f, _ := new(big.Rat).SetFrac(n, power).Float64()
		return f, nil
	}
}

func numbers(f func(parquet.Value) (float64, error)) func([]parquet.Value) (any, error) {
	return func(values []parquet.Value) (any, error) {
		out := make([]float64, len(values))
		for i, v := range values {
			if out[i] = math.NaN(); v.IsNull() {
				continue
			}
			var err error
			if out[i], err = f(v); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

func words(f func(parquet.Value) (string, error)) func([]parquet.Value) (any, error) {
	return func(values []parquet.Value) (any, error) {
		out := make([]string, len(values))
		for i, v := range values {
			if v.IsNull() {
				continue
			}
			var err error
			if out[i], err = f(v); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

func times(f func(parquet.Value) time.Time) func([]parquet.Value) (any, error) {
	return func(values []parquet.Value) (any, error) {
		out := make([]time.Time, len(values))
		for i, v := range values {
			if !v.IsNull() {
				out[i] = f(v)
			}
		}
		return out, nil
	}
}
