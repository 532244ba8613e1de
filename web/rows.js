// The list of rows: a page of them as the server sorts and filters, with who is responsible
// as far as that is known.
import { $, button, el, put, say, sv, toast } from './dom.js';
import { S, byName, many } from './state.js';
import { T, facts, filtered, filters, inputs, know, label, ready } from './study.js';
import { count, digits, fixed, list as listed, percent, signed, some } from './words.js';
import * as api from './api.js';

export const PAGE = 50;
const page = api.latest(), whose = api.latest();
let shown = { rows: [], matching: 0, total: 0, explained: 0, offset: 0 };
let act = {};  // choose, changed, hover, failed: what the app does

const HEADS = [['row', 'row'], ['y', 'observed'], ['f', 'predicted'], ['off', 'off by, σ'], ['score', 'score'], ['who', 'who']];
const sorting = () => ({ by: (S.sort || '-score').replace('-', ''), down: (S.sort || '-score').startsWith('-') });

export const rowsShown = () => shown.rows.map(row => row.row);
export const matching = () => shown.matching;
// The place of a row among those that match, from 0; null: not on this page.
export function place(row) {
  const i = shown.rows.findIndex(one => one.row === row);
  return i < 0 ? null : shown.offset + i;
}

export async function load() {
  const signal = page.next();
  try {
    const asked = { sort: S.sort || '-score', offset: S.page * PAGE, limit: PAGE, ...filters() };
    let answer = await api.get('rows', asked, signal);
    if (answer.rows.length === 0 && answer.matching > 0) { // the link's page is beyond the end
      S.page = Math.floor((answer.matching - 1) / PAGE);
      answer = await api.get('rows', { ...asked, offset: S.page * PAGE }, signal);
    }
    shown = answer;
    for (const row of shown.rows) know(row.row, row);
    draw();
    if (ready()) askWho();
    return shown;
  } catch (error) {
    if (!api.cancelled(error)) act.failed(error);
    return null;
  } finally {
    page.over(signal);
  }
}

// Who, for the page on screen only, worst first; the next page is another question.
async function askWho() {
  const wanted = shown.rows.filter(row => row.who === null && row.f !== null && row.y !== null)
    .sort((a, b) => Math.abs(b.off_sigma ?? 0) - Math.abs(a.off_sigma ?? 0)).map(row => row.row);
  whose.stop();
  if (wanted.length === 0) return;
  const signal = whose.next();
  try {
    for await (const [event, data] of api.events('who', { rows: wanted }, signal)) {
      if (event !== 'who') continue;
      const who = JSON.parse(data);
      const row = shown.rows.find(one => one.row === who.row);
      if (row) {
        row.who = who.who ?? who;
        const cell = $('list').querySelector(`tr[data-row="${who.row}"] .w`);
        if (cell) fillWho(cell, row);
      }
    }
  } catch (error) {
    if (api.cancelled(error)) return;
    if (error instanceof api.Problem && error.status === 503) setTimeout(whoAgain, 1500); // busy
    else { // asked again with the next answer
      for (const cell of $('list').querySelectorAll('.v-wait')) say(cell, 'not known');
      act.failed(error);
    }
  } finally {
    whose.over(signal);
  }
}

export function whoAgain() {
  if (!whose.running() && ready() && shown.rows.some(row => row.who === null && row.f !== null)) askWho();
}

export function whoWords(who) {
  if (!who) return ['…', 'wait'];
  const names = [who.first, ...who.also ?? []].join(who.exchanged ? ' ⇄ ' : ' + ');
  if (who.verdict === 'input') return [`${names} ${percent(who.responsible)}`, 'input'];
  if (who.verdict === 'tied') return [`${who.first}, tied`, 'tied'];
  if (who.verdict === 'output') return [`observed ${percent(who.output)}`, 'output'];
  return who.verdict === 'normal' ? ['normal', 'normal'] : ['not known', 'wait'];
}
function fillWho(cell, row) {
  const [text, kind] = row.f === null ? ['no prediction', 'wait'] : whoWords(row.who);
  say(cell, text);
  put(cell, { class: `w v-${kind}`, title: text });
}

function deviation(z) {
  const w = Math.min(3, Math.abs(z)) / 3 * 25;
  return sv('svg', { class: Math.abs(z) >= 2 ? 'off far' : 'off', viewBox: '0 0 52 8', 'aria-hidden': 'true' },
    sv('rect', { x: z < 0 ? 26 - w : 26, y: 1, width: w, height: 6 }), sv('line', { x1: 26, x2: 26, y1: 0, y2: 8 }));
}

