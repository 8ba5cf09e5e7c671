package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

var errFull = errors.New("too long")

// measure walks over the pages of a column in a group of rows before the library does, which takes the memory that a page claims before it
// looks at the data, and unpacks without an end: what the pages hold unpacked, and how many values, must be within the limits.
func (s *stream) measure(group int, c *column) error {
	meta := &s.file.Metadata().RowGroups[group].Columns[c.leaf].MetaData
	at := meta.DataPageOffset
	if d := meta.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	size := int64(len(s.data))
	if at < 0 || meta.TotalCompressedSize < 0 || at > size || meta.TotalCompressedSize > size-at {
		return errors.New("it lies outside of the file")
	}
	chunk, values := s.data[at:at+meta.TotalCompressedSize], int64(0)
	var protocol thrift.CompactProtocol
	for len(chunk) > 0 && values < meta.NumValues {
		header := new(format.PageHeader)
		in := protocol.NewReaderFromBytes(chunk)
		if err := thrift.NewDecoder(in).Decode(header); err != nil {
			return fmt.Errorf("the head of a page: %w", err)
		}
		if chunk = chunk[in.BytesRead():]; header.CompressedPageSize < 0 || int64(header.CompressedPageSize) > int64(len(chunk)) ||
			header.UncompressedPageSize < 0 {
			return errors.New("a page ends behind its column")
		}
		page := chunk[:header.CompressedPageSize]
		chunk = chunk[header.CompressedPageSize:]
		if s.left -= int64(header.UncompressedPageSize); s.left < 0 {
			return errFull
		}
		count := int64(0)
		switch {
		case header.DataPageHeader.Valid:
			count = int64(header.DataPageHeader.V.NumValues)
			values += count
		case header.DataPageHeaderV2.Valid:
			v2 := header.DataPageHeaderV2.V
			count = int64(v2.NumValues)
			values += count
			levels := int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
			if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 || levels > int64(len(page)) ||
				levels > int64(header.UncompressedPageSize) {
				return errors.New("the levels of a page are longer than the page")
			}
			if page = page[levels:]; v2.IsCompressed.Valid && !v2.IsCompressed.V {
				page = nil
			}
			header.UncompressedPageSize -= int32(levels)
		case header.DictionaryPageHeader.Valid:
			count = int64(header.DictionaryPageHeader.V.NumValues)
		}
		if count < 0 || count > int64(s.limits.Values) || values > int64(s.limits.Values) {
			return errFull
		}
		if err := unpacks(meta.Codec, page, int64(header.UncompressedPageSize)); err != nil {
			return err
		}
	}
	if values < meta.NumValues {
		return fmt.Errorf("%d values of %d", values, meta.NumValues)
	}
	return nil
}

// unpacks reports a page that unpacks to more than it says.
func unpacks(codec format.CompressionCodec, page []byte, size int64) error {
	if len(page) == 0 {
		return nil
	}
	var r io.Reader
	switch codec {
	case format.Snappy:
		if n, k := binary.Uvarint(page); k <= 0 || n > uint64(size) {
			return errors.New("a page is longer than it says")
		}
		return nil
	case format.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(page))
		if err != nil {
			return err
		}
		r = z
	case format.Brotli:
		r = brotli.NewReader(bytes.NewReader(page))
	case format.Zstd:
		z, err := zstd.NewReader(bytes.NewReader(page), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	case format.Lz4Raw: // the library would go on for ever with a damaged page
		if _, err := lz4.UncompressBlock(page, make([]byte, size)); err != nil {
			return errors.New("a page is damaged, or longer than it says")
		}
		return nil
	default:
		return nil
	}
	n, err := io.CopyN(io.Discard, r, size+1)
	switch {
	case n > size:
		return errors.New("a page is longer than it says")
	case err != io.EOF:
		return err
	}
	return nil
}
