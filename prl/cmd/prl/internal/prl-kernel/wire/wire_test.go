package wire

import (
	"testing"
)

func TestFramesAndBack(t *testing.T) {
	m := Message{
		Addresses: [][]byte{[]byte("a"), []byte("b")}, Header: []byte(`{"msg_id":"1","msg_type":"execute_request","session":"s"}`),
		Content: []byte(`{"code":"x","other":1}`), Buffers: [][]byte{[]byte("buffer")},
	}
	m.Set(map[string]any{"code": "y"})
	frames := m.Frames("key")
	got, err := Parse(frames, "key")
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Content) != `{"code":"y","other":1}` || string(got.Addresses[1]) != "b" || string(got.Buffers[0]) != "buffer" ||
		got.Head().ID != "1" {
		t.Errorf("got %s, %s", got.Content, got.Header)
	}
	answer := got.Answer("execute_reply", map[string]any{"status": "ok"})
	if answer.ParentID() != "1" || answer.Head().Type != "execute_reply" || answer.Head().Session != "s" {
		t.Errorf("got %s to %s", answer.Header, answer.Parent)
	}
	if _, err := Parse(frames, "another"); err == nil {
		t.Error("a message with a wrong signature is taken")
	}
	for n := range len(frames) - 1 {
		if _, err := Parse(frames[:n], "key"); err == nil {
			t.Errorf("a message with %d of %d frames is taken", n, len(frames))
		}
	}
}