// Predictions with one digit more than what was observed, so that they stand below each other.
const rounded = f => (Math.abs(f) < 1e7 ? fixed(f, Math.min(6, T.study.target.decimals + 1)) : digits(f));

// As wide as the column, however far off a row is.
const scored = v => (v < 1e4 ? fixed(v, 2) : v < 1e6 ? fixed(v, 0) : v.toExponential(2));
const sigmas = z => signed(z, Math.abs(z) < 1000 ? 1 : 0);

function line(row, i, focus) {
  const on = !S.own && S.rows.includes(row.row), z = row.off_sigma;
  const who = el('td', {});
  fillWho(who, row);
  return el('tr', { 'data-row': row.row, tabindex: row.row === focus ? 0 : -1, 'aria-selected': String(on), 'aria-rowindex': shown.offset + i + 2 },
    el('td', {}, put(el('input', { type: 'checkbox', tabindex: -1, 'aria-label': `row ${row.id}, explain it with others` }), { checked: on })),
    el('td', { text: row.id, title: T.study.id ? `row ${row.row}: ${row.id}` : null }),
    el('td', { text: row.y === null ? 'missing' : digits(row.y, 7) }), el('td', { text: row.f === null ? 'none' : rounded(row.f) }),
    z === null ? el('td', { text: row.off === null ? '' : digits(row.off, 3) }) : el('td', {}, sigmas(z), deviation(z)),
    el('td', { text: row.score === null ? '' : scored(row.score) }), who);
}

function heads() {
  const { by, down } = sorting();
  const cells = HEADS.map(([key, text]) => el('th', { scope: 'col', 'aria-sort': by === key ? (down ? 'descending' : 'ascending') : null },
    button(text, () => sortBy(key), { 'data-sort': key })));
  return el('tr', {}, el('th', {}, el('span', { class: 'vh', text: 'chosen' })), ...cells);
}

function sortBy(key) {
  const { by, down } = sorting();
  S.sort = by === key ? (down ? key : '-' + key) : key === 'row' || key === 'who' ? key : '-' + key;
  if (S.sort === '-score') S.sort = '';
  S.page = 0;
  act.changed(false);
  requestAnimationFrame(() => $('list').querySelector(`[data-sort="${key}"]`)?.focus());
}

// The page as it stands; also after another choice of rows.
export function draw() {
  const table = $('list'), current = S.rows.at(-1), within = document.activeElement?.closest?.('#list tbody tr');
  const focused = within ? Number(within.dataset.row) : null;
  const focus = shown.rows.some(row => row.row === current) ? current : shown.rows[0]?.row;
  if (table.tHead.childElementCount === 0 || table.tHead.dataset.sort !== S.sort) table.tHead.replaceChildren(heads());
  table.tHead.dataset.sort = S.sort;
  table.classList.toggle('ids', T.study.id !== null);
  put(table, { 'aria-rowcount': shown.matching + 1, 'aria-label': sorting().by === 'score' && sorting().down ? 'Rows, worst first' : 'Rows' });
  table.tBodies[0].replaceChildren(...shown.rows.map((row, i) => line(row, i, focus)));
  for (const box of table.tBodies[0].querySelectorAll('input')) box.checked = box.closest('tr').getAttribute('aria-selected') === 'true';
  if (focused !== null) table.querySelector(`tr[data-row="${focused}"]`)?.focus({ preventScroll: true });
  table.hidden = shown.rows.length === 0;
  nothing();
  pager();
}

// Only which rows are chosen.
export function mark() {
  const current = S.rows.at(-1);
  for (const tr of $('list').tBodies[0].rows) {
    const row = Number(tr.dataset.row), on = !S.own && S.rows.includes(row);
    put(tr, { 'aria-selected': String(on), tabindex: row === current ? 0 : -1 });
    tr.querySelector('input').checked = on;
  }
  if (!$('list').querySelector('tbody tr[tabindex="0"]')) put($('list').tBodies[0].rows[0] ?? el('i'), { tabindex: 0 });
}

