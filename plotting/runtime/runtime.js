// The live half of a figure. A figure arrives as <img class="prl-figure" data-prl-figure="base64 of a gzipped spec">, showing its still.
// This script draws the same marks with ECharts over it. It runs inside one function together with ECharts (see README.md), which
// hands it two names: PrlECharts and config {version, light, dark, font, sizes}. It writes text only with textContent, evaluates
// nothing, and asks the network for nothing.

import { el, inflate } from './tools.js';
import { darkPage } from './paint.js';
import { Figure, groups, live } from './figure.js';

const parsed = document.readyState === 'loading' ? new Promise((done) => document.addEventListener('DOMContentLoaded', done)) : null;
const queue = (window.prlQueue = window.prlQueue || []);

async function mount(img) {
  if (img.prlMounted) return;
  img.prlMounted = true;
  try {
    const spec = await inflate(img.getAttribute('data-prl-figure'));
    for (let i = 0; !img.parentNode && i < 100; i++) await new Promise((done) => setTimeout(done, 50)); // some viewers load images before they place them
    if (!img.parentNode) return;
    if (img.hasAttribute('data-prl-film')) await parsed; // the page's program may stand behind it
    if (img.parentNode.classList && img.parentNode.classList.contains('prl-host')) return;
    new Figure(img, spec);
  } catch (err) {
    console.warn('prl: the figure stays still:', err); // a damaged spec must not cost the reader the picture
  }
}

function drain() {
  for (let img = queue.shift(); img; img = queue.shift()) mount(img);
}

function sweep() {
  document.querySelectorAll('img.prl-figure[data-prl-figure]').forEach((img) => { if (img.complete) mount(img); });
}

// Where the colours of the page change, words take them at once, so that none is unreadable. Pictures follow: those in view with the next
// frame, the others a few with each frame after it, the nearest first.
const slice = 12; // milliseconds
let pending = 0;
function rethemeAll() {
  for (const f of live) if (f.host.isConnected) f.follow();
  pending = pending || requestAnimationFrame(repaint);
}

function repaint() {
  pending = 0;
  const began = performance.now(), faded = [];
  for (const f of live) {
    if (!f.host.isConnected || !f.host.clientWidth) continue; // one that is hidden is drawn when it is seen
    f.follow();
    if (!f.faded) continue;
    const r = f.host.getBoundingClientRect();
    faded.push([Math.max(r.top - innerHeight, -r.bottom, 0), f]);
  }
  faded.sort((a, b) => a[0] - b[0]);
  for (const [away, f] of faded) {
    if (away && performance.now() - began > slice) {
      pending = requestAnimationFrame(repaint);
      return;
    }
    f.draw();
  }
}

const sheet = el('style');
sheet.textContent = config.css;
document.head.appendChild(sheet);
new MutationObserver(rethemeAll).observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'style', 'data-theme', 'data-jp-theme-light', 'data-jp-theme-name'] });
const watchBody = () => new MutationObserver(rethemeAll).observe(document.body, { attributes: true, attributeFilter: ['class', 'style', 'data-theme', 'data-jp-theme-light', 'data-jp-theme-name', 'data-vscode-theme-kind', 'data-vscode-theme-id'] });
if (document.body) watchBody(); else document.addEventListener('DOMContentLoaded', watchBody);
window.addEventListener('resize', () => { for (const f of live) f.refit(); });
darkPage.addEventListener('change', rethemeAll);
document.addEventListener('transitionend', (e) => { if (e.propertyName === 'background-color' && e.target === document.body) rethemeAll(); });

window.PrlPlot = { version: config.version, drain, live, groups };
drain();
sweep();
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', sweep);
