// Two pictures of all rows: predicted against observed, and the residuals. Marks are drawn on
// a canvas, however many there are; what is chosen or pointed at, and the axes, in SVG.
import { $, put, sv, say } from './dom.js';
import { S } from './state.js';
import { T, filters, know, label, target } from './study.js';
import { chosenFacts, chosenWords } from './rows.js';
import { count, digits, signed, some, ticks } from './words.js';
import * as api from './api.js';

const EDGE = { left: 40, right: 10, top: 8, bottom: 33 };
const asking = api.latest();
let data = null, scale = null, act = {}, hovered = null, tried = null;

export async function load() {
  const signal = asking.next();
  try {
    const asked = filters(); // the residuals stay whole while they are a filter themselves
    const [all, whole] = await Promise.all([api.get('map', asked, signal), asked.off ? api.get('map', { ...asked, off: null, worst: 0 }, signal) : null]);
    data = { ...all, residuals: (whole ?? all).residuals };
    for (const [row, f, y] of [...(data.points ?? []), ...data.worst]) know(row, { f, y });
    draw();
  } catch (error) {
    if (!api.cancelled(error)) act.failed(error);
  } finally {
    asking.over(signal);
  }
}

const marksOf = () => data.points ?? data.worst;
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Both axes have the same span, so that the diagonal is one.
function axes(width, height) {
  const ends = [...data.f, ...data.y].filter(v => v !== null);
  for (const one of chosenFacts()) ends.push(one.f, one.y);
  if (tried) ends.push(tried.f, tried.y);
  const low0 = Math.min(...ends), high0 = Math.max(...ends), air = (high0 - low0 || 1) * .04;
  const low = low0 - air, high = high0 + air;
  const { left, right, top, bottom } = EDGE;
  return {
    low, high,
    x: v => left + (v - low) / (high - low) * (width - left - right),
    y: v => height - bottom - (v - low) / (high - low) * (height - top - bottom),
    f: px => low + (px - left) / (width - left - right) * (high - low),
    seen: py => low + (height - bottom - py) / (height - top - bottom) * (high - low),
  };
}

export function draw() {
  const box = $('map').getBoundingClientRect();
  if (!data || box.width < 60 || box.height < 60) return;
  const ends = [...data.f, ...data.y];
  if (ends.some(v => v === null)) { // no row matches
    put($('marks'), { viewBox: `0 0 ${box.width} ${box.height}`, 'aria-label': 'Nothing to draw: no row matches.' });
    $('marks').replaceChildren(sv('text', { x: box.width / 2, y: box.height / 2, 'text-anchor': 'middle', text: 'nothing to draw' }));
    $('dots').width = 0;
    $('hist').replaceChildren();
    return;
  }
  scale = axes(box.width, box.height);
  drawDots(box.width, box.height);
  drawMarks(box.width, box.height);
  drawResiduals();
}

function drawDots(width, height) {
  const canvas = $('dots'), ratio = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext('2d'), sigma = T.study.sigma;
  pen.scale(ratio, ratio);
  const band = sigma ? 2 * sigma : 0, { low, high, x, y } = scale;
  if (band) {
    pen.save();
    pen.beginPath();
    pen.rect(EDGE.left, EDGE.top, width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom);
    pen.clip();
    pen.fillStyle = colour('--band');
    pen.beginPath();
    for (const [f, v] of [[low, low - band], [high, high - band], [high, high + band], [low, low + band]]) pen.lineTo(x(f), y(v));
    pen.fill();
    pen.restore();
  }
  if (data.bins) drawBins(pen);
  const far = ([, f, v]) => sigma !== null && Math.abs(v - f) >= 2 * sigma;
  const points = marksOf(), crowd = points.length > 1200;
  for (const strange of [false, true]) {
    pen.fillStyle = colour(strange ? '--ink' : '--nil');
    pen.globalAlpha = strange ? .9 : crowd ? .5 : .75;
    const size = strange ? (crowd ? 2.6 : 4.2) : crowd ? 1.8 : 3.2;
    for (const point of points)
      if ((data.bins ? true : far(point)) === strange) {
        pen.beginPath();
        pen.arc(x(point[1]), y(point[2]), size, 0, 7);
        pen.fill();
      }
  }
  pen.globalAlpha = 1;
}

// Squares, the more rows the darker, on a logarithm.
function drawBins(pen) {
  const { columns, rows, counts } = data.bins, { x, y } = scale;
  const most = Math.log1p(Math.max(...counts)), [f0, f1] = data.f, [y0, y1] = data.y;
  pen.fillStyle = colour('--nil');
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const n = counts[j * columns + i];
      if (n === 0) continue;
      const left = x(f0 + (f1 - f0) * i / columns), right = x(f0 + (f1 - f0) * (i + 1) / columns);
      const low = y(y0 + (y1 - y0) * j / rows), high = y(y0 + (y1 - y0) * (j + 1) / rows);
      pen.globalAlpha = .12 + .8 * Math.log1p(n) / most;
      pen.fillRect(left + .5, high + .5, Math.max(1, right - left - 1), Math.max(1, low - high - 1));
    }
  pen.globalAlpha = 1;
}