function nothing() {
  const empty = shown.rows.length === 0 && shown.scored > 0;
  $('none').hidden = !empty;
  if (!empty) return;
  const range = ([low, high]) => (high === undefined ? low : !low && low !== 0 ? `at most ${high}` : !high && high !== 0 ? `at least ${low}` : `between ${low} and ${high}`);
  const verdict = $('verdicts').selectedOptions[0].text;
  const why = [S.q.trim() && `“${S.q.trim()}” in its number or id`, S.verdict && `the verdict “${verdict}”`,
    ...Object.entries(S.where).map(([name, ends]) => `${name} ${range(ends)}`), S.off && `off by ${range(S.off)} σ`,
    S.score && `a score ${range(S.score)}`, S.f && `a prediction ${range(S.f.map(v => digits(v, 4)))}`, S.seen && `an observed value ${range(S.seen.map(v => digits(v, 4)))}`].filter(Boolean);
  const known = ['input', 'tied', 'output'].includes(S.verdict) && shown.explained < shown.total;
  $('none').replaceChildren(el('b', { text: 'No row matches.' }), el('span', { text: `None of ${some(shown.total, 'row')} has ${listed(why) || 'this'}` +
    (known ? `, among the ${count(shown.explained)} explained so far. ` : '. ') }), button('Clear the filters', clear, { class: 'link' }));
}

function pager() {
  const from = shown.offset + 1, to = shown.offset + shown.rows.length;
  const verdict = ['input', 'tied', 'output'].includes(S.verdict) && shown.explained < shown.total;
  const words = shown.rows.length === 0 ? `0 of ${some(shown.total, 'row')}` : `${count(from)}–${count(to)} of ${count(shown.matching)}` +
    (filtered() ? ` that match (of ${count(shown.total)})` : '') + (verdict ? `, among ${count(shown.explained)} explained` : '');
  const go = step => { S.page += step; act.changed(false); $('scroll').scrollTop = 0; };
  const focused = document.activeElement?.closest?.('#pager button')?.getAttribute('aria-label');
  $('pager').replaceChildren(el('span', { text: words }),
    button('‹', () => go(-1), { 'aria-label': 'previous page', disabled: S.page === 0 }),
    button('›', () => go(1), { 'aria-label': 'next page', disabled: to >= shown.matching }));
  if (focused) $('pager').querySelector(`[aria-label="${focused}"]`)?.focus();
}

export function clear() {
  Object.assign(S, { q: '', verdict: '', off: null, score: null, f: null, seen: null, where: byName(), page: 0 });
  $('q').value = '';
  $('verdicts').value = '';
  chips();
  act.changed(true);
  $('q').focus();
}

// ---- filters

const RANGES = { ' off': ['off', 'off by, σ'], ' score': ['score', 'score'], ' f': ['f', 'predicted'], ' y': ['seen', 'observed'] };

export function chips() {
  const made = [];
  for (const [name, ends] of Object.entries(S.where)) {
    const input = inputs().find(one => one.name === name);
    made.push(chip(name, input?.levels ?? null, ends, () => { delete S.where[name]; }, value => { S.where[name] = value; }));
  }
  for (const [key, text] of Object.values(RANGES))
    if (S[key]) made.push(chip(text, null, S[key].map(v => v ?? ''), () => { S[key] = null; },
      value => { S[key] = value.map(v => (v === '' ? null : Number(v))); }));
  $('chips').replaceChildren(...made);
}

function chip(name, levels, ends, drop, take) {
  const changed = () => { S.page = 0; act.changed(true); };
  const box = i => el('input', { type: 'text', inputmode: 'decimal', value: i === 0 ? ends[0] : ends[1] ?? '', size: 6, maxlength: 40,
    'aria-label': `${name}, ${i === 0 ? 'at least' : 'at most'}`, placeholder: i === 0 ? 'least' : 'most',
    on: { change: e => { ends[i] = e.target.value.trim(); take([...ends]); changed(); } } });
  const choice = () => put(el('select', { 'aria-label': `${name} is`, on: { change: e => { take([e.target.value]); changed(); } } },
    ...levels.map(level => put(el('option', { value: String(level), text: String(level) }), { selected: String(level) === ends[0] }))));
  return el('span', { class: 'chip' }, el('span', { text: name, title: name }), ...(levels ? [choice()] : [box(0), '…', box(1)]),
    button('×', () => { drop(); chips(); changed(); $('ranges').focus(); }, { 'aria-label': `remove the filter on ${name}` }));
}

