// Draws charts of go-echarts that arrive as <img class="prl-chart" data-prl-chart="base64 of gzipped JSON">. The chart is a user's own
// program, so options that go-echarts marks as functions are revived where ECharts calls them; data, names and titles never are.

const charts = new Set();

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

const callable = new Set(['formatter', 'valueFormatter', 'labelFormatter', 'pageFormatter', 'renderItem', 'symbol', 'symbolSize', 'symbolRotate',
  'color', 'sort', 'position', 'labelLayout', 'interval', 'min', 'max', 'onclick', 'optionToContent', 'contentToOption',
  'animationDelay', 'animationDuration', 'animationDelayUpdate', 'animationDurationUpdate']);
function revive(node) {
  if (!node || typeof node !== 'object') return;
  for (const key of Object.keys(node)) {
    const v = node[key];
    if (typeof v !== 'string') { if (key !== 'data') revive(v); } else if (callable.has(key) && /^__f__[^]*__f__$/.test(v)) node[key] = new Function('return (' + v.slice(5, -5) + ')')();
  }
}

function isDark(node) {
  for (let n = node; n; n = n.parentElement) {
    const m = getComputedStyle(n).backgroundColor.match(/[\d.]+/g);
    if (m && (m.length < 4 || +m[3] > 0.5)) return 0.299 * m[0] + 0.587 * m[1] + 0.114 * m[2] <= 128;
  }
  return false;
}

class Chart {
  constructor(img, spec) {
    this.spec = spec;
    this.host = document.createElement('div');
    this.host.className = 'prl-chart-host';
    this.host.style.maxWidth = spec.width + 'px';
    this.box = document.createElement('div');
    this.box.className = 'prl-chart-box';
    this.box.style.height = spec.height + 'px';
    this.box.setAttribute('role', 'img');
    this.box.setAttribute('aria-label', img.alt);
    img.parentNode.insertBefore(this.host, img);
    this.host.append(img, this.box);
    this.observer = new ResizeObserver(() => this.life());
    this.observer.observe(this.host);
  }

  life() {
    if (!this.host.isConnected) {
      requestAnimationFrame(() => { if (!this.host.isConnected) this.dispose(); });
    } else if (this.host.clientWidth) {
      if (!this.chart) this.start(); else this.chart.resize();
    }
  }

  start() {
    this.dark = isDark(this.host);
    this.chart = PrlECharts.init(this.box, this.dark ? 'dark' : null);
    const option = JSON.parse(JSON.stringify(this.spec.option));
    revive(option);
    if (!option.backgroundColor) option.backgroundColor = 'transparent';
    this.chart.setOption(option);
    charts.add(this);
  }

  // dispose has the painter begin anew with nothing first: ECharts paints what is large in steps, one a frame, and ends a painting only when another
  // begins. The next step would find its painter gone.
  dispose() {
    if (this.chart) {
      const pen = this.chart.getZr();
      pen.clear();
      pen.refreshImmediately();
      this.chart.dispose();
    }
    this.chart = null;
    charts.delete(this);
  }

  retheme() {
    if (this.host.isConnected && isDark(this.host) !== this.dark) { this.dispose(); this.start(); }
  }
}

async function mount(img) {
  if (img.prlMounted) return;
  img.prlMounted = true;
  try {
    const spec = await inflate(img.getAttribute('data-prl-chart'));
    for (let i = 0; !img.parentNode && i < 100; i++) await new Promise((done) => setTimeout(done, 50));
    if (img.parentNode) new Chart(img, spec);
  } catch (err) {
    console.warn('prl: the chart is not drawn:', err);
  }
}

const queue = (window.prlCharts = window.prlCharts || []);
function drain() { for (let img = queue.shift(); img; img = queue.shift()) mount(img); }

const sheet = document.createElement('style');
sheet.textContent = '.prl-chart-host{width:100%}.prl-chart-host>img{display:none!important}';
document.head.appendChild(sheet);
const watch = () => new MutationObserver(() => requestAnimationFrame(() => { for (const c of [...charts]) c.retheme(); }))
  .observe(document.body, { attributes: true, attributeFilter: ['class', 'style', 'data-theme', 'data-jp-theme-light', 'data-vscode-theme-kind'] });
if (document.body) watch(); else document.addEventListener('DOMContentLoaded', watch);
window.PrlCharts = { drain, charts };
drain();