function drawMarks(width, height) {
  const svg = $('marks'), { low, high, x, y } = scale, right = width - EDGE.right, bottom = height - EDGE.bottom;
  const out = [], text = (at, up, words, anchor) => out.push(sv('text', { x: at, y: up, 'text-anchor': anchor, text: words }));
  const across = ticks(low, high, width < 420 ? 4 : 6), up = ticks(low, high, 5);
  for (const v of across.at) {
    out.push(sv('line', { class: 'grid', x1: x(v), x2: x(v), y1: EDGE.top, y2: bottom }));
    if (x(v) < right - 6) text(x(v), bottom + 14, digits(Number(v.toFixed(across.decimals))), 'middle');
  }
  for (const v of up.at) {
    out.push(sv('line', { class: 'grid', x1: EDGE.left, x2: right, y1: y(v), y2: y(v) }));
    text(EDGE.left - 6, y(v) + 4, digits(Number(v.toFixed(up.decimals))), 'end');
  }
  out.push(sv('line', { class: 'diagonal', x1: x(low), y1: y(low), x2: x(high), y2: y(high) }));
  const name = target().length > 22 ? target().slice(0, 21) + '…' : target();
  text(right, height - 4, `predicted ${name} →`, 'end');
  text(4, height - 4, T.study.sigma ? '↑ observed; shaded: 2 σ' : '↑ observed', 'start');
  out.push(...chosen(right));
  svg.replaceChildren(...out);
  put(svg, { viewBox: `0 0 ${width} ${height}`, 'aria-label': spoken() });
}

function chosen(right) {
  const { x, y } = scale, out = [], all = chosenFacts(), said = [];
  all.slice(0, 200).forEach((one, i) => {
    out.push(sv('line', { class: 'residual', x1: x(one.f), x2: x(one.f), y1: y(one.f), y2: y(one.y) }),
      sv('circle', { class: 'chosen', cx: x(one.f), cy: y(one.y), r: all.length > 12 ? 3.4 : 5.5 }));
    const words = `row ${label(one.row)}`.slice(0, 22), left = x(one.f) > right - 70;
    const at = [x(one.f) + (left ? -9 : 9), y(one.y) + (one.y < one.f ? 13 : -7)];
    if (i > 5 || said.some(([px, py]) => Math.abs(px - at[0]) < 64 && Math.abs(py - at[1]) < 14)) return;
    said.push(at);
    out.push(sv('text', { class: 'name', x: at[0], y: at[1], 'text-anchor': left ? 'end' : 'start', text: words }));
  });
  if (tried && Number.isFinite(tried.f)) {
    const from = all[0] ?? tried;
    out.push(sv('line', { class: 'tried', x1: x(from.f), y1: y(from.y), x2: x(tried.f), y2: y(tried.y) }),
      sv('circle', { class: 'hollow', cx: x(tried.f), cy: y(tried.y), r: 5.5 }));
  }
  return out;
}

function spoken() {
  const strange = T.study.sigma ? marksOf().filter(([, f, y]) => Math.abs(y - f) >= 2 * T.study.sigma).length : 0;
  const far = T.study.sigma && data.points ? `, ${strange} farther than 2 sigma from the prediction` : '';
  return `Observed against predicted ${target()}. ${some(data.matching, 'row')}${far}. Chosen: ${S.own ? 'your own row' : chosenWords()}. The table lists the same rows.`;
}

// ---- residuals

// Their bins are steps of half a sigma; the outermost hold what is beyond them.
let bars = [];
function drawResiduals() {
  const svg = $('hist'), { width, height } = svg.getBoundingClientRect(), { low, high, counts, sigma } = data.residuals;
  if (width < 60 || low === null || counts.length === 0) { svg.replaceChildren(); return; }
  const base = height - 17, most = Math.max(...counts), wide = (width - 20) / counts.length;
  const x = z => 10 + (z - low) / (high - low || 1) * (width - 20), out = [];
  bars = counts.map((_, i) => [low + (high - low) * i / counts.length, low + (high - low) * (i + 1) / counts.length]);
  counts.forEach((n, i) => {
    const h = n === 0 ? 0 : Math.max(1.5, (base - 8) * n / most), on = S.off && (S.off[0] ?? low) === bars[i][0] && (S.off[1] ?? high) === bars[i][1];
    out.push(sv('rect', { class: on ? 'bin on' : 'bin', x: 10 + wide * i + .5, y: base - h, width: Math.max(1, wide - 1), height: h }),
      sv('rect', { class: 'catch', x: 10 + wide * i, y: 0, width: wide, height: base, 'data-bin': i },
        sv('title', { text: `${some(n, 'row')}, ${signed(bars[i][0], 1)} to ${signed(bars[i][1], 1)} σ` })));
  });
  const each = (width - 20) / (high - low || 1), every = each < 18 ? 4 : each < 36 ? 2 : 1;
  for (let z = Math.ceil(low); z <= high; z++) {
    const at = x(z);
    if (z % every !== 0 || (z !== 0 && Math.abs(at - x(0)) < 50) || at < 14 || at > width - 14) continue;
    out.push(sv('line', { class: 'notch', x1: at, x2: at, y1: base, y2: base + 3 }), sv('text', { x: at, y: height - 3, 'text-anchor': 'middle', text: z === 0 ? 'as predicted' : `${signed(z, 0)} σ` }));
  }
  for (const one of sigma ? chosenFacts().slice(0, 60) : []) {
    const at = Math.max(6, Math.min(width - 6, x((one.y - one.f) / sigma)));
    out.push(sv('path', { class: 'mark', d: `M${at - 4} ${base - 9}h8l-4 8z` }));
  }
  svg.replaceChildren(...out);
  put(svg, { viewBox: `0 0 ${width} ${height}`, 'aria-label': `Residuals of ${some(data.matching, 'row')}, from ${signed(low, 1)} to ${signed(high, 1)} sigma. “range of… off by” filters by them.` });
}

