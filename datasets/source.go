package datasets

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A source is a text that can be read again from its beginning.
type source struct {
	name    string
	options readOptions
	open    func() (io.ReadCloser, error)
	size    int64 // of the text in bytes, 0 when it is not known
}

// again makes a source of a reader: by going back in it, or by keeping what was read.
func again(r io.Reader, name string, o readOptions) (*source, error) {
	if r == nil {
		return nil, &ReadError{File: name, What: "the reader is nil"}
	}
	s := &source{name: name, options: o}
	if seeker, ok := r.(io.ReadSeeker); ok {
		if at, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.open = func() (io.ReadCloser, error) {
				_, err := seeker.Seek(at, io.SeekStart)
				return io.NopCloser(seeker), err
			}
			return s, nil
		}
	}
	var kept bytes.Buffer
	s.open = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(kept.Bytes()), io.TeeReader(r, &kept))), nil
	}
	return s, nil
}

// opened opens a file; the error names the remedy.
func opened(path string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			here, _ := os.Getwd()
			return nil, &ReadError{File: path, What: "there is no such file", Remedy: "a path is taken from the working directory, " + here}
		}
		if err != nil {
			return nil, &ReadError{File: path, What: err.Error()}
		}
		return f, nil
	}
}

// at opens the source from a place of its text on, which is unpacked and made UTF-8.
func (s *source) at(offset int64) (io.Reader, io.Closer, error) {
	r, err := s.open()
	if err != nil {
		return nil, nil, err
	}
	in, plain, err := input(r, s.name, s.options)
	if file, ok := r.(*os.File); ok && plain {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			s.size = info.Size()
		}
	}
	if err == nil && offset > 0 {
		if seeker, ok := r.(io.Seeker); ok && plain {
			if _, err = seeker.Seek(offset, io.SeekStart); err == nil {
				return &limited{r: r, left: s.options.limits.Bytes - offset}, r, nil
			}
			err = &ReadError{File: s.name, What: err.Error()}
		} else if _, err = io.CopyN(io.Discard, in, offset); err != nil {
			err = ioProblem(s.name, 0, io.ErrUnexpectedEOF, s.options.limits)
		}
	}
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	return in, r, nil
}

// unpack returns the bytes of r, unpacked when they are gzip, limited in length; it is plain when they are not.
func unpack(r io.Reader, name string, o readOptions) (in *bufio.Reader, plain bool, err error) {
	if r == nil {
		return nil, false, &ReadError{File: name, What: "the reader is nil"}
	}
	b, plain := bufio.NewReader(r), true
	if head, _ := b.Peek(2); string(head) == "\x1f\x8b" {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, false, &ReadError{File: name, What: "the gzip header is damaged: " + err.Error(), Remedy: "fetch the file again"}
		}
		b, plain = bufio.NewReader(z), false
	}
	return bufio.NewReader(&limited{r: b, left: o.limits.Bytes}), plain, nil
}

// input returns the text of r, limited in length: unpacked when it is gzip or zip, and in UTF-8 without a mark at its begin. It is plain
// when that are the bytes of r.
func input(r io.Reader, name string, o readOptions) (in *bufio.Reader, plain bool, err error) {
	b, plain, err := unpack(r, name, o)
	if err != nil {
		return nil, false, err
	}
	head, _ := b.Peek(4)
	if string(head) == "PK\x03\x04" {
		z, err := member(b, name, o)
		if err != nil {
			return nil, false, err
		}
		b, plain = bufio.NewReader(&limited{r: z, left: o.limits.Bytes}), false
		head, _ = b.Peek(4)
	}
	switch {
	case o.decode != nil:
		in := bufio.NewReader(o.decode(b))
		if mark, _, _ := in.ReadRune(); mark != '\ufeff' {
			in.UnreadRune()
		}
		return in, false, nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		b.Discard(2)
		return bufio.NewReader(&fromUTF16{in: b, big: head[0] == 0xfe}), false, nil
	case len(head) == 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return bufio.NewReader(&fromUTF16{in: b}), false, nil
	case len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return bufio.NewReader(&fromUTF16{in: b, big: true}), false, nil
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		b.Discard(3)
		return b, false, nil
	}
	return b, plain, nil
}

// member opens the one file of a zip archive.
func member(r io.Reader, name string, o readOptions) (io.Reader, error) {
	packed, err := io.ReadAll(r)
	if err != nil {
		return nil, ioProblem(name, 0, err, o.limits)
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, &ReadError{File: name, What: "the zip archive is damaged: " + err.Error(), Remedy: "fetch the file again"}
	}
	var files []*zip.File
	var names []string
	for _, f := range z.File {
		hidden := strings.HasPrefix(f.Name, "__MACOSX/") || strings.HasSuffix(f.Name, "/") || strings.HasPrefix(path.Base(f.Name), ".")
		if !hidden && (o.member == "" || o.member == f.Name) {
			files = append(files, f)
		}
		if !hidden {
			names = append(names, f.Name)
		}
	}
	if len(files) != 1 {
		return nil, &ReadError{
			File: name, What: "the zip archive holds " + list(names) + ", but one file is read", Remedy: "say which with datasets.Member",
		}
	}
	in, err := files[0].Open()
	if err != nil {
		return nil, &ReadError{File: name, What: "the zip archive is damaged: " + err.Error(), Remedy: "fetch the file again"}
	}
	return in, nil
}

