package prl_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
)

// shows are the tables and figures of a plan that ask for nothing, or for one set, as text.
func shows(plan any, set datasets.Set) map[string]string {
	all := map[string]string{}
	v := reflect.ValueOf(plan)
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		if m.Type.NumOut() == 0 {
			continue
		}
		if answer := m.Type.Out(0); answer == v.Type() || !answer.Implements(reflect.TypeFor[interface{ Err() error }]()) {
			continue // a step, or a number, which ends the program where there is none
		}
		var given []reflect.Value
		switch {
		case m.Type.NumIn() == 1:
		case m.Type.NumIn() == 2 && m.Type.In(1) == reflect.TypeFor[datasets.Set]():
			given = []reflect.Value{reflect.ValueOf(set)}
		default:
			continue
		}
		switch out := v.Method(i).Call(given)[0].Interface().(type) {
		case *plotting.Figure:
			html, err := out.HTML()
			all[m.Name] = fmt.Sprint(html, err)
		default:
			all[m.Name] = fmt.Sprint(out)
		}
	}
	return all
}

// A plan whose model comes from the disk shows what it showed when it was fitted: slow fits are kept without being asked to.
func TestKeptPlansShowTheSame(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	shown := 0
	for name, make := range plans {
		if !reflect.ValueOf(make(two)).MethodByName("Keep").IsValid() {
			continue
		}
		kept := func() map[string]string {
			return shows(reflect.ValueOf(make(two)).MethodByName("Keep").Call(nil)[0].Interface(), two)
		}
		fitted, read := kept(), kept()
		for method, want := range fitted {
			if shown++; read[method] != want {
				t.Errorf("%s.%s: fitted %.300q, read %.300q", name, method, want, read[method])
			}
		}
	}
	if shown < 180 {
		t.Errorf("%d tables and figures were compared; there were 201 when this was written", shown)
	}
}
