// Where a value lies in the data: how often values occur, the value, what would look normal
// with its 90 % interval. The signs are those of the reports (look.css).
import { el, put, sv } from './dom.js';

const W = 1000, BASE = 28;

// low..high of the strip, from what is to be seen on it.
export function span(values) {
  const seen = values.filter(Number.isFinite);
  let low = Math.min(...seen), high = Math.max(...seen);
  if (seen.length === 0) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 1, high + 1];
  return [low, high];
}

const column = (x, width, height) => `M${x.toFixed(1)} ${BASE - 2}v${(-height).toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}`;

function bars(counts, at) {
  const most = Math.max(1, ...counts);
  return counts.map((n, i) => (n > 0 ? column(...at(i), Math.max(1, 24 * n / most)) : '')).join('');
}

// A strip on [low, high]; of levels each in the middle of its column.
export function strip(histogram, [low, high], levels) {
  const x = v => W * (v - low) / (high - low);
  let path = '';
  if (levels) path = bars(histogram?.counts ?? [], i => [W * (i + .08) / levels, W * .84 / levels]);
  else if (histogram?.low !== null && histogram) {
    const { counts, low: a, high: b } = histogram, w = (b - a) / counts.length;
    path = bars(counts, i => [x(a + w * i) + 1, Math.max(2, x(a + w * (i + 1)) - x(a + w * i) - 2)]);
  }
  const between = sv('path', { class: 'i', 'vector-effect': 'non-scaling-stroke' });
  const svg = sv('svg', { viewBox: `0 0 ${W} 34`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    sv('path', { class: 'h', d: path }), sv('path', { class: 't', d: `M0 ${BASE}H${W}`, 'vector-effect': 'non-scaling-stroke' }), between);
  const mark = kind => el('i', { class: kind, 'aria-hidden': 'true' });
  const normal = mark('norm'), was = mark('was'), dot = levels ? mark('dot') : null, lower = mark('cut'), upper = mark('cut');
  const node = el('div', { class: 'slide' }, svg, lower, upper, normal, was, dot);
  const share = v => Math.max(0, Math.min(1, (v - low) / (high - low)));
  const move = (part, v) => {
    part.hidden = !Number.isFinite(v);
    if (!part.hidden) put(part, { style: { left: `calc(var(--half) + (100% - 2 * var(--half)) * ${share(v).toFixed(4)})` } });
  };
  return {
    node,
    normal: v => move(normal, v),
    was: v => move(was, v),
    dot: v => { if (dot) move(dot, v); },
    interval(a, b) {
      const some = Number.isFinite(a) && Number.isFinite(b) && b > a && b > low && a < high;
      put(between, { d: some ? `M${(W * share(a)).toFixed(1)} ${BASE}H${(W * share(b)).toFixed(1)}` : null });
    },
    limits(a, b) {
      lower.hidden = !(Number.isFinite(a) && a > low);
      upper.hidden = !(Number.isFinite(b) && b < high);
      if (!lower.hidden) put(lower, { style: { left: 'var(--half)', width: `calc((100% - 2 * var(--half)) * ${share(a).toFixed(4)})` } });
      if (!upper.hidden) put(upper, { style: { right: 'var(--half)', width: `calc((100% - 2 * var(--half)) * ${(1 - share(b)).toFixed(4)})` } });
    },
  };
}

// What the signs mean; once for the table.
export function legend(several) {
  const key = (...marks) => sv('svg', { class: 'key', viewBox: '0 0 16 12', 'aria-hidden': 'true' }, ...marks);
  const part = (sign, text) => el('span', {}, sign, text);
  return [
    several ? null : part(key(sv('path', { class: 'h', d: 'M1 11v-5h4v5M6 11v-9h4v9M11 11v-6h4v6' })), 'how often in the data'),
    part(key(sv('circle', { class: 'o', cx: 8, cy: 6, r: 4.2 })), several ? 'the change tried' : 'now'),
    several ? null : part(key(sv('path', { class: 'w', d: 'M8 0V12' })), 'as recorded'),
    part(key(sv('path', { class: 'n', d: 'M8 1.6L12.4 6L8 10.4L3.6 6z' })), 'would look normal if it alone were wrong'),
    part(key(sv('path', { class: 'i', d: 'M0 6H16' })), 'its 90\u00a0% interval'),
  ].filter(Boolean);
}
