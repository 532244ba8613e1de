// The whole state of the screen; it is in the fragment of the address, so that a link gives
// the same screen and no log of any server ever has it.

export const S = {};

// By name, whatever the names are: "constructor" and "__proto__" are inputs, too.
export const byName = () => Object.create(null);

const EMPTY = () => ({
  rows: [],          // chosen row numbers; of one's own row: none
  own: null,         // a row of one's own: column: text
  set: byName(),     // input: text, what if
  y: null,           // text, what if
  shift: byName(),   // of several rows together: input: change tried on all
  hold: null,        // names that are held; null: as the server was started
  bounds: byName(),  // input: [low, high] as texts, '' where there is none
  where: byName(),   // input: [low, high] as texts, or [level]
  off: null, score: null, f: null, seen: null, // [low, high]: sigma, score, predicted, observed
  q: '', verdict: '', sort: '', page: 0,
  mode: 'together', tab: 'answer', open: [], view: 'rows',
});
Object.assign(S, EMPTY());

const code = text => encodeURIComponent(text).replace(/[().!'*~]/g, c => (c === '.' ? '.' : '%' + c.charCodeAt(0).toString(16)));
const pairs = (object, text) => Object.entries(object).map(([name, value]) => `${code(name)}:${text(value)}`).join(',');
const span = value => value.map(code).join('..');

export function written() {
  const parts = [];
  const add = (name, text) => { if (text) parts.push(`${name}=${text}`); };
  add('row', S.rows.join(','));
  if (S.own) add('own', pairs(S.own, code));
  add('set', pairs(S.set, code));
  if (S.y !== null) add('y', code(S.y));
  add('shift', pairs(S.shift, code));
  if (S.hold !== null) parts.push(`hold=${S.hold.map(code).join(',')}`);
  add('bounds', pairs(S.bounds, span));
  add('where', pairs(S.where, span));
  for (const name of ['off', 'score', 'f', 'seen']) if (S[name]) add(name, span(S[name].map(String)));
  add('q', code(S.q));
  add('verdict', S.verdict);
  add('sort', S.sort);
  if (S.page > 0) add('page', String(S.page + 1));
  if (S.mode !== 'together') add('mode', S.mode);
  if (S.tab !== 'answer') add('tab', S.tab);
  add('open', S.open.map(code).join(','));
  if (S.view !== 'rows') add('view', S.view);
  return parts.join('&');
}

const plain = text => { try { return decodeURIComponent(text); } catch { return text; } };
const words = text => text.split(',').filter(Boolean).map(plain);
const spanned = text => text.split('..').map(plain);
function paired(text, value) {
  const out = byName();
  for (const part of text.split(',').filter(Boolean)) {
    const at = part.indexOf(':');
    if (at > 0) out[plain(part.slice(0, at))] = value(part.slice(at + 1));
  }
  return out;
}
const numbers = text => {
  const ends = spanned(text).map(part => (part === '' ? null : Number(part)));
  return ends.length === 2 && ends.every(v => v === null || Number.isFinite(v)) ? ends : null;
};

export function read(hash) {
  Object.assign(S, EMPTY());
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at), text = part.slice(at + 1);
    if (at <= 0) continue;
    if (name === 'row') S.rows = words(text).map(Number).filter(n => Number.isInteger(n) && n >= 0);
    else if (name === 'own') S.own = paired(text, plain);
    else if (name === 'set') S.set = paired(text, plain);
    else if (name === 'y') S.y = plain(text);
    else if (name === 'shift') S.shift = paired(text, plain);
    else if (name === 'hold') S.hold = words(text);
    else if (name === 'bounds') S.bounds = paired(text, spanned);
    else if (name === 'where') S.where = paired(text, spanned);
    else if (['off', 'score', 'f', 'seen'].includes(name)) S[name] = numbers(text);
    else if (name === 'q') S.q = plain(text);
    else if (name === 'verdict') S.verdict = ['strange', 'input', 'tied', 'output', 'normal'].includes(text) ? text : '';
    else if (name === 'sort') S.sort = /^-?(row|id|y|f|off|score|who)$/.test(text) ? text : '';
    else if (name === 'page') S.page = Math.max(0, (Number(text) || 1) - 1);
    else if (name === 'mode') S.mode = text === 'each' ? 'each' : 'together';
    else if (name === 'tab') S.tab = text === 'compare' ? 'compare' : 'answer';
    else if (name === 'open') S.open = words(text);
    else if (name === 'view') S.view = text === 'answer' ? 'answer' : 'rows';
  }
}

// The address follows; another row is a step that Back takes back. Browsers allow only so
// many changes a second, so those that come while something is dragged are put together.
let later = 0;
const now = push => {
  const address = location.pathname + location.search + '#' + written();
  if (push) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
};
export function save(push = false) {
  clearTimeout(later);
  if (push) now(true);
  else later = setTimeout(() => now(false), 80);
}
export function flush() {
  clearTimeout(later);
  now(false);
}

export const many = () => S.rows.length > 1;
export const together = () => many() && S.mode === 'together';
export const edited = () => Object.keys(S.set).length > 0 || S.y !== null;
