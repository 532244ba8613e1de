// The page of `gpa serve`: what happens when. Everything it knows it asks of the server that
// sent it, and everything that it shows is in its address.
import { $, announce, button, el, narrow, put, say, toast } from './dom.js';
import { S, byName, flush, many, read, save } from './state.js';
import { T, facts, know, target } from './study.js';
import { A, ask, cancel, whatIf, start as startAsk } from './ask.js';
import { count, some } from './words.js';
import * as answer from './answer.js';
import * as api from './api.js';
import * as compare from './compare.js';
import * as lines from './lines.js';
import * as map from './map.js';
import * as own from './own.js';
import * as rows from './rows.js';
import * as take from './take.js';

// ---- acts

// Other rows; edits belong to the row they were made on.
function choose(list, go = false) {
  const most = T.study.limits?.explain_rows ?? 500;
  if (list.length > most) { toast(`At most ${count(most)} rows can be explained at once; these are the first of them.`); list = list.slice(0, most); }
  const same = !S.own && list.length === S.rows.length && list.every((row, i) => row === S.rows[i]);
  if (!same) {
    Object.assign(S, { rows: list, own: null, set: byName(), y: null, shift: byName() });
    A.tried = null;
  }
  rows.mark();
  map.draw();
  if (go && narrow()) view('answer');
  save(!same);
  if (same) return;
  compare.stale();
  ask();
}

function filterChanged(all = true) {
  if (all) {
    S.page = 0;
    map.load().then(() => say($('rowsnote'), map.summary()));
    rows.chips();
  }
  rows.load().then(shown => {
    if (all && shown) announce(`${count(shown.matching)} of ${some(shown.total, 'row')} match`, 300);
    answer.drawn();
  });
  save();
}

// A rectangle of the plot: its rows together, or, where they are too many, a filter.
async function brushed(f, seen) {
  const most = T.study.limits?.explain_rows ?? 500, range = ends => ends.map(v => Number(v.toPrecision(8))).join('..');
  try {
    const found = await api.get('rows', { sort: '-score', limit: most, f: range(f), y: range(seen), q: S.q.trim() || null, verdict: S.verdict || null });
    if (found.matching === 0) return;
    if (found.matching > most) {
      Object.assign(S, { f: f.map(v => Number(v.toPrecision(8))), seen: seen.map(v => Number(v.toPrecision(8))) });
      filterChanged(true);
      toast(`${count(found.matching)} rows: they are listed now. At most ${count(most)} can be explained at once.`);
    } else {
      for (const row of found.rows) know(row.row, row);
      choose(found.rows.map(row => row.row));
    }
  } catch (error) { failed(error); }
}

function view(name) {
  S.view = name;
  document.body.dataset.view = name;
  for (const pane of document.querySelectorAll('[data-go]')) put(pane, { 'aria-current': pane.dataset.go === name ? 'true' : null });
  if (name === 'rows') requestAnimationFrame(map.draw);
  save();
}

function reset() {
  Object.assign(S, { set: byName(), y: null, shift: byName() });
  whatIf();
  lines.refresh();
  save();
  announce('as recorded');
}

function tab(name) {
  S.tab = name;
  answer.tabs();
  compare.draw();
  answer.drawn();
  save();
}

const hover = row => { rows.hover(row); map.hover(row, row === null ? null : facts(row)); };

// ---- what goes wrong

let retry = 0;
function failed(error) {
  if (api.gone(error)) {
    banner(el('b', { text: 'The server has stopped. ' }), 'What is on the page stays. To start it again: ', el('code', { text: T.study?.command.replace(/^gpa explain/, 'gpa serve') ?? 'gpa serve …' }));
    clearTimeout(retry);
    retry = setTimeout(reconnect, 2000);
  } else if (error instanceof api.Problem && error.status === 401) {
    banner(el('b', { text: 'This page is not let in any more. ' }), 'The server was started anew: open the address that it printed. The part of this address behind # gives the same screen.');
  } else if (error instanceof api.Problem && error.status === 503) {
    toast('The server is busy; try again in a moment.');
  } else if (!A.problem) {
    banner(el('b', { text: `${error.title ?? 'Something went wrong'}. ` }), error.message, ' ', button('Close', () => { $('banner').hidden = true; }));
  }
  if (!(error instanceof api.Problem)) console.error(error);
}
function banner(...parts) {
  $('banner').replaceChildren(el('span', {}, ...parts));
  $('banner').hidden = false;
}
async function reconnect() {
  try {
    const study = await api.get('study');
    const other = study.file !== T.study?.file || study.rows !== T.study?.rows;
    $('banner').hidden = true;
    T.study = study;
    if (other) location.reload();
    else opened();
  } catch (error) {
    if (api.gone(error)) retry = setTimeout(reconnect, 2000);
    else failed(error);
  }
}

