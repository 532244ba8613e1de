// The study: what the server said about table, model and inputs; rows seen so far; and the
// question that the state of the screen asks.
import { S, byName, together } from './state.js';
import { some } from './words.js';

export const T = { study: null };
export const ready = () => T.study?.state === 'ready' || T.study?.state === 'stopped';

export const target = () => T.study.target.name;
export const inputs = () => T.study.inputs;
export const named = name => inputs().find(input => input.name === name);
// The input that column k of the model is, or is part of.
export const ofColumn = k => inputs().find(input => input.columns.includes(T.study.features[k]));
export const group = input => input.columns.length > 1;
export const numeric = input => input.levels === null && input.writing === 'number';

// Rows by number, as far as they were seen: {id, y, f, off_sigma}.
const known = new Map();
export function know(row, facts) {
  known.set(row, { ...known.get(row), ...facts });
  if (known.size > 20000) known.delete(known.keys().next().value);
}
export const facts = row => known.get(row) ?? null;
export const label = row => known.get(row)?.id ?? String(row);
export const asked = rows => (S.own ? 'your row' : rows.length > 1 ? some(rows.length, 'row') : `row ${label(rows[0] ?? 0)}`);
export const title = rows => (S.own ? 'Your row' : rows.length > 1 ? some(rows.length, 'row') : `Row ${label(rows[0] ?? 0)}`);

// What the command line holds, and what is held now.
const startHeld = () => inputs().filter(input => input.held ?? (input.kind === 'held' && !input.inferred)).map(input => input.name);
export const held = () => S.hold ?? startHeld();
export const fixedFor = input => input.kind === 'held' && input.inferred; // nothing to move: one value, an id
export function setHeld(names) {
  const start = startHeld();
  const same = names.length === start.length && names.every(name => start.includes(name));
  S.hold = same ? null : inputs().map(input => input.name).filter(name => names.includes(name));
}

// A text of a box as the value that the server is to take.
export function typed(input, text) {
  if (input?.levels) return input.levels.find(level => String(level) === text) ?? text;
  return (!input || input.writing === 'number') && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
const bound = (input, text) => (text === '' ? null : typed(input, text));

export function ownRow() {
  const row = byName();
  for (const [name, text] of Object.entries(S.own)) {
    const input = inputs().find(one => one.columns.includes(name));
    row[name] = text === '' ? null : group(input ?? { columns: [] }) ? Number(text) : typed(input, text);
  }
  return row;
}

export function edits() {
  const out = byName();
  for (const [name, text] of Object.entries(S.set)) out[name] = typed(named(name), text);
  if (S.y !== null) out[target()] = typed(null, S.y);
  return out;
}

// The question; `recorded`: without what if, `plain`: also without limits of one's own.
export function question({ recorded = false, plain = false } = {}) {
  const q = S.own ? { row: ownRow() } : { rows: S.rows };
  if (!recorded && !together() && (Object.keys(S.set).length > 0 || S.y !== null)) q.edits = edits();
  if (!plain && S.hold !== null) q.freeze = S.hold;
  if (!plain && Object.keys(S.bounds).length > 0)
    q.bounds = Object.fromEntries(Object.entries(S.bounds).map(([name, ends]) => [name, ends.map(text => bound(named(name), text))]));
  if (together()) q.collective = true;
  return q;
}

// The same as parameters of an address; an empty one that is there counts.
export function parameters() {
  const out = S.own ? { row: JSON.stringify(ownRow()) } : { rows: S.rows.join(',') };
  if (!together()) {
    out.set = Object.entries(S.set).map(([name, text]) => `${name}=${text}`);
    if (S.y !== null) out.set.push(`${target()}=${S.y}`);
  }
  if (S.hold !== null) out.freeze = S.hold.join(',');
  out.bounds = Object.entries(S.bounds).map(([name, [low, high]]) => `${name}=${low}:${high}`);
  if (together()) out.collective = '1';
  return out;
}

// The filters as parameters of an address.
export function filters() {
  const range = ends => (ends && ends.some(v => v !== null) ? ends.map(v => v ?? '').join('..') : null);
  return {
    q: S.q.trim() || null, verdict: S.verdict || null, off: range(S.off), score: range(S.score), f: range(S.f), y: range(S.seen),
    where: Object.entries(S.where).map(([name, ends]) => `${name}:${ends.join('..')}`),
  };
}
export const filtered = () => Boolean(S.q.trim() || S.verdict || S.off || S.score || S.f || S.seen || Object.keys(S.where).length);
