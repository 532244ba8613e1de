// The answers on screen: that of the row as recorded, and with what if. Only the last
// question of each kind counts; what comes late is dropped.
import { S, byName, edited, many, together } from './state.js';
import { T, edits, know, ownRow, question, ready, target, typed, named, group } from './study.js';
import * as api from './api.js';

export const A = {};
const EMPTY = { key: '', order: null, base: null, now: null, each: [], tried: null, stage: '', problem: null, rows: 0, ms: 0, tries: 0 };
Object.assign(A, EMPTY);

const first = api.latest(), what = api.latest();
let act = {};
export function start(acts) { act = acts; }

const keyOf = () => JSON.stringify([S.own ?? S.rows, together()]);

// Both parts of an answer: the words come just before the numbers.
async function stages(q, signal, took) {
  let words = null;
  for await (const [event, data] of api.events('explain', q, signal)) {
    const it = JSON.parse(data);
    if (event === 'answer') words = it;
    else if (event === 'done') took(event, null, it);
    else if (event !== 'start') took(event, { words, about: it, one: it.explanations[0] }, null);
  }
}

// The order of the inputs is that of the row as recorded, with nothing held or bounded by
// hand: it stays while one tries, and a link gives the same.
async function findOrder(signal) {
  if (S.hold === null && Object.keys(S.bounds).length === 0) return null;
  let order = null;
  await stages({ ...question({ recorded: true, plain: true }), until: 'verdict' }, signal, (event, it) => {
    if (it) order = orderOf(it);
  });
  return order;
}
const orderOf = it => it.words.lines?.map(line => line.column ?? -1) ?? null;

// Asks about the rows as recorded, in stages; then about what if.
export async function ask() {
  const key = keyOf(), fresh = key !== A.key;
  what.stop();
  if (fresh) Object.assign(A, EMPTY, { key, each: [] });
  if (!ready() || (S.rows.length === 0 && !S.own)) return;
  const signal = first.next();
  Object.assign(A, { stage: 'asking', problem: null });
  act.asking(fresh);
  try {
    if (many() && !together()) await askEach(signal);
    else await askOne(signal);
    first.over(signal);
    A.stage = 'done';
    act.drawn();
    act.answered();
  } catch (error) {
    first.over(signal);
    failed(error, () => { A.stage = 'cancelled'; }, signal);
  }
}

async function askOne(signal) {
  const order = A.order ?? await findOrder(signal);
  let tries = together() ? Object.keys(S.shift).length > 0 : edited();
  await stages(question({ recorded: true }), signal, (event, it, done) => {
    if (done) { Object.assign(A, { rows: done.model_rows, ms: done.ms }); return; }
    A.order ??= order ?? orderOf(it);
    A.base = it;
    A.stage = event;
    it.one.rows.forEach((row, i) => { if (!S.own) know(row, { id: it.one.ids[i], y: it.one.y[i], f: it.one.f[i] }); });
    act.drawn();
    if (tries) { tries = false; whatIf(0); }
  });
}

async function askEach(signal) {
  A.each = [];
  await stages(question(), signal, (event, it, done) => {
    if (done) { Object.assign(A, { rows: done.model_rows, ms: done.ms }); return; }
    if (event !== 'explanation') return;
    A.each.push(it);
    know(it.one.rows[0], { id: it.one.ids[0], y: it.one.y[0], f: it.one.f[0] });
    act.drawn();
  });
}

function failed(error, stopped, signal) {
  if (api.cancelled(error)) {
    if (signal && first.running()) return; // another question took its place
    stopped();
    act.drawn();
    return;
  }
  A.stage = 'failed';
  A.problem = error;
  act.failed(error);
  act.drawn();
}

export function cancel() {
  if (!first.running() && !what.running()) return false;
  first.stop();
  what.stop();
  return true;
}
export const working = () => first.running();

// ---- what if

let flying = false, again = false, resting = 0;

