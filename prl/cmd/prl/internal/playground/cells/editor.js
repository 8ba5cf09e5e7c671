// The editor of a cell: CodeMirror with the colours of the page, and a line that says what is wrong.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { go } from '@codemirror/lang-go';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

class Words extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const p = document.createElement('p');
    p.className = 'go-wrong';
    p.textContent = this.text;
    return p;
  }
}

// mark sets what is wrong: [{line, text}], with lines from 1. It stands until the text changes.
const mark = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(shown, change) {
    if (change.docChanged) shown = Decoration.none;
    for (const e of change.effects) {
      if (!e.is(mark)) continue;
      shown = Decoration.set(e.value.filter((w) => w.line <= change.state.doc.lines).flatMap(({ line, text }) => {
        const { from, to } = change.state.doc.line(line);
        return [Decoration.line({ class: 'go-wrong-line' }).range(from), Decoration.widget({ widget: new Words(text), block: true, side: 1 }).range(to)];
      }), true);
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// edit puts an editor into a place. changed is told each new text, and run is called for Shift+Enter.
export function edit(place, text, name, changed, run) {
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Shift-Enter', run: () => { run(); return true; } }]),
        lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), indentUnit.of('\t'), EditorState.tabSize.of(4), go(), syntaxHighlighting(classHighlighter),
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]), marks,
        EditorView.contentAttributes.of({ 'aria-label': name, spellcheck: 'false' }),
        EditorView.updateListener.of((u) => { if (u.docChanged) changed(u.state.doc.toString()); }),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    wrong: (list) => view.dispatch({ effects: mark.of(list) }),
    remove: () => view.destroy(),
  };
}