// ---- keys

const letters = () => $('letters').checked;
function key(e) {
  const dialog = document.querySelector('dialog[open]');
  if (e.key === 'Escape' && !dialog) {
    if (!$('taken').hidden) take.open(false);
    else if (!cancel() && many()) choose([S.rows.at(-1)]);
    return;
  }
  if (!letters() || dialog || e.ctrlKey || e.metaKey || e.altKey || e.target.matches('input:not([type=range], [type=checkbox]), select, textarea')) return;
  const acts = {
    j: () => rows.step(1), k: () => rows.step(-1), '/': () => { view('rows'); $('q').focus(); }, n: () => lines.best()?.set(), r: reset,
    h: () => lines.holdAt(e.target), c: () => tab(S.tab === 'compare' ? 'answer' : 'compare'), '?': () => $('d-keys').showModal(),
    t: () => { if (many()) { S.mode = S.mode === 'each' ? 'together' : 'each'; save(); answerAgain(); } },
  };
  if (!acts[e.key]) return;
  e.preventDefault();
  acts[e.key]();
}
const answerAgain = () => { Object.assign(S, { shift: byName(), set: byName(), y: null }); compare.stale(); ask(); };

// ---- beginning

// What a link names that is not there is said, and left out.
function soundState(study) {
  const names = new Set(study.inputs.map(input => input.name)), lost = [];
  const keep = object => { for (const name of Object.keys(object)) if (!names.has(name)) { lost.push(`no input is called ${name}`); delete object[name]; } };
  keep(S.set);
  keep(S.bounds);
  keep(S.where);
  for (const name of Object.keys(S.shift)) if (!names.has(name) && name !== target()) { lost.push(`no input is called ${name}`); delete S.shift[name]; }
  if (S.hold) S.hold = S.hold.filter(name => names.has(name) || (lost.push(`no input is called ${name}`), false));
  const rowsThere = S.rows.filter(row => row < study.rows);
  if (rowsThere.length < S.rows.length) lost.push(`there is no row ${S.rows.filter(row => row >= study.rows).join(', ')}`);
  S.rows = rowsThere;
  if (S.own && !study.features.every(name => Object.hasOwn(S.own, name))) { lost.push('the row of its own has other columns'); S.own = null; }
  if (lost.length > 0) banner(el('b', { text: 'Not all of this link fits this table: ' }), lost.slice(0, 4).join('; '), '. ', button('Close', () => { $('banner').hidden = true; }));
}

// Rows and plot are there; then the answer.
async function opened() {
  answer.head();
  scoring();
  rows.offer();
  const [shown] = await Promise.all([rows.load(), map.load()]);
  say($('rowsnote'), map.summary());
  say(document.querySelector('[data-go=rows]'), `Rows (${count(T.study.rows)})`);
  if (S.rows.length === 0 && !S.own) await worstRow(shown);
  rows.mark();
  map.draw();
  if (S.rows.length === 0 && !S.own) { say($('sentence'), filteredOut()); put($('answer'), { 'aria-busy': 'false' }); }
  compare.draw();
  answer.foot();
  await ask();
}
// Where nothing is chosen: the worst of the rows on screen, or of all.
async function worstRow(shown) {
  const usual = S.sort === '' && S.page === 0 && shown?.rows.length > 0;
  const list = usual ? shown : await api.get('rows', { sort: '-score', limit: 5 });
  const worst = list.rows.find(row => row.f !== null && row.y !== null);
  if (!worst) return;
  know(worst.row, worst);
  S.rows = [worst.row];
  save();
}
const filteredOut = () => (T.study.rows === 0 ? 'The table has no rows.' : 'Choose a row of the list.');