function pickBin(e) {
  const i = e.target.closest?.('[data-bin]')?.dataset.bin;
  if (i === undefined) return;
  const ends = [...bars[i]], last = bars.length - 1;
  if (Number(i) === 0) ends[0] = null;
  if (Number(i) === last) ends[1] = null;
  const same = S.off && S.off[0] === ends[0] && S.off[1] === ends[1];
  S.off = same ? null : ends;
  S.page = 0;
  act.filter();
}

// ---- pointing

const where = e => { const box = $('map').getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
function nearest([px, py]) {
  let best = null, least = 14 * 14;
  if (!data || !scale) return null;
  for (const [row, f, y] of marksOf()) {
    const d = (scale.x(f) - px) ** 2 + (scale.y(y) - py) ** 2;
    if (d < least) { least = d; best = row; }
  }
  return best;
}

export function hover(row, facts) {
  hovered = row;
  $('marks').querySelector('.ring')?.remove();
  const tip = $('tip');
  tip.hidden = row === null || !facts || !scale || !Number.isFinite(facts.f) || !Number.isFinite(facts.y);
  if (tip.hidden) return;
  const px = scale.x(facts.f), py = scale.y(facts.y);
  $('marks').append(sv('circle', { class: 'ring', cx: px, cy: py, r: 7.5 }));
  say(tip, `row ${label(row)} · observed ${digits(facts.y)} · predicted ${digits(facts.f)}`);
  const room = $('map').clientWidth;
  put(tip, { style: { left: `${Math.max(4, Math.min(px + 12, room - tip.offsetWidth - 4))}px`, top: `${Math.max(2, py - 32)}px` } });
}

let brush = null;
function drag(e) {
  const at = where(e);
  if (brush && e.pointerType === 'mouse' && Math.hypot(at[0] - brush.from[0], at[1] - brush.from[1]) > 6) {
    brush.to = at;
    brush.box ??= $('marks').appendChild(sv('rect', { class: 'brush' }));
    put(brush.box, { x: Math.min(brush.from[0], at[0]), y: Math.min(brush.from[1], at[1]), width: Math.abs(at[0] - brush.from[0]), height: Math.abs(at[1] - brush.from[1]) });
  } else if (e.pointerType === 'mouse') {
    const row = nearest(at);
    if (row !== hovered) act.hover(row);
  }
}
function drop(e) {
  if (!brush) return;
  const { from, to, box } = brush;
  brush = null;
  box?.remove();
  if (!to) {
    const row = nearest(from);
    if (row === null) return;
    if (e.shiftKey || e.ctrlKey || e.metaKey) act.add(row);
    else act.choose([row], true);
    return;
  }
  const sorted = (a, b) => (a < b ? [a, b] : [b, a]);
  act.brushed(sorted(scale.f(from[0]), scale.f(to[0])), sorted(scale.seen(from[1]), scale.seen(to[1])));
}

// What if: where the edited row goes; null: nowhere.
export function tryOut(point) {
  const same = tried === point || (tried && point && tried.f === point.f && tried.y === point.y);
  tried = point;
  if (!same) requestAnimationFrame(draw);
}

export const summary = () => {
  if (!data) return '';
  if (data.matching === 0) return 'no row matches';
  if (data.bins) return `points: the ${count(data.worst.length)} worst; squares: all ${count(data.matching)}`;
  const sigma = T.study.sigma;
  return sigma ? `${marksOf().filter(([, f, y]) => Math.abs(y - f) >= 2 * sigma).length} of ${count(data.matching)} farther off than 2 σ` : some(data.matching, 'row');
};

export function start(acts) {
  act = acts;
  const box = $('map');
  box.addEventListener('pointerdown', e => {
    brush = { from: where(e) };
    if (e.pointerType === 'mouse') box.setPointerCapture(e.pointerId);
  });
  box.addEventListener('pointermove', drag);
  box.addEventListener('pointerup', drop);
  box.addEventListener('pointercancel', () => { brush?.box?.remove(); brush = null; });
  box.addEventListener('pointerleave', () => { if (!brush) act.hover(null); });
  $('hist').addEventListener('click', pickBin);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => requestAnimationFrame(draw));
}