function addRange(e) {
  const choice = e.target.value;
  if (choice === '') return;
  e.target.value = '';
  if (RANGES[choice]) {
    S[RANGES[choice][0]] ??= [null, null];
  } else {
    const input = inputs()[Number(choice)];
    S.where[input.name] ??= input.levels ? [String(input.levels[0])] : [String(input.min ?? ''), String(input.max ?? '')];
    if (input.levels) act.changed(true);
  }
  chips();
  $('chips').lastElementChild?.querySelector('input, select')?.focus();
}

// ---- by hand and by keys

function toggle(row) {
  const rest = S.own ? [row] : S.rows.includes(row) ? S.rows.filter(one => one !== row) : [...S.rows, row];
  act.choose(rest.length > 0 ? rest : [row]);
}
function extend(row) {
  const all = rowsShown(), from = all.indexOf(S.rows[0]), to = all.indexOf(row);
  act.choose(from < 0 ? [row] : [S.rows[0], ...all.slice(Math.min(from, to), Math.max(from, to) + 1).filter(one => one !== S.rows[0])]);
}
const rowOf = target => { const tr = target.closest('tbody tr'); return tr ? Number(tr.dataset.row) : null; };

function clicked(e) {
  const row = rowOf(e.target);
  if (row === null) return;
  if (e.target.matches('input') || e.ctrlKey || e.metaKey) toggle(row);
  else if (e.shiftKey) extend(row);
  else act.choose([row], true);
}

function pressed(e) {
  const tr = e.target.closest('tbody tr');
  if (!tr) return;
  const all = [...tr.parentElement.rows], i = all.indexOf(tr);
  const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: all.length - 1, PageDown: i + 10, PageUp: i - 10 }[e.key];
  if (to !== undefined) {
    e.preventDefault();
    const next = all[Math.max(0, Math.min(all.length - 1, to))], row = Number(next.dataset.row);
    next.focus();
    if (e.shiftKey) act.choose([...new Set([...S.rows, row])]);
    else act.choose([row]);
  } else if (e.key === ' ') {
    e.preventDefault();
    toggle(Number(tr.dataset.row));
  } else if (e.key === 'Enter') {
    e.preventDefault();
    act.answer();
  }
}

// One row on or back; turns the page where it must.
export async function step(by) {
  const at = place(S.rows.at(-1));
  let to = at === null ? shown.offset : at + by;
  if (to < 0 || to >= shown.matching) { toast(by > 0 ? 'That was the last row.' : 'That was the first row.'); return; }
  if (Math.floor(to / PAGE) !== S.page) {
    S.page = Math.floor(to / PAGE);
    await load();
  }
  const row = shown.rows[to - shown.offset]?.row;
  if (row === undefined) return;
  act.choose([row]);
  $('list').querySelector(`tr[data-row="${row}"]`)?.scrollIntoView({ block: 'nearest' });
}

export function hover(row) {
  for (const tr of $('list').querySelectorAll('.hov')) tr.classList.remove('hov');
  if (row !== null) $('list').querySelector(`tr[data-row="${row}"]`)?.classList.add('hov');
}

let typing = 0;
export function start(acts) {
  act = acts;
  const body = $('list').tBodies[0];
  body.addEventListener('click', clicked);
  body.addEventListener('keydown', pressed);
  body.addEventListener('mouseover', e => act.hover(rowOf(e.target)));
  body.addEventListener('mouseleave', () => act.hover(null));
  $('filters').addEventListener('submit', e => e.preventDefault());
  $('q').addEventListener('input', e => {
    S.q = e.target.value;
    S.page = 0;
    clearTimeout(typing);
    typing = setTimeout(() => act.changed(true), 120);
  });
  $('verdicts').addEventListener('change', e => { S.verdict = e.target.value; S.page = 0; act.changed(true); });
  $('ranges').addEventListener('change', addRange);
}

export function offer() {
  const more = Object.entries(RANGES).map(([value, [, text]]) => el('option', { value, text }));
  $('ranges').replaceChildren(el('option', { value: '', text: 'range of…' }), ...more,
    ...inputs().map((input, i) => el('option', { value: i, text: input.name })));
  $('q').value = S.q;
  $('verdicts').value = S.verdict;
  chips();
}

export const chosenFacts = () => S.rows.map(row => ({ row, ...facts(row) })).filter(one => Number.isFinite(one.f) && Number.isFinite(one.y));
export const chosenWords = () => (many() ? `rows ${S.rows.slice(0, 8).map(label).join(', ')}${S.rows.length > 8 ? ' …' : ''}` : `row ${label(S.rows[0])}`);