// Member says which file of a zip archive is read, for an archive of several.
func Member(name string) Option { return func(o *readOptions) { o.member = name } }

// fromUTF16 makes UTF-8 of UTF-16.
type fromUTF16 struct {
	in   *bufio.Reader
	big  bool
	left []byte
	err  error // behind left
}

func (u *fromUTF16) unit() (rune, error) {
	var b [2]byte
	_, err := io.ReadFull(u.in, b[:])
	if u.big {
		b[0], b[1] = b[1], b[0]
	}
	return rune(b[0]) | rune(b[1])<<8, err
}

func (u *fromUTF16) Read(p []byte) (int, error) {
	for len(u.left) < len(p) && u.err == nil {
		r, err := u.unit()
		if err == nil && utf16.IsSurrogate(r) {
			var second rune
			if second, err = u.unit(); err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			r = utf16.DecodeRune(r, second)
		}
		if u.err = err; err == nil {
			u.left = utf8.AppendRune(u.left, r)
		}
	}
	if len(u.left) == 0 {
		return 0, u.err
	}
	n := copy(p, u.left)
	u.left = append(u.left[:0], u.left[n:]...)
	return n, nil
}

// Encoding names the encoding of a file that is not UTF-8, "ISO 8859-2", "Windows 1251", "KOI8-R", "IBM Code Page 437" or "Macintosh" say,
// or "UTF-16LE" and "UTF-16BE" for files without the mark by which UTF-16 is found out. Without it, entries that are not UTF-8 are taken
// for Windows 1252, in which most files of Western Europe are, and Show says so.
func Encoding(name string) Option {
	plainName := func(s string) string {
		return strings.NewReplacer(" ", "", "-", "", "_", "", "(", "", ")", "", "codepage", "", "cp", "windows", "latin1", "iso88591").
			Replace(strings.ToLower(s))
	}
	decoders := map[string]func(io.Reader) io.Reader{
		"utf8":    func(r io.Reader) io.Reader { return r },
		"utf16le": func(r io.Reader) io.Reader { return &fromUTF16{in: bufio.NewReader(r)} },
		"utf16be": func(r io.Reader) io.Reader { return &fromUTF16{in: bufio.NewReader(r), big: true} },
	}
	names := []string{"UTF-8", "UTF-16LE", "UTF-16BE"}
	for _, page := range charmap.All {
		if m, ok := page.(*charmap.Charmap); ok {
			names = append(names, m.String())
			decoders[plainName(m.String())] = m.NewDecoder().Reader
		}
	}
	return func(o *readOptions) {
		o.encoding = name
		if o.decode = decoders[plainName(name)]; o.decode == nil {
			o.err = fmt.Sprintf("Encoding: %q is unknown; there are %s", name, strings.Join(names, ", "))
		}
	}
}

// western reads bytes that are not UTF-8 as Windows 1252.
func western(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return s.String()
}

// limited is io.LimitedReader, except that the end of the allowance is an error and not the end of the file.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	return n, err
}

var errTooLong = errors.New("too long")

// ioProblem explains an error of reading itself.
func ioProblem(name string, line int, err error, limits Limits) error {
	e := &ReadError{File: name, Line: line, What: err.Error()}
	var quote *quoteError
	switch {
	case errors.Is(err, errTooLong):
		e.What = fmt.Sprintf("the file is longer than %d MB", limits.Bytes>>20)
		e.Remedy = "allow more with datasets.Within, or read a part with datasets.FirstRows"
	case errors.Is(err, errLongLine):
		e.What = fmt.Sprintf("the line is longer than %d MB", limits.line()>>20)
		e.Remedy = "allow more with datasets.Within"
	case errors.As(err, &quote):
		e.Line, e.Column = quote.at.line, quote.at.column
		if e.Remedy = `a quotation mark within a field is written twice, in a field in quotes: "a ""b"" c"`; quote.cause == errOpen {
			e.Remedy = "close it, or leave the rest of the file alone with datasets.FirstRows"
		}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		e.What, e.Remedy = "the file ends too early or is damaged ("+err.Error()+")", "fetch the file again"
	}
	return e
}

// open applies read to a file.
func open(path string, read func(io.Reader) (Set, error)) (Set, error) {
	f, err := opened(path)()
	if err != nil {
		return Set{}, err
	}
	defer f.Close()
	return read(f)
}
