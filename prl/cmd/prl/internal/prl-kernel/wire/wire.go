// Package wire reads and writes the messages of Jupyter: a list of frames with the addresses of those who speak, a signature, and four
// parts in JSON.
package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"time"
)

// A Connection is the content of the file that Jupyter writes for a kernel.
type Connection struct {
	Transport       string `json:"transport"`
	IP              string `json:"ip"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
	Shell           int    `json:"shell_port"`
	Control         int    `json:"control_port"`
	Stdin           int    `json:"stdin_port"`
	IOPub           int    `json:"iopub_port"`
	Heartbeat       int    `json:"hb_port"`
	KernelName      string `json:"kernel_name,omitempty"`
}

// ReadConnection reads a connection file.
func ReadConnection(path string) (Connection, error) {
	var c Connection
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(text, &c)
}

// A Header says what a message is.
type Header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// A Message is one message. The parts stay as they came, so that one that is only passed on is not changed.
type Message struct {
	Addresses [][]byte
	Header    json.RawMessage
	Parent    json.RawMessage
	Metadata  json.RawMessage
	Content   json.RawMessage
	Buffers   [][]byte
}

var delimiter = []byte("<IDS|MSG>")

var (
	errFrames    = errors.New("a message of Jupyter lacks frames")
	errSignature = errors.New("a message of Jupyter has a wrong signature")
)

// Parse takes the frames of a message apart and looks at the signature.
func Parse(frames [][]byte, key string) (Message, error) {
	var m Message
	for i, frame := range frames {
		if !bytes.Equal(frame, delimiter) {
			continue
		}
		if len(frames) < i+6 {
			return m, errFrames
		}
		m.Addresses, m.Buffers = frames[:i], frames[i+6:]
		parts := frames[i+2 : i+6]
		if key != "" && !hmac.Equal([]byte(sign(key, parts)), frames[i+1]) {
			return m, errSignature
		}
		m.Header, m.Parent, m.Metadata, m.Content = parts[0], parts[1], parts[2], parts[3]
		return m, nil
	}
	return m, errFrames
}

// Frames is the message, signed.
func (m Message) Frames(key string) [][]byte {
	parts := [][]byte{orEmpty(m.Header), orEmpty(m.Parent), orEmpty(m.Metadata), orEmpty(m.Content)}
	frames := append([][]byte{}, m.Addresses...)
	frames = append(frames, delimiter, []byte(sign(key, parts)))
	frames = append(frames, parts...)
	return append(frames, m.Buffers...)
}

func orEmpty(part json.RawMessage) []byte {
	if len(part) == 0 {
		return []byte("{}")
	}
	return part
}

func sign(key string, parts [][]byte) string {
	if key == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(key))
	for _, part := range parts {
		mac.Write(part)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// Head is the header of the message; what cannot be read is empty.
func (m Message) Head() (h Header) {
	json.Unmarshal(m.Header, &h)
	return h
}

// ParentID is the id of the message that this one answers.
func (m Message) ParentID() string {
	var h Header
	json.Unmarshal(m.Parent, &h)
	return h.ID
}

// Set replaces fields of the content and keeps the others.
func (m *Message) Set(fields map[string]any) {
	content := map[string]any{}
	json.Unmarshal(m.Content, &content)
	for name, value := range fields {
		content[name] = value
	}
	m.Content, _ = json.Marshal(content) // of values that came from JSON, and of strings and numbers
}

// Answer is a message of a type to those who sent m.
func (m Message) Answer(kind string, content any) Message {
	asked := m.Head()
	header, _ := json.Marshal(Header{
		ID: NewID(), Session: asked.Session, Username: "kernel", Type: kind, Version: "5.3",
		Date: time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
	})
	body, _ := json.Marshal(content)
	return Message{Addresses: m.Addresses, Header: header, Parent: m.Header, Content: body}
}

// Publish is a message of a type for all, about m.
func (m Message) Publish(kind string, content any) Message {
	p := m.Answer(kind, content)
	p.Addresses = [][]byte{[]byte(kind)}
	return p
}

// NewID is an identifier that no other message has.
func NewID() string {
	var id [16]byte
	rand.Read(id[:])
	return hex.EncodeToString(id[:])
}
