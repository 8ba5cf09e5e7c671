// Package judge has the answers of one program judged by another, so that nothing the first declares, shows or ends can change what the
// second says of it. The program of the answers calls Serve. The judge has each answer by Func or Var, and calls it as its own: arguments
// and results are copied between the two, and functions among them are called where they come from.
//
// The verb collect makes both programs; a notebook needs none of this.
package judge

import (
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"sync"
)

// Socket is the number of the open file by which a judge speaks with the program of the answers.
const Socket = 3

// Serve gives answers to the judge at a socket until that has what it wants. Each is a function, or a pointer to a variable, by its name. A
// program that cannot reach its judge ends with an error.
func Serve(address string, answers map[string]any) {
	c, err := net.Dial("unix", address)
	if err == nil {
		p := newPeer(c, true)
		p.answers = answers
		for err == nil {
			err = p.serve()
		}
		c.Close()
	}
	if err != io.EOF {
		fmt.Fprintln(os.Stderr, "the answers cannot be judged:", err)
		os.Exit(1)
	}
}

// Func is the function of the answers with this name and this type.
func Func[F any](name string) (f F) {
	at := reflect.ValueOf(&f).Elem()
	at.Set(reflect.MakeFunc(at.Type(), func(args []reflect.Value) []reflect.Value {
		return connected().call(at.Type(), name, 0, args)
	}))
	return f
}

// Var is the variable of the answers with this name. The second argument, which tells its type, is what the chapter gives it.
func Var[T any](name string, _ T) (v T) {
	connected().get(name, reflect.ValueOf(&v).Elem())
	return v
}

// connected is the other program of this judge.
var connected = sync.OnceValue(func() *peer {
	return newPeer(os.NewFile(Socket, "answers"), false)
})

// A peer is the other program. Each may call functions of the other at any time, also while it is called.
type peer struct {
	stream  io.ReadWriter
	trusts  bool // the other program, so that what it sends may set what only a package itself sets
	answers map[string]any

	turn      sync.Mutex // to speak and listen
	functions []reflect.Value
}

func newPeer(stream io.ReadWriter, trusts bool) *peer { return &peer{stream: stream, trusts: trusts} }

// The kinds of messages.
const (
	callName   = 'n' // a function of the answers by its name
	callHandle = 'h' // a function that was an argument or a result
	getValue   = 'v'
	returned   = 'r'
	panicked   = 'p'
)

// fault is why the other program has not answered.
type fault struct{ error }

func (p *peer) ask(kind byte, body *writer) *reader {
	p.turn.Lock()
	defer p.turn.Unlock()
	err := send(p.stream, kind, body)
	for err == nil {
		var got byte
		var r *reader
		if got, r, err = receive(p.stream); err != nil {
			break
		}
		switch got {
		case returned:
			return r
		case panicked:
			panic(r.text())
		default:
			p.turn.Unlock()
			answer, body := p.answer(got, r)
			p.turn.Lock()
			err = send(p.stream, answer, body)
		}
	}
	panic(fault{fmt.Errorf("the program of the answers has ended: %w", err)})
}

// serve answers one message.
func (p *peer) serve() error {
	kind, r, err := receive(p.stream)
	if err != nil {
		return err
	}
	answer, body := p.answer(kind, r)
	p.turn.Lock()
	defer p.turn.Unlock()
	return send(p.stream, answer, body)
}

// answer does what is asked for, and returns what is to be sent.
func (p *peer) answer(kind byte, r *reader) (answer byte, body *writer) {
	defer func() {
		if why := recover(); why != nil {
			answer, body = panicked, &writer{}
			body.text(fmt.Sprint(why))
		}
	}()
	w := &writer{peer: p}
	r.peer = p
	switch kind {
	case getValue:
		name, form := r.text(), r.text()
		v := reflect.ValueOf(p.answers[name])
		number := reflect.TypeFor[float64]()
		switch {
		case v.Kind() != reflect.Pointer:
			panic(fmt.Sprintf("%s needs to be a variable of the type %s", name, form))
		case v.Elem().Type().String() == form:
			w.value(v.Elem(), 0)
		case form == number.String() && (v.Elem().CanInt() || v.Elem().CanUint()): // an answer of 2, which need not be written 2.0
			w.value(v.Elem().Convert(number), 0)
		default:
			panic(fmt.Sprintf("%s needs to be a variable of the type %s", name, form))
		}
	case callName, callHandle:
		var f reflect.Value
		if kind == callName {
			name, form := r.text(), r.text()
			f = reflect.ValueOf(p.answers[name])
			if f.Kind() != reflect.Func || f.Type().String() != form {
				panic(fmt.Sprintf("%s needs to be a %s", name, form))
			}
		} else {
			n := r.number()
			if n >= uint64(len(p.functions)) {
				panic("there is no such function")
			}
			f = p.functions[n]
		}
		args := make([]reflect.Value, f.Type().NumIn())
		for i := range args {
			args[i] = reflect.New(f.Type().In(i)).Elem()
			r.value(args[i], 0)
		}
		call := f.Call
		if f.Type().IsVariadic() {
			call = f.CallSlice
		}
		for _, result := range call(args) {
			w.value(result, 0)
		}
	default:
		panic("the other program speaks another language")
	}
	return returned, w
}

// call calls a function of the other program, by its name or its number.
func (p *peer) call(form reflect.Type, name string, number uint64, args []reflect.Value) []reflect.Value {
	w, kind := &writer{peer: p}, byte(callHandle)
	if name != "" {
		kind = callName
		w.text(name)
		w.text(form.String())
	} else {
		w.number(number)
	}
	for _, a := range args {
		w.value(a, 0)
	}
	r := p.ask(kind, w)
	r.peer = p
	results := make([]reflect.Value, form.NumOut())
	for i := range results {
		results[i] = reflect.New(form.Out(i)).Elem()
		r.value(results[i], 0)
	}
	return results
}

func (p *peer) get(name string, into reflect.Value) {
	w := &writer{peer: p}
	w.text(name)
	w.text(into.Type().String())
	r := p.ask(getValue, w)
	r.peer = p
	r.value(into, 0)
}
