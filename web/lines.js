// The table that is the answer, and what if: a line per input with its probability, its value
// to be changed where it stands, its place in the data, and what would look normal.
import { $, button, el, put, say, sv } from './dom.js';
import { S, save, together } from './state.js';
import { T, fixedFor, held, inputs, numeric, ofColumn, setHeld, target } from './study.js';
import { A, along } from './ask.js';
import { digits, fixed, some, ticks } from './words.js';
import { legend, span, strip } from './strip.js';
import * as api from './api.js';

const FEW = 14; // lines at once; of more, those that count
let table = [], all = false, act = {}, built = '';
export function start(acts) { act = acts; }

const outcome = () => ({ ...T.study.target, columns: [], levels: null, writing: 'number', kind: 'number', whole: false, outcome: true });

// ---- one line

function makeLine(k) {
  const input = k < 0 ? outcome() : ofColumn(k);
  const line = { k, input, name: input.name, tr: null, fold: null };
  const several = together(), open = () => toggle(line);
  line.tri = el('span', { class: 'tri', 'aria-hidden': 'true', text: '▸' });
  const words = [k < 0 ? `observed ${input.name}` : input.name];
  const unit = input.unit ? el('span', { class: 'u', text: input.unit }) : null;
  const model = k < 0 ? el('span', { class: 'u', text: 'or the model' }) : null;
  line.button = el('button', { type: 'button', 'aria-expanded': 'false', title: input.name, on: { click: open } }, line.tri, el('span', {}, ...words, ' ', unit, unit && model ? ' ' : '', model));
  line.bar = sv('path', {});
  line.p = el('td', { class: 'p', role: 'cell' });
  line.box = several && input.levels ? null : input.levels ? select(line) : box(line);
  line.scale = scaleOf(line);
  line.strip = strip(several ? null : input.histogram, line.scale, several ? 0 : input.levels?.length ?? 0);
  line.slider = slides(line) ? slider(line) : null;
  if (line.slider) line.strip.node.append(line.slider);
  line.set = button('', () => setNormal(line), { class: 'set' });
  line.range = el('span', { class: input.levels ? 'iv w' : 'iv' });
  line.undo = button('↺', () => { change(line, null); line.box?.focus(); }, { class: 'undo', 'aria-label': `${line.name} as recorded`, title: 'as recorded' });
  line.hold = k < 0 || fixedFor(input) ? null : button('hold', () => holding(line), { class: 'hold' });
  line.tr = el('tr', { role: 'row', class: k < 0 ? 'out' : 'in', 'data-k': k },
    el('th', { class: 'nm', scope: 'row', role: 'rowheader' }, line.button),
    el('td', { class: 'b', role: 'cell' }, sv('svg', { class: 'bar', viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, line.bar)),
    line.p, el('td', { class: 'now', role: 'cell' }, line.box), el('td', { class: 'sl', role: 'cell' }, line.strip.node),
    el('td', { class: 'nn', role: 'cell' }, line.set, ' ', line.range),
    el('td', { class: 'x', role: 'cell' }, line.undo, line.hold));
  return line;
}

const slides = line => numeric(line.input) && !fixedFor(line.input) && (together() || Number.isFinite(recordedValue(line)) || line.input.max > line.input.min);

const recordedValue = line => (line.k < 0 ? A.base.one.y[0] : A.base.one.x[0][line.k]);
const wordsOf = (answer, k) => answer?.words.lines?.find(one => (one.column ?? -1) === k) ?? null;

// The value as recorded, as a text of the box.
function recordedText(line) {
  if (together()) return '0';
  if (line.input.levels) return wordsOf(A.base, line.k)?.now ?? '';
  const v = recordedValue(line);
  return v === null ? '' : String(v);
}
const triedText = line => (together() ? S.shift[line.name] : line.k < 0 ? S.y : S.set[line.name]) ?? null;
const nowText = line => triedText(line) ?? recordedText(line);
const nowValue = line => Number(nowText(line) === '' ? NaN : nowText(line));

function scaleOf(line) {
  const { input, k } = line, words = wordsOf(A.base, k), normal = Number(words?.set || NaN);
  if (together()) {
    const reach = Math.max(...[input.histogram?.high - input.histogram?.low, Math.abs(normal) * 1.2, Math.abs(words?.low), Math.abs(words?.high)].filter(Number.isFinite), 1e-12);
    return [-reach, reach];
  }
  if (input.levels) return [-.5, input.levels.length - .5];
  return span([Number(input.histogram?.low ?? NaN), Number(input.histogram?.high ?? NaN), numeric(input) ? recordedValue(line) ?? NaN : NaN, normal]);
}

const decimalsOf = line => (line.input.whole || line.input.kind === 'whole' ? 0 : line.input.decimals ?? 2);
const stepOf = line => Math.max(10 ** -decimalsOf(line), (10 ** Math.floor(Math.log10((line.scale[1] - line.scale[0]) / 200))) || 0);

function slider(line) {
  const step = line.input.whole || line.input.kind === 'whole' ? 1 : 10 ** -decimalsOf(line);
  const node = el('input', { type: 'range', min: line.scale[0], max: line.scale[1], step: 'any', 'aria-label': `${line.k < 0 ? 'observed ' : ''}${line.name}`, class: 'range' });
  const take = () => change(line, fixedText(Math.round(Number(node.value) / step) * step, decimalsOf(line)), true);
  node.addEventListener('input', take);
  node.addEventListener('keydown', e => { // steps of the data, not of the pixels
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    nudge(line, by);
  });
  return node;
}
const fixedText = (v, decimals) => String(Number(v.toFixed(Math.min(12, decimals))));

function nudge(line, by) {
  const from = nowValue(line), start = Number.isFinite(from) ? from : Number(line.input.median ?? line.scale[0]);
  const step = line.input.whole || line.input.kind === 'whole' ? 1 : stepOf(line);
  change(line, fixedText(start + by * step, Math.max(decimalsOf(line), Math.ceil(-Math.log10(step)))), true);
}

function box(line) {
  const number = numeric(line.input);
  return el('input', { type: 'text', inputmode: number ? 'decimal' : null, autocomplete: 'off', spellcheck: 'false', maxlength: 60,
    'aria-label': `${line.k < 0 ? 'observed ' : ''}${line.name}${together() ? ', change of all rows' : ''}${line.input.unit ? `, ${line.input.unit}` : ''}`, placeholder: 'missing',
    on: {
      input: e => { const text = e.target.value.trim().replace('\u2212', '-'); if (checked(line, text)) change(line, text, false, true); },
      change: () => { if (!line.box.hasAttribute('aria-invalid')) line.box.value = nowText(line); },
      keydown: e => {
        if (number && (e.key === 'ArrowUp' || e.key === 'ArrowDown')) { e.preventDefault(); nudge(line, e.key === 'ArrowUp' ? 1 : -1); }
        if (e.key === 'Escape' && triedText(line) !== null) { e.stopPropagation(); change(line, null); }
      },
    } });
}

function checked(line, text) {
  const wrong = numeric(line.input) && (text === '' ? recordedText(line) !== '' : !Number.isFinite(Number(text)));
  put(line.box, { 'aria-invalid': wrong ? 'true' : null, title: wrong ? 'This is not a number: nothing was asked.' : null });
  return !wrong;
}

function select(line) {
  const values = line.input.levels.map(String), now = recordedText(line);
  if (!values.includes(now)) values.unshift(now);
  return el('select', { 'aria-label': line.name, on: { change: e => change(line, e.target.value) } },
    ...values.map(value => el('option', { value, text: value === '' ? 'missing' : value })));
}

// ---- acts

// Another value; null: as recorded. `typing`: the box has it already.
function change(line, text, dragging = false, typing = false) {
  take(line, text, typing);
  save();
  act.tried(dragging);
}
function take(line, text, typing = false) {
  const back = text === null || text === recordedText(line) || (numeric(line.input) && text !== '' && Number(text) === Number(recordedText(line) || NaN));
  if (together()) { if (back) delete S.shift[line.name]; else S.shift[line.name] = text; }
  else if (line.k < 0) S.y = back ? null : text;
  else if (back) delete S.set[line.name];
  else S.set[line.name] = text;
  put(line.box ?? el('i'), { 'aria-invalid': null, title: null });
  refreshLine(line, typing);
}

// What would look normal; of columns that look exchanged both, for neither would do alone.
function setNormal(line) {
  const answer = A.now ?? A.base, both = [line, otherOf(answer, line.k)].filter(Boolean).map(one => [one, wordsOf(answer, one.k)?.set]);
  if (!both.every(([, text]) => text)) return;
  for (const [one, text] of both) take(one, text);
  save();
  act.tried(false);
}
const otherOf = (answer, k) => table.find(one => one.k === wordsOf(answer, k)?.exchanged);

function holding(line) {
  const now = held();
  setHeld(now.includes(line.name) ? now.filter(name => name !== line.name) : [...now, line.name]);
  save();
  act.limited();
}
export const holdAt = node => node.closest('tr[data-k]')?.querySelector('.hold')?.click();

// The likeliest input that is not as it should be, or two that look exchanged: what "n" and the
// button set. Of several rows what is exchanged is no change that they share.
export function best() {
  const answer = A.now ?? A.base;
  if (together() && answer?.words.lines?.some(one => one.exchanged !== undefined)) return null;
  const words = answer?.words.lines?.filter(one => one.set && !one.held).sort((a, b) => b.p - a.p)[0];
  const line = words && table.find(one => one.k === (words.column ?? -1));
  const other = line && otherOf(answer, line.k);
  if (!line || line.k < 0 || A.base.words.verdict === 'normal') return null;
  return { name: other ? `${line.name}, ${other.name}` : line.name, text: other ? 'Exchange them' : `Set ${line.name} to normal`, set: () => setNormal(line) };
}

// ---- folds: f along the input, and its bounds

function toggle(line, on = !S.open.includes(key(line))) {
  S.open = on ? [...new Set([...S.open, key(line)])] : S.open.filter(name => name !== key(line));
  unfold(line);
  save();
}
const key = line => (line.k < 0 ? ' y' : line.name);

function unfold(line) {
  const on = S.open.includes(key(line));
  put(line.button, { 'aria-expanded': String(on) });
  say(line.tri, on ? '▾' : '▸');
  line.tr.classList.toggle('op', on);
  if (!on || line.k < 0 || together()) { line.fold?.remove(); line.fold = null; return; }
  if (line.fold) return;
  line.picture = sv('svg', { class: 'curve', role: 'img', 'aria-label': `f along ${line.name}` });
  line.fold = el('tr', { class: 'fold', role: 'row' }, el('td', { colspan: 7, role: 'cell' }, el('div', { class: 'f' }, line.picture, limits(line))));
  line.tr.after(line.fold);
  drawAlong(line);
}

function limits(line) {
  if (!numeric(line.input) || fixedFor(line.input)) return null;
  const ends = () => S.bounds[line.name] ?? ['', ''];
  const end = i => el('input', { type: 'text', inputmode: 'decimal', value: ends()[i], placeholder: 'no limit', maxlength: 40, 'aria-label': `${line.name}, ${i === 0 ? 'at least' : 'at most'}`,
    on: { change: e => {
      const text = e.target.value.trim(), now = ends();
      const wrong = text !== '' && !Number.isFinite(Number(text));
      put(e.target, { 'aria-invalid': wrong ? 'true' : null });
      if (wrong) return;
      now[i] = text;
      if (now[0] === '' && now[1] === '') delete S.bounds[line.name];
      else S.bounds[line.name] = now;
      save();
      act.limited();
    } } });
  return el('div', { class: 'limits' }, el('h3', { text: `Bounds of ${line.name}` }), el('label', {}, 'at least', end(0)), el('label', {}, 'at most', end(1)),
    el('p', { class: 'small', text: 'No explanation goes beyond them.' }));
}

async function drawAlong(line) {
  line.asking ??= api.latest();
  const signal = line.asking.next();
  try {
    const points = await along(line.input, signal);
    if (!line.fold) return;
    line.picture.toggleAttribute('hidden', points === null);
    if (points !== null) curve(line, points.filter(([, f]) => Number.isFinite(f)));
  } catch (error) {
    if (!api.cancelled(error) && line.fold) line.picture.replaceChildren(sv('text', { x: 0, y: 16, text: error.message }));
  } finally {
    line.asking.over(signal);
  }
}

function curve(line, points) {
  const svg = line.picture, { input } = line, W = Math.max(260, svg.getBoundingClientRect().width || 420), H = 150;
  const y0 = A.base.one.y[0], seen = S.y === null ? y0 : Number(S.y);
  const [low, high] = span([...points.map(([, f]) => f), seen]), air = (high - low) * .06;
  const y = v => H - 34 - (v - low + air) / (high - low + 2 * air) * (H - 44), levels = input.levels;
  const [a, b] = levels ? [-.5, points.length - .5] : span(points.map(([v]) => v));
  const x = v => 44 + (v - a) / (b - a) * (W - 56), out = [];
  if (!levels && Number.isFinite(input.p05)) out.push(sv('rect', { class: 'middle', x: x(Math.max(a, input.p05)), y: 8, width: Math.max(0, x(Math.min(b, input.p95)) - x(Math.max(a, input.p05))), height: H - 42 }));
  const scale = ticks(low - air, high + air, 4);
  for (const v of scale.at) out.push(sv('line', { class: 'grid', x1: 44, x2: W - 12, y1: y(v), y2: y(v) }), sv('text', { x: 38, y: y(v) + 4, 'text-anchor': 'end', text: digits(Number(v.toFixed(scale.decimals))) }));
  out.push(sv('line', { class: 'level', x1: 44, x2: W - 12, y1: y(seen), y2: y(seen) }), sv('text', { class: 'on', x: W - 14, y: y(seen) - 4, 'text-anchor': 'end', text: `observed ${digits(seen)}` }));
  if (levels) {
    const now = nowText(line), normal = wordsOf(A.now ?? A.base, line.k)?.set;
    points.forEach(([v, f], i) => {
      out.push(sv('line', { class: 'stem', x1: x(i), x2: x(i), y1: y(seen), y2: y(f) }), sv('text', { x: x(i), y: H - 18, 'text-anchor': 'middle', text: String(v).slice(0, 12) }));
      out.push(String(v) === normal && normal !== now ? mark('n', x(i), y(f)) : sv('circle', { class: String(v) === now ? 'o' : 'level', cx: x(i), cy: y(f), r: 4.6 }));
    });
  } else {
    out.push(sv('path', { class: 'f', d: points.map(([v, f], i) => `${i ? 'L' : 'M'}${x(v).toFixed(1)} ${y(f).toFixed(1)}`).join('') }));
    const under = ticks(a, b, W < 380 ? 4 : 6);
    for (const v of under.at) out.push(sv('text', { x: x(v), y: H - 20, 'text-anchor': 'middle', text: digits(Number(v.toFixed(under.decimals))) }));
    const at = (v, kind) => { if (v >= a && v <= b) out.push(mark(kind, x(v), y(interpolated(points, v)))); };
    at(nowValue(line), 'o');
    at(Number(wordsOf(A.now ?? A.base, line.k)?.set || NaN), 'n');
  }
  out.push(sv('text', { x: 4, y: H - 4, text: '↑ f' }), sv('text', { x: W - 12, y: H - 4, 'text-anchor': 'end', text: `${input.name.slice(0, 30)}${input.unit ? `, ${input.unit}` : ''} →${levels ? '' : ' shaded: 90\u00a0% of the data'}` }));
  svg.replaceChildren(...out);
  put(svg, { viewBox: `0 0 ${W} ${H}`, 'aria-label': `f along ${input.name}: from ${digits(points[0]?.[1])} to ${digits(points.at(-1)?.[1])}; observed ${digits(seen)}` });
}
const mark = (kind, x, y) => (kind === 'o' ? sv('circle', { class: 'o', cx: x, cy: y, r: 4.6 }) : sv('path', { class: 'n', d: `M${x} ${y - 5.4}L${x + 5.4} ${y}L${x} ${y + 5.4}L${x - 5.4} ${y}z` }));
function interpolated(points, v) {
  const i = points.findIndex(([at]) => at >= v);
  if (i <= 0) return points[Math.max(0, i)][1];
  const [x0, f0] = points[i - 1], [x1, f1] = points[i];
  return f0 + (f1 - f0) * (v - x0) / (x1 - x0 || 1);
}

// ---- the table

function heads() {
  const several = together(), calm = (A.now ?? A.base).words.verdict === 'normal';
  const words = ['input', calm ? 'if anyone' : 'responsible', '', several ? 'change by' : 'now', 'what if', 'would look normal, 90\u00a0%', ''];
  const classes = ['nm', 'b', 'p', 'now', 'sl', 'nn', 'x'];
  return el('tr', { role: 'row' }, ...words.map((text, i) => (text ? el('th', { scope: 'col', role: 'columnheader', class: classes[i], text }) : el('td', { role: 'cell', class: classes[i] }))));
}

// Lines in the order of the row as recorded; made anew only for another row.
export function build() {
  const body = $('who').tBodies[0], now = JSON.stringify([A.key, A.order]);
  $('who').hidden = !A.order;
  if (!A.order) { body.replaceChildren(); table = []; built = ''; return; }
  if (built !== now) {
    built = now;
    all = false;
    table = A.order.map(makeLine);
    body.replaceChildren(...table.map(line => line.tr));
    $('legend').replaceChildren(...legend(together()));
    for (const line of table) unfold(line);
  }
  refresh();
}

export function refresh() {
  if (table.length === 0 || !A.base) return;
  const calm = (A.now ?? A.base).words.verdict === 'normal';
  const head = $('who').tHead, key = `${together()} ${calm}`;
  if (head.dataset.key !== key) { head.replaceChildren(heads()); head.dataset.key = key; }
  $('who').classList.toggle('calm', calm);
  table.forEach((line, i) => { refreshLine(line, line.box === document.activeElement); fewer(line, i); });
  rest();
}

// Of very many inputs those that count, and what is changed, held or open.
function fewer(line, i) {
  line.tr.hidden = !all && table.length > FEW + 2 && i >= FEW && line.k >= 0 && triedText(line) === null && !S.open.includes(key(line)) && !line.tr.classList.contains('first');
  if (line.fold) line.fold.hidden = line.tr.hidden;
}
function rest() {
  const hidden = table.filter(line => line.tr.hidden).length;
  $('more').replaceChildren(...(hidden > 0 ? [button(`${some(hidden, 'more input')}, less likely or held`, () => { all = true; refresh(); }, { class: 'link' })] : []));
}

function refreshLine(line, typing) {
  const words = wordsOf(A.now ?? A.base, line.k), isHeld = Boolean(words?.held), ed = triedText(line) !== null;
  line.tr.classList.toggle('first', Boolean(words?.accused));
  line.tr.classList.toggle('held', isHeld);
  line.tr.classList.toggle('ed', ed);
  put(line.bar, { d: words?.p === undefined ? null : `M0 0H${(100 * words.p).toFixed(2)}V1H0z` });
  say(line.p, words?.responsible?.replace(' ', '\u00a0') ?? (isHeld ? 'held' : ''));
  if (line.box && !typing) line.box.value = nowText(line);
  value(line, words);
  const would = words?.would ?? '', can = Boolean(words?.set) && !(together() && line.input.levels) && !(line.k < 0 && together());
  say(line.set, would);
  line.set.hidden = would === '';
  const other = otherOf(A.now ?? A.base, line.k);
  put(line.set, { disabled: !can, 'aria-label': !can ? null : together() ? `change ${line.name} by ${would}` : `set ${line.name} to ${would}${other ? `, exchanged with ${other.name}` : ''}` });
  say(line.range, words?.range ?? '');
  line.undo.hidden = !ed;
  if (line.hold) {
    const on = held().includes(line.name);
    say(line.hold, on ? 'held' : 'hold');
    put(line.hold, { 'aria-pressed': String(on), 'aria-label': `${on ? 'held' : 'hold'} ${line.name}` });
  }
}

function value(line, words) {
  const { input } = line, levels = input.levels && !together(), at = text => input.levels.findIndex(level => String(level) === text);
  const normal = levels ? at(words?.set ?? '') : Number(words?.set || NaN);
  line.strip.normal(words && !words.held && (!levels || normal >= 0) && numericOrLevels(line) ? normal : NaN);
  line.strip.interval(words?.low ?? NaN, words?.high ?? NaN);
  line.strip.was(levels ? NaN : triedText(line) !== null && numeric(input) && recordedText(line) !== '' ? Number(recordedText(line)) : NaN);
  if (levels) line.strip.dot(at(nowText(line)) < 0 ? NaN : at(nowText(line)));
  const ends = S.bounds[line.name]?.map(text => (text === '' ? NaN : Number(text))) ?? [NaN, NaN];
  if (!together()) line.strip.limits(...ends);
  if (!line.slider) return;
  const now = nowValue(line);
  line.slider.value = Number.isFinite(now) ? now : (line.scale[0] + line.scale[1]) / 2;
  line.slider.classList.toggle('missing', !Number.isFinite(now));
  const unit = input.unit ? ` ${input.unit}` : '';
  put(line.slider, { 'aria-valuetext': `${Number.isFinite(now) ? digits(now) + unit : 'missing'}${words?.would ? `; ${words.would} would look normal` : ''}` });
}
const numericOrLevels = line => (line.input.levels ? !together() : numeric(line.input));

// f along what is open moves with the edits.
let soon = 0;
export function curvesAgain() {
  clearTimeout(soon);
  soon = setTimeout(() => { for (const line of table) if (line.fold) drawAlong(line); }, 90);
}
export const namesOf = list => list.map(name => inputs().find(one => one.name === name)?.name ?? (name === target() ? `observed ${name}` : name));
export const valueWords = (name, text) => `${name} ${Number.isFinite(Number(text)) && text !== '' ? fixed(Number(text), Math.min(12, (text.split('.')[1] ?? '').length)) : text || 'missing'}`;
