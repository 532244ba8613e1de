// What other methods say of the same row, and which of them would not have noticed another y.
import { $, button, el, put } from './dom.js';
import { S, edited, many } from './state.js';
import { T, label, question, target } from './study.js';
import { A } from './ask.js';
import { count, digits, duration, fixed, percent, short } from './words.js';
import * as api from './api.js';

const NAMES = { gpa: 'GPA, change', lc: 'LC', lime: 'LIME', baylime: 'BayLIME', ig: 'IG', eig: 'EIG', sv: 'Shapley', z: 'z-score' };
const asking = api.latest();
let known = new Map(), problem = null, running = false;

const keyOf = () => JSON.stringify(question());

export function draw() {
  const node = $('p-compare');
  if (S.tab !== 'compare') return;
  const had = document.activeElement?.closest?.('#p-compare') !== null;
  if (many()) node.replaceChildren(place('Methods are compared one row at a time.', button('Compare on the first of them', () => act.choose([S.rows[0]]))));
  else if (running) node.replaceChildren(place('Asking the other methods about this row.', button('Cancel', stop)));
  else if (problem) node.replaceChildren(el('div', { class: 'note bad', role: 'alert' }, el('p', {}, el('b', { text: `${problem.title}. ` }), problem.message), button('Ask again', ask)));
  else if (known.has(keyOf())) node.replaceChildren(...table(known.get(keyOf())));
  else node.replaceChildren(place(`The other methods have not been asked about ${S.own ? 'your row' : `row ${label(S.rows[0])}`}${edited() ? ' with these values' : ''} yet. Some of them ask the model for far more rows than an explanation does.`,
    button('Compare on this row', ask, { class: 'primary' })));
  if (had && document.activeElement === document.body) node.querySelector('button, [tabindex]')?.focus();
}
const place = (text, act) => el('div', { class: 'place' }, el('p', { text }), act);

let act = {};
export function start(acts) { act = acts; }
function stop() { asking.stop(); running = false; draw(); }

async function ask() {
  const signal = asking.next(), key = keyOf(), from = performance.now();
  running = true;
  problem = null;
  draw();
  try {
    const answer = await api.post('compare', question(), signal);
    known.set(key, { answer, ms: performance.now() - from });
    if (known.size > 40) known.delete(known.keys().next().value);
  } catch (error) {
    if (!api.cancelled(error)) { problem = error; act.failed(error); }
  } finally {
    if (!signal.aborted) { running = false; draw(); }
    asking.over(signal);
  }
}
export function stale() { problem = null; if (running) stop(); else draw(); }

const cell = (v, best) => (v === null || v === undefined ? el('td', { text: '–' }) : el('td', { class: best ? 'most' : null, text: (v > 0 ? '+' : '') + (Math.abs(v) >= 10 ? fixed(v, 0) : short(v)) }));

// What the methods say of themselves, those that say the same together.
function notes(row, methods) {
  const by = new Map();
  for (const m of methods) for (const text of row.notes?.[m] ?? []) by.set(text, [...(by.get(text) ?? []), NAMES[m]?.replace(', change', '') ?? m]);
  return [...by].map(([text, names]) => `${names.join(', ')}: ${text}.`);
}

function table({ answer, ms }) {
  const row = answer.rows[0], methods = answer.methods, gpa = row.responsible?.gpa ?? null;
  const order = A.order?.filter(k => k >= 0) ?? answer.features.map((_, k) => k);
  const most = Object.fromEntries(methods.map(m => [m, Math.max(...(row.scores[m] ?? []).map(v => Math.abs(v ?? 0)))]));
  const same = methods.filter(m => row.reacts?.[m] === false), flipped = 2 * row.f - row.y;
  const head = el('tr', {}, el('th', { scope: 'col', text: 'input' }), gpa ? el('th', { scope: 'col', text: `GPA, ${row.verdict?.kind === 'normal' ? 'if anyone' : 'responsible'}` }) : null, ...methods.map(m => el('th', { scope: 'col', text: NAMES[m] ?? m })));
  const body = order.map(k => el('tr', {}, el('th', { scope: 'row', text: answer.features[k], title: answer.features[k] }),
    gpa ? el('td', { class: gpa[k] === Math.max(...gpa, row.output.gpa) ? 'g most' : 'g', text: percent(gpa[k]) }) : null,
    ...methods.map(m => cell(row.scores[m]?.[k], Math.abs(row.scores[m]?.[k] ?? 0) === most[m] && most[m] > 0))));
  const outcome = gpa ? el('tr', {}, el('th', { scope: 'row', text: `observed ${target()}`, title: `the observed ${target()}, or the model` }), el('td', { class: row.output.gpa > Math.max(...gpa) ? 'g most' : 'g', text: percent(row.output.gpa) }), ...methods.map(() => el('td', { text: '' }))) : null;
  const flip = row.reacts ? el('tr', { class: 'flip' }, el('th', { scope: 'row', text: `had ${target()} been ${digits(flipped, 4)}` }), gpa ? el('td', { text: '' }) : null,
    ...methods.map(m => (row.reacts[m] === undefined ? el('td', { text: '–' }) : el('td', { class: row.reacts[m] ? 'reacts' : 'same', text: row.reacts[m] ? 'reacts' : 'same' })))) : null;
  const asked = Object.values(row.model_rows ?? {}).reduce((sum, n) => sum + n, 0);
  const missing = Object.keys(row).filter(k => k.endsWith('_reason')).map(k => `${k.replace('_reason', '')}: ${row[k]}`);
  return [
    el('p', { class: 'small', text: row.reacts ? `${same.length} of ${methods.length} methods would have said the same had ${target()} been ${digits(flipped, 4)} in place of ${digits(row.y)}: they explain the prediction, not the surprise.` : '' }),
    put(el('div', { class: 'wide', role: 'region', 'aria-label': 'Comparison; it scrolls sideways' }, el('table', { class: 'methods' }, el('thead', {}, head), el('tbody', {}, ...body, outcome, flip))), { tabindex: 0 }),
    el('p', { class: 'small', text: 'GPA and LC: how the input would have to change, in usual spreads. LIME and BayLIME: how f rises with it. IG, EIG and Shapley: how much it pushes f up, which does not say that it should be lower. z-score: how far it is above its mean. Bold: the largest of each method.' }),
    el('p', { class: 'small', text: `${count(asked)} rows asked of the model, ${duration(ms)}.${missing.length ? ` ${missing.join('; ')}` : ''}` }),
    ...notes(row, methods).map(text => el('p', { class: 'small', text })),
    ...(answer.notes ?? []).filter(text => !text.startsWith('taken as') && !T.study.notes.includes(text)).map(text => el('div', { class: 'note quiet' }, el('p', { text }))),
  ];
}