// The line over the plot, and words, while rows are being scored.
function scoring() {
  const s = T.study, on = s.state === 'scoring', share = s.rows ? Math.round(100 * s.scored / s.rows) : 0;
  $('scoring').hidden = !on;
  put($('scoring'), { 'aria-valuenow': share, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuetext': `${count(s.scored)} of ${count(s.rows)} scored` });
  put($('scoring').firstElementChild, { style: { width: `${share}%` } });
  if (on) $('rowsnote').replaceChildren(`${count(s.scored)} of ${count(s.rows)} scored `, button('Stop', () => api.remove('scoring').catch(failed), { class: 'link' }));
  if (s.state === 'stopped') banner(el('b', { text: 'Scoring was stopped. ' }), `Scores are those of ${count(s.scored)} of ${count(s.rows)} rows.`, ' ', button('Close', () => { $('banner').hidden = true; }));
  if (s.state === 'failed') banner(el('b', { text: `${s.problem?.title ?? 'The rows could not be scored'}. ` }), s.problem?.detail ?? '');
}

async function watch() {
  let seen = -1;
  while (T.study.state === 'scoring') {
    if (T.study.scored !== seen && T.study.scored > 0) { // the worst so far
      seen = T.study.scored;
      await Promise.all([rows.load(), map.load()]);
    }
    say($('sentence'), 'Scoring the rows; the first answer comes when they are scored');
    scoring();
    await new Promise(done => setTimeout(done, 250));
    T.study = await api.get('study');
  }
}

async function begin() {
  if (new URLSearchParams(location.search).has('token')) history.replaceState(null, '', location.pathname + location.hash);
  read(location.hash);
  view(S.view);
  try {
    T.study = await api.get('study');
    answer.head();
    answer.foot();
    soundState(T.study);
    rows.offer();
    await watch();
    await opened();
    if (T.study.state === 'failed') say($('sentence'), 'No row could be scored.');
  } catch (error) {
    failed(error);
  }
}

function wire() {
  const acts = {
    choose, failed, hover, brushed, reset,
    add: row => choose(S.own ? [row] : S.rows.includes(row) ? S.rows : [...S.rows, row]),
    changed: filterChanged, filter: () => filterChanged(true),
    answer: () => { view('answer'); $('answer').focus(); },
    asking: answer.asking, drawn: answer.drawn, moved: answer.moved, answered: rows.whoAgain,
    tried: dragging => { whatIf(dragging ? 120 : 30); lines.refresh(); },
    limited: () => { A.now = null; compare.stale(); ask(); },
    mode: answerAgain,
    own: row => {
      Object.assign(S, { own: row, rows: [], set: byName(), y: null, shift: byName() });
      rows.mark();
      save(true);
      compare.stale();
      if (narrow()) view('answer');
      ask();
    },
  };
  for (const part of [{ start: startAsk }, answer, compare, lines, map, own, rows, take]) part.start(acts);
  document.addEventListener('keydown', key);
  for (const pane of document.querySelectorAll('[data-go]')) pane.addEventListener('click', () => view(pane.dataset.go));
  for (const name of ['answer', 'compare']) $(`t-${name}`).addEventListener('click', () => tab(name));
  document.querySelector('[role=tablist]').addEventListener('keydown', e => {
    if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
    tab(S.tab === 'answer' ? 'compare' : 'answer');
    $(`t-${S.tab}`).focus();
  });
  $('keys').addEventListener('click', () => $('d-keys').showModal());
  $('skip').addEventListener('click', e => { e.preventDefault(); view('answer'); $('answer').focus(); });
  const stored = (() => { try { return localStorage.getItem('gpa-letters'); } catch { return null; } })();
  $('letters').checked = stored !== 'off';
  $('letters').addEventListener('change', () => { try { localStorage.setItem('gpa-letters', letters() ? 'on' : 'off'); } catch { /* then it is not kept */ } });
  addEventListener('pagehide', flush);
  for (const event of ['hashchange', 'popstate']) addEventListener(event, () => {
    if (!T.study) return;
    const before = JSON.stringify(S);
    read(location.hash);
    soundState(T.study);
    if (JSON.stringify(S) === before) return;
    view(S.view);
    A.key = '';
    opened();
  });
}

wire();
begin();
