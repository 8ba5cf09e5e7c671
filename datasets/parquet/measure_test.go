package parquet

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// A page that unpacks to more than it says is found before it is unpacked.
func TestUnpacks(t *testing.T) {
	const size = 100_000
	text := make([]byte, size)
	var z, b, s bytes.Buffer
	gz, br := gzip.NewWriter(&z), brotli.NewWriter(&b)
	zs, err := zstd.NewWriter(&s)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []interface {
		Write(p []byte) (int, error)
		Close() error
	}{gz, br, zs} {
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	block := make([]byte, lz4.CompressBlockBound(size))
	var c lz4.Compressor
	n, err := c.CompressBlock(text, block)
	if err != nil {
		t.Fatal(err)
	}
	for codec, page := range map[format.CompressionCodec][]byte{
		format.Lz4Raw: block[:n], format.Gzip: z.Bytes(), format.Brotli: b.Bytes(), format.Zstd: s.Bytes(),
		format.Snappy: snappy.Encode(nil, text),
	} {
		if err := unpacks(codec, page, size); err != nil {
			t.Error(codec, err)
		}
		if err := unpacks(codec, page, size-1); err == nil || !strings.HasSuffix(err.Error(), "longer than it says") {
			t.Error(codec, err)
		}
	}
}
