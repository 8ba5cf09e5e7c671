// The lab's extension of JupyterLab and Notebook: it brings figures to life in every notebook that is opened, before a cell is run, whatever the file
// holds, and it shows completions with signatures and documentation. It is a module-federation container written by hand, so that nothing has to be built; what it needs of JupyterLab comes out of the scope
// that JupyterLab shares.
(() => {
  const name = '@prlab/lab';
  const files = { figure: 'FIGURES', chart: 'CHARTS' }; // set-up writes the names of the scripts here
  let shared = {};
  let lab = null; // the application

  async function load(module) {
    const versions = Object.values(shared[module] || {});
    if (!versions.length) throw new Error(`${name}: JupyterLab does not share ${module}`);
    return (await versions[0].get())();
  }

  // The scripts that draw. A page needs each of them once.
  const scripts = {};
  function need(kind) {
    if (scripts[kind]) return;
    const config = JSON.parse(document.getElementById('jupyter-config-data').textContent);
    const script = document.createElement('script');
    script.src = `${config.fullLabextensionsUrl}/${name}/static/${files[kind]}`;
    script.onerror = () => { delete scripts[kind]; script.remove(); };
    scripts[kind] = script;
    document.head.append(script);
  }

  // JupyterLab takes the data away from figures of a notebook that it does not trust. They are data and are drawn as such, so they get them back. A
  // live figure names a program, of the lab's own chapters or of a cell that was run here, and what its reader can set; that is data too. A chart of
  // go-echarts may hold functions, so it must be trusted.
  const lives = ['data-prl-live', 'data-prl-film', 'data-prl-src'];
  const kinds = [
    { kind: 'figure', queue: 'prlQueue', runtime: 'PrlPlot', safe: true },
    { kind: 'chart', queue: 'prlCharts', runtime: 'PrlCharts', safe: false },
  ];

  function enliven(node, source, trusted) {
    if (!source.includes('data-prl-')) return;
    const page = new DOMParser().parseFromString(source, 'text/html'); // runs nothing and loads nothing
    for (const { kind, queue, runtime, safe } of kinds) {
      if (!trusted && !safe) continue;
      const from = page.querySelectorAll(`img.prl-${kind}[data-prl-${kind}]`);
      const to = node.querySelectorAll(`img.prl-${kind}`);
      if (!from.length || from.length !== to.length) continue;
      need(kind);
      to.forEach((img, i) => {
        if (img.prlMounted) return;
        for (const name of [`data-prl-${kind}`, ...(kind === 'figure' ? lives : [])]) {
          const value = from[i].getAttribute(name);
          if (value !== null && (name !== 'data-prl-src' || /^[0-9a-f]{32}\.wasm\.gz$/.test(value))) img.setAttribute(name, value);
        }
        (window[queue] = window[queue] || []).push(img);
      });
      if (window[runtime]) window[runtime].drain();
    }
  }

  // home tells a live figure where it stands: the chapter, by the name of its file, and the id of its cell.
  function home(app, node) {
    for (const panel of app.shell.widgets('main')) {
      if (!panel.node.contains(node) || !panel.context) continue;
      const cell = (panel.content.widgets || []).find((one) => one.node.contains(node));
      for (let n = node; cell && n !== cell.node.parentNode; n = n.parentNode) { // controls that stay in sight may leave what hides what is too wide
        if (getComputedStyle(n).overflow !== 'visible') n.style.overflow = 'clip';
      }
      if (cell) return { chapter: panel.context.path.split('/').pop(), cell: cell.model.id };
    }
    return null;
  }

  function activate(app, rendermime, Html) {
    window.PrlLab = { home: (node) => home(app, node) };
    need('figure');
    readable();
    class Live extends Html {
      async render(model) {
        await super.render(model);
        enliven(this.node, String(model.data['text/html'] ?? ''), model.trusted);
      }
    }
    rendermime.addFactory({ safe: true, mimeTypes: ['text/html'], createRenderer: (options) => new Live(options) }, 40);
  }

  // The id of a proof is kept in notebooks so pale that not everybody can read it. It gets the strength of the numbers: a contrast over 4.5, light or dark.
  // Of a notebook that is not trusted JupyterLab leaves the class and the style, and not what else tells proofs from other text.
  function readable() {
    const style = document.createElement('style');
    style.textContent = '.prl-proofs span[style*="opacity"] { opacity: 0.75 !important; }'
      + '.jp-DirListing-item { padding-left: 4px !important; padding-right: 2px !important; font-size: 12px; }' // the names of chapters have the room
      + '.prl-waits { position: fixed; z-index: 10000; padding: 2px 8px; border: 1px solid var(--jp-border-color1); border-radius: 3px;'
      + ' background: var(--jp-layout-color1); color: var(--jp-ui-font-color1); font-size: var(--jp-ui-font-size1); }';
    document.head.append(style);
  }

  // A link may lead to a cell of a notebook. JupyterLab takes that out of the address together with the token, before the notebook is there.
  const fragment = window.location.hash;
  function goThere(app) {
    const { treePath } = JSON.parse(document.getElementById('jupyter-config-data').textContent);
    if (!fragment || !treePath) return;
    const look = () => {
      const panel = app.shell.currentWidget;
      if (!panel || !panel.setFragment || panel.context?.path !== treePath) return;
      app.shell.currentChanged.disconnect(look);
      panel.setFragment(fragment);
    };
    app.shell.currentChanged.connect(look);
    look();
  }

  // On a narrow screen a notebook has the room to itself, and formulas and tables that are wider scroll, and not the notebook.
  function narrow(app, shell) {
    const style = document.createElement('style');
    style.textContent = '.jp-RenderedHTMLCommon mjx-container[display="true"] { max-width: 100%; overflow: auto hidden; }'
      + '.jp-RenderedMarkdown table, .jp-OutputArea-output > table { display: block; width: fit-content; max-width: 100%; overflow: auto; }'
      + '.jp-Placeholder, .jp-Placeholder-contentContainer { min-width: 0; overflow: hidden; }'
      + '@media (max-width: 700px) { .jp-Notebook { padding: 4px 0 !important; } .jp-Notebook .jp-InputPrompt, .jp-Notebook .jp-OutputPrompt { display: none; } }';
    document.head.append(style);
    if (shell && window.innerWidth <= 700) app.restored.then(() => { shell.collapseLeft(); shell.collapseRight(); });
  }

  // What the kernel of the lab knows about a name and JupyterLab's own provider passes over. JupyterLab waits a second for it; if the kernel has not
  // answered by then, or is busy with the packages that the cell uses, a word at the cursor says so, and the list opens when it is there.
  const completions = {
    identifier: 'CompletionProvider:prl',
    rank: 700,
    renderer: null,
    async isApplicable(context) { return !!context.session?.kernel; },
    async fetch(request, context) {
      const place = cursor(context.editor);
      const content = await soon(ask(request, context), 900);
      if (place >= 0 && (!content || content.metadata?.prl_busy)) later(request, context, place);
      if (!content) return { start: request.offset, end: request.offset, items: [] };
      const known = content.metadata?._jupyter_types_experimental || [];
      const items = (content.matches || []).map((text, i) => {
        const { type, signature, documentation } = known[i] || {};
        const label = signature && signature.startsWith('(') ? text + signature : text; // JupyterLab compares what stands before the bracket
        const about = [signature && `${text}${signature.startsWith('(') ? '' : ' '}${signature}`, documentation].filter(Boolean).join('\n\n');
        return { label, insertText: text, type, documentation: about || undefined };
      });
      return { start: content.cursor_start, end: content.cursor_end, items };
    },
  };

  // ask returns what the kernel answers, or null if it has gone.
  async function ask(request, context) {
    try {
      return (await context.session.kernel.requestComplete({ code: request.text, cursor_pos: request.offset })).content;
    } catch (_) {
      return null;
    }
  }

  // cursor is the place of the cursor in the text of a cell.
  const cursor = (editor) => (editor && !editor.isDisposed ? editor.getOffsetAt(editor.getCursorPosition()) : -1);

  const soon = (promise, ms) => Promise.race([promise, new Promise((done) => { setTimeout(done, ms, null); })]);

  // later says at the cursor that completions are on their way. It asks again until they are there, and then opens their list, unless the reader has
  // gone on.
  let waiting = null; // the word at the cursor, of which there is one
  async function later(request, context, place) {
    const { editor } = context;
    waiting?.remove();
    const word = waiting = document.createElement('div');
    word.className = 'prl-waits';
    word.setAttribute('role', 'status');
    word.textContent = 'Completions are on their way; the list opens when it is ready …';
    const at = editor.getCoordinateForPosition(editor.getCursorPosition());
    Object.assign(word.style, { left: `${at.left}px`, top: `${at.bottom + 4}px` });
    document.body.append(word);
    const same = () => waiting === word && cursor(editor) === place && editor.hasFocus() && editor.model.sharedModel.getSource() === request.text;
    const end = Date.now() + 60000; // a package may have to be compiled first
    for (let content = null; same() && Date.now() < end;) {
      content = await soon(ask(request, context), 5000);
      if (content && !content.metadata?.prl_busy) {
        word.remove();
        if (same()) lab.commands.execute(context.widget?.content?.activeCell ? 'completer:invoke-notebook' : 'completer:invoke-file');
        return;
      }
      await new Promise((done) => { setTimeout(done, 200); });
    }
    word.remove();
  }

  // The kernel reads what cells import at the first question. It is asked one when somebody begins to write, and can answer at the first Tab.
  function wake(app) {
    const told = new WeakMap();
    document.addEventListener('keydown', (event) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || !event.target.closest?.('.jp-CodeCell .cm-content')) return;
      const kernel = app.shell.currentWidget?.sessionContext?.session?.kernel;
      if (!kernel || Date.now() - (told.get(kernel) || 0) < 60000) return;
      told.set(kernel, Date.now());
      kernel.requestComplete({ code: '', cursor_pos: 0 }).catch(() => {});
    }, true);
  }

  (window._JUPYTERLAB = window._JUPYTERLAB || {})[name] = {
    init(scope) { shared = scope; },
    async get() {
      const { IRenderMimeRegistry, RenderedHTML } = await load('@jupyterlab/rendermime');
      const plugin = {
        id: `${name}:figures`,
        description: 'Brings the figures of the Pattern Recognition Lab to life.',
        autoStart: true,
        requires: [IRenderMimeRegistry],
        activate: (app, rendermime) => activate(app, rendermime, RenderedHTML),
      };
      const { ICompletionProviderManager } = await load('@jupyterlab/completer');
      const completer = {
        id: `${name}:completions`,
        description: 'Shows completions of cells with signatures and documentation.',
        autoStart: true,
        optional: [ICompletionProviderManager],
        activate: (app, manager) => { lab = app; if (manager) manager.registerProvider(completions); wake(app); },
      };
      const { ILabShell } = await load('@jupyterlab/application');
      const room = {
        id: `${name}:room`,
        description: 'Leaves the room of a narrow screen to the notebook.',
        autoStart: true,
        optional: [ILabShell],
        activate: (app, shell) => narrow(app, shell),
      };
      const links = {
        id: `${name}:links`,
        description: 'Goes to the cell to which a link leads.',
        autoStart: true,
        optional: [ILabShell], // Notebook has none
        activate: goThere,
      };
      return () => ({ __esModule: true, default: [plugin, completer, room, links] });
    },
  };
})();