// f at once, who when it rests; of several rows together only f.
export function whatIf(rest = 120) {
  clearTimeout(resting);
  what.stop();
  if (together() ? Object.keys(S.shift).length === 0 : !edited()) {
    Object.assign(A, { now: null, tried: null });
    act.drawn();
    return;
  }
  predict();
  if (!together()) resting = setTimeout(explain, rest);
}

// Values of a row as recorded, by column, with its outcome.
export function recorded(i = 0) {
  const row = byName();
  T.study.features.forEach((name, k) => { row[name] = A.base.one.x[i][k]; });
  row[target()] = A.base.one.y[i];
  return row;
}

// The rows of a question as rows of one's own, with the shared change.
function shifted() {
  return A.base.one.rows.map((_, i) => {
    const row = recorded(i);
    for (const [name, text] of Object.entries(S.shift)) {
      const input = named(name);
      if (name === target()) row[name] += Number(text);
      else if (input && !group(input) && typeof row[input.columns[0]] === 'number') row[input.columns[0]] += Number(text);
    }
    return row;
  });
}

async function predict() {
  if (flying) { again = true; return; }
  if (!A.base) return;
  flying = true;
  const key = A.key;
  try {
    const q = together() ? { rows: shifted() } : S.own ? { rows: [ownRow()], edits: edits() } : { rows: S.rows, edits: edits() };
    const answer = await api.post('predict', q);
    A.tries += answer.rows.length;
    if (key === A.key && (together() || edited())) {
      A.tried = answer.rows;
      act.moved();
    }
  } catch (error) {
    if (error instanceof api.Problem && error.status === 503) again = true;
    else failed(error, () => {}, null);
  } finally {
    flying = false;
    if (again) {
      again = false;
      requestAnimationFrame(predict);
    }
  }
}

async function explain() {
  const signal = what.next(), key = A.key;
  try {
    await stages({ ...question(), until: 'verdict' }, signal, (event, it, done) => {
      if (key !== A.key || signal.aborted) return;
      if (done) { A.tries += done.model_rows; return; }
      A.now = it;
      A.problem = null;
      act.drawn();
    });
    if (key === A.key) act.drawn();
  } catch (error) {
    if (!api.cancelled(error)) failed(error, () => {}, null);
  } finally {
    what.over(signal);
  }
}

// f along one input, everything else as it is now: [value, f]; null: there is no such curve.
// What a group of columns is set to only the server knows to write, so that goes as an edit.
export async function along(input, signal) {
  const row = recorded(), groups = byName();
  for (const [name, text] of Object.entries(S.set)) {
    const other = named(name);
    if (other && group(other)) groups[name] = typed(other, text);
    else if (other) row[other.columns[0]] = typed(other, text);
  }
  const values = placesOf(input);
  if (values === null) return null;
  A.tries += values.length;
  if (group(input)) {
    const each = values.map(level => api.post('predict', { rows: [row], edits: { ...groups, [input.name]: level } }, signal));
    return (await Promise.all(each)).map((answer, i) => [values[i], answer.rows[0].f]);
  }
  const answer = await api.post('predict', { rows: values.map(v => ({ ...row, [input.columns[0]]: v })), edits: groups }, signal);
  return values.map((v, i) => [v, answer.rows[i].f]);
}

// Levels, whole numbers one by one where they are few, or 41 places from least to largest.
function placesOf(input) {
  const [low, high] = [Number(input.histogram?.low ?? NaN), Number(input.histogram?.high ?? NaN)], most = 40;
  if (input.levels) return input.levels.slice(0, 12);
  if (input.writing !== 'number' || !(high > low)) return null;
  const whole = input.whole || input.kind === 'whole', n = whole ? Math.min(most, high - low) : most;
  return Array.from({ length: n + 1 }, (_, i) => (whole ? Math.round(low + (high - low) * i / n) : low + (high - low) * i / n));
}
