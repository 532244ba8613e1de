// The answer around its table: which row, the sentence, the numbers, notes, folds, the foot.
import { $, announce, button, el, put, say } from './dom.js';
import { S, byName, edited, many, save, together } from './state.js';
import { T, asked, label, parameters, target, title } from './study.js';
import { A, ask, cancel, working } from './ask.js';
import { matching, place, step } from './rows.js';
import { base, count, digits, duration, fixed, sigmas, signed, some } from './words.js';
import * as lines from './lines.js';
import * as map from './map.js';
import { query } from './api.js';

let act = {};
export function start(acts) {
  act = acts;
  for (const [id, fill] of Object.entries(FOLDS)) $(id).addEventListener('toggle', () => { if ($(id).open) fill($(id).lastElementChild); });
}

const sigma = () => A.base?.one.prior?.sigma ?? T.study.sigma;
const KINDS = { input: 'input', tied: 'several inputs', output: 'observed value or model', normal: 'normal', unknown: 'not known' };

// ---- where we are

let faded = 0;
export function asking(fresh) {
  put($('answer'), { 'aria-busy': 'true' });
  clearTimeout(faded);
  eyebrow();
  if (!fresh) return;
  $('said').style.minHeight = '';
  $('answer').classList.add('stale'); // the old table, faintly, and not for long
  faded = setTimeout(() => { $('answer').classList.add('blank'); say($('sentence'), `Asking about ${asked(S.rows)}`); }, 150);
}

export function drawn() {
  const each = many() && !together();
  clearTimeout(faded);
  const nothing = !A.base && A.each.length === 0;
  if (!nothing || !working()) $('answer').classList.remove('stale', 'blank');
  put($('answer'), { 'aria-busy': String(A.stage !== 'done' && A.stage !== 'failed' && A.stage !== 'cancelled') });
  $('each').hidden = !each;
  $('one').hidden = each || nothing;
  eyebrow();
  notes();
  tabs();
  if (nothing && !working()) {
    say($('sentence'), A.problem ? `${title(S.rows)} could not be explained` : A.stage === 'cancelled' ? `${title(S.rows)}: cancelled` : 'Choose a row of the list');
    $('lead').replaceChildren();
  } else if (each) drawEach();
  else if (A.base) {
    sentence();
    lead();
    keepHeight();
    lines.build();
    const basis = A.base.words.basis;
    say($('basis'), basis ? `Who is responsible was ${basis}.` : '');
    folds();
  }
  acts();
  foot();
  tried();
}

// Words of a what-if get longer and shorter; the table below them does not jump back.
function keepHeight() {
  const { offsetHeight } = $('said');
  if (edited() && offsetHeight > (parseFloat($('said').style.minHeight) || 0)) $('said').style.minHeight = `${offsetHeight}px`;
}

// Only f moved, while something is dragged.
export function moved() {
  lead();
  keepHeight();
  acts();
  foot();
  tried();
  lines.curvesAgain();
}

function tried() {
  const row = A.tried?.[0], y = A.base?.one.y[0];
  map.tryOut(row && !together() && edited() ? { f: row.f, y: S.y === null ? y : row.y ?? Number(S.y) } : S.own && A.base ? { f: A.base.one.f[0], y } : null);
}

function eyebrow() {
  const it = A.now ?? A.base, tags = [];
  if (edited() && !many()) tags.push(el('span', { class: 'tag whatif', text: 'what if' }));
  if (it && !(many() && !together())) tags.push(el('span', { class: `tag t-${it.words.verdict}`, text: KINDS[it.words.verdict] ?? it.words.verdict }));
  const words = { asking: 'asking the model', verdict: 'verdict ready; the joint change is being worked out', change: 'its distributions are being worked out' }[A.stage];
  if (words && working()) tags.push(el('span', { class: 'doing' }, el('span', { class: 'long', text: words }), ' ', button('Cancel', () => cancel(), { title: 'Esc' })));
  $('eyebrow').replaceChildren(el('b', { text: title(S.rows) }), ...tags);
  const share = { asking: 15, verdict: 45, change: 70, explanation: 95 }[A.stage] ?? 0;
  $('working').hidden = !working() || share === 0;
  put($('working'), { 'aria-valuenow': share, 'aria-valuemin': 0, 'aria-valuemax': 100 });
  put($('working').firstElementChild, { style: { width: `${share}%` } });
  steps();
}

function steps() {
  const at = S.own ? null : place(S.rows.at(-1)), focused = document.activeElement?.closest?.('#step button')?.dataset.at;
  if (many()) {
    const mode = (name, text) => button(text, () => { S.mode = name; save(); act.mode(); }, { 'aria-pressed': String(S.mode === name), 'data-at': name });
    $('step').replaceChildren(el('div', { class: 'seg', role: 'group', 'aria-label': 'Several rows' }, mode('together', 'together'), mode('each', 'each')));
  } else {
    const next = (text, by, name) => button(text, () => step(by), { 'aria-label': name, 'data-at': name });
    $('step').replaceChildren(el('span', { class: 'mute', text: at === null ? (S.own ? 'not in the list' : '') : `${count(at + 1)} of ${count(matching())}` }), next('‹', -1, 'previous row'), next('›', 1, 'next row'));
  }
  if (focused) $('step').querySelector(`[data-at="${focused}"]`)?.focus();
  const pane = document.querySelector('[data-go=answer]');
  say(pane, `Answer: ${T.study.id && !S.own && S.rows.length === 1 ? label(S.rows[0]) : asked(S.rows)}`);
}

// ---- the sentence and the numbers

// Names that the verdict accuses stand out, each once, and only as whole words.
function coloured(text, names) {
  const out = [], left = [...new Set(names)], letter = c => c !== undefined && /[\p{L}\p{N}_]/u.test(c);
  const find = (rest, name) => {
    for (let i = rest.indexOf(name); i >= 0; i = rest.indexOf(name, i + 1))
      if (!letter(rest[i - 1]) && !letter(rest[i + name.length])) return i;
    return -1;
  };
  for (let rest = text; rest !== '';) {
    const found = left.map(name => [find(rest, name), name]).filter(([i]) => i >= 0).sort((a, b) => a[0] - b[0] || b[1].length - a[1].length)[0];
    if (!found) { out.push(rest); break; }
    if (found[0] > 0) out.push(rest.slice(0, found[0]));
    out.push(el('span', { class: 'w', text: found[1] }));
    rest = rest.slice(found[0] + found[1].length);
    left.splice(left.indexOf(found[1]), 1);
  }
  return out;
}

function sentence() {
  const it = A.now && edited() ? A.now : A.base;
  const accused = it.words.lines?.filter(line => line.accused && line.column !== undefined).map(line => line.name) ?? [];
  const parts = [...Object.entries(S.set).map(([name, text]) => lines.valueWords(name, text)), ...(S.y === null ? [] : [lines.valueWords(`observed ${target()}`, S.y)])];
  let said = it.words.sentence;
  const out = [];
  if (it === A.now && parts.length > 0) {
    out.push(el('span', { class: 'y', text: `With ${parts.length > 3 ? `${parts.slice(0, 3).join(', ')} and ${parts.length - 3} more` : parts.join(', ')}` }), ': ');
    if (/^(Nothing unusual|No plausible|No answer|The first)/.test(said)) said = said[0].toLowerCase() + said.slice(1);
  }
  out.push(...coloured(said, accused));
  const whole = out.map(part => (typeof part === 'string' ? part : part.textContent)).join('');
  if ($('sentence').textContent !== whole) $('sentence').replaceChildren(...out);
  announce(`${title(S.rows)}. ${whole}`);
}

const median = values => { const s = [...values].sort((a, b) => a - b), m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2; };

function lead() {
  if (!A.base) return;
  const { one } = A.base, s = sigma(), out = [];
  const part = (name, was, now, optional) => out.push(el('span', { class: optional ? 'opt' : null }, `${name} `, el('b', { text: was }), now === null || now === was ? null : el('span', { class: 'new', text: ` → ${now}` })));
  if (one.rows?.length > 1 || one.y.length > 1) {
    const off = values => median(values.map(v => Math.abs(v))), before = one.y.map((y, i) => y - one.f[i]);
    const after = A.tried ? A.tried.map(row => row.off) : null;
    part('rows', one.rows.slice(0, 6).map(label).join(', ') + (one.rows.length > 6 ? ' …' : ''), null);
    part('off by, typically', s ? sigmas(off(before) / s) : digits(off(before), 4), after && Object.keys(S.shift).length > 0 ? (s ? sigmas(off(after) / s) : digits(off(after), 4)) : null);
    out.push(el('span', { text: 'one change shared by all' }));
  } else {
    const row = edited() ? A.tried?.[0] : null, y = one.y[0], f = one.f[0];
    const places = digitsOf(y - f);
    const off = (v, p) => `${signed(v - p, places)}${s ? ` (${sigmas((v - p) / s)})` : ''}`;
    const y2 = row && S.y !== null ? row.y : y, f2 = row ? row.f : f;
    part('observed', digits(y), S.y === null ? null : digits(Number(S.y)));
    part('predicted', digits(f), row ? digits(f2) : null);
    part('off by', off(y, f), row && Number.isFinite(f2) ? off(y2, f2) : null);
    part('score', one.score[0] === null ? 'n/a' : fixed(one.score[0], 2), row && row.score !== null ? fixed(row.score, 2) : null, true);
  }
  $('lead').replaceChildren(...out);
}
const digitsOf = v => Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(v) || 1))));

function notes() {
  const out = [], it = A.now ?? A.base;
  if (A.problem) {
    const last = A.base ? 'The answer below is the last complete one. ' : Object.keys(S.bounds).length > 0 ? 'Bounds may be too narrow for these rows. ' : '';
    out.push(el('div', { class: 'note bad', role: 'alert' }, el('p', {}, el('b', { text: `${A.problem.title}. ` }), A.problem.message),
      el('p', { class: 'mute', text: `${last}The list of rows is not affected.` }), button('Ask again', () => ask()), Object.keys(S.bounds).length > 0 ? button('Take the bounds back', () => { S.bounds = byName(); save(); ask(); }, { class: 'link' }) : null));
  }
  if (A.stage === 'cancelled')
    out.push(el('div', { class: 'note' }, el('p', { text: A.base ? 'Cancelled: the verdict is complete, the joint change is missing.' : 'Cancelled before there was a verdict.' }), button('Go on', () => ask())));
  for (const text of it?.words.notes ?? []) out.push(el('div', { class: 'note' }, el('p', { text })));
  const general = T.study.notes.filter(text => !text.startsWith('taken as'));
  for (const text of general.slice(0, 3)) out.push(el('div', { class: 'note quiet' }, el('p', { text })));
  if (many() && together() && A.base && new Set(A.base.one.y.map((y, i) => Math.sign(y - A.base.one.f[i]))).size > 1)
    out.push(el('div', { class: 'note' }, el('p', {}, 'Some of these rows are too high and some too low: one shared change may not suit them. ', button('Explain each', () => { S.mode = 'each'; save(); act.mode(); }, { class: 'link' }))));
  const key = out.map(node => node.textContent).join('|');
  if ($('notes').dataset.key !== key) { $('notes').replaceChildren(...out); $('notes').dataset.key = key; }
}

function acts() {
  const best = !(many() && !together()) && A.base ? lines.best() : null, out = [];
  const changed = together() ? Object.keys(S.shift).length > 0 : edited();
  if (changed) out.push(button('Reset all', () => act.reset(), { class: 'link', 'data-at': 'reset' }));
  else if (best && S.tab === 'answer' && !together()) out.push(button(best.text, () => best.set(), { class: 'link', 'data-at': 'best', title: best.name }));
  const key = out.map(node => node.textContent).join('|');
  if ($('acts').dataset.key !== key) {
    const focused = document.activeElement?.closest?.('#acts button');
    $('acts').replaceChildren(...out);
    $('acts').dataset.key = key;
    if (focused) ($('acts').querySelector('button') ?? $('t-answer')).focus();
  }
}

export function tabs() {
  for (const name of ['answer', 'compare']) {
    const on = S.tab === name;
    put($(`t-${name}`), { 'aria-selected': String(on), tabindex: on ? 0 : -1 });
    $(`p-${name}`).hidden = !on;
  }
}

// ---- each of several rows

function drawEach() {
  say($('sentence'), A.each.length < S.rows.length && working() ? `${count(A.each.length)} of ${some(S.rows.length, 'row')} explained` : eachWords());
  $('lead').replaceChildren(el('span', { text: 'each row on its own' }));
  $('each').replaceChildren(...A.each.map(({ words, one }) => {
    const row = one.rows[0], s = sigma() ?? one.prior?.sigma, off = one.y[0] - one.f[0];
    return el('li', {}, button(`row ${label(row)}`, () => act.choose([row]), { class: 'link' }), el('span', { class: 'mute', text: s ? `${signed(off / s, 1)} σ` : digits(off, 4) }),
      el('span', {}, ...coloured(words.sentence, words.lines?.filter(line => line.accused && line.column !== undefined).map(line => line.name) ?? [])));
  }));
  if (!working()) announce($('sentence').textContent);
}
function eachWords() {
  const by = new Map();
  for (const { words } of A.each) {
    const accused = words.lines?.find(line => line.accused), name = words.verdict === 'normal' ? 'nothing unusual' : accused?.name ?? 'not known';
    by.set(name, (by.get(name) ?? 0) + 1);
  }
  const parts = [...by].sort((a, b) => b[1] - a[1]).slice(0, 4).map(([name, n]) => `${name} in ${n}`);
  return `The first suspects: ${parts.join(', ')}.`;
}

// ---- folds

// A picture of the report, made by the server for this very question.
function picture(node, name, alt, before = []) {
  const address = `api/v1/report?${query({ ...parameters(), format: 'svg', picture: name })}`;
  if (node.dataset.of === address) return;
  node.dataset.of = address;
  const img = el('img', { src: address, alt, class: 'picture', on: { error: () => img.replaceWith(el('p', { class: 'small', text: 'There is nothing to draw for this question.' })) } });
  node.replaceChildren(...before, img);
}

const FOLDS = {
  'f-profile': node => { if (A.base) picture(node, 'profile', 'The prediction along each of the likeliest inputs, the others as they are; where the curve meets the observed value it would look normal.'); },
  'f-scatter': node => { if (A.base) picture(node, 'scatter', 'The explained row in red among other rows; the arrow is the most probable change of all inputs.'); },
  'f-joint': node => {
    const it = A.base;
    if (!it) return;
    if (it.one.delta === undefined) { node.replaceChildren(el('p', { class: 'small', text: 'being worked out' })); node.dataset.of = ''; return; }
    if (A.stage === 'done') picture(node, 'distributions', 'Distribution of each input’s change if all may change. The numbers are in the JSON that Take away gives.', [el('p', { text: it.words.joint.trim() })]);
    else node.replaceChildren(el('p', { text: it.words.joint.trim() }));
  },
  'f-settings': node => node.replaceChildren(settings()),
};
function folds() {
  for (const id of Object.keys(FOLDS)) if ($(id).open) FOLDS[id]($(id).lastElementChild);
  $('f-joint').classList.toggle('busy', working() && A.stage !== 'done');
}

function settings() {
  const { one, about, words } = A.base, p = one.prior ?? {}, out = el('dl', { class: 'more' });
  const term = (name, text) => { if (text !== null && text !== undefined && text !== '') out.append(el('dt', { text: name }), el('dd', { text: String(text) })); };
  const number = v => (typeof v === 'number' ? digits(v, 6) : v);
  term('model', about.model.spec);
  term('solver, distributions', `${about.solver}, ${about.marginals}`);
  term('eta, nu, a0', [p.eta, p.nu, p.a0].map(number).join(', '));
  term('sigma', p.sigma === undefined ? '' : `${number(p.sigma)}${p.noise ? `, ${p.noise}` : ''}`);
  term('asked', words.asked);
  term('search', words.search);
  for (const note of T.study.notes.filter(text => text.startsWith('taken as'))) term('inputs', note.replace(/^taken as: /, ''));
  term('seed', about.seed);
  term('data', about.input_digest);
  term('model, probed', about.model_probe_digest);
  term('options', JSON.stringify(about.options));
  return out;
}

// ---- the foot, and the head

export function foot() {
  const s = T.study, what = A.tries > 0 ? `what if: ${some(A.tries, 'row')} more` : 'what if: nothing asked yet';
  const asked = A.base || A.each.length ? `${some(A.rows, 'row')} asked of the model, ${duration(A.ms)}` : '';
  const scored = s.state === 'ready' ? `${some(s.rows, 'row')} scored` : `${count(s.scored)} of ${count(s.rows)} scored`;
  const text = [asked || 'nothing asked yet', what, scored].join('|');
  if ($('foot').dataset.key === text) return;
  $('foot').dataset.key = text;
  $('foot').replaceChildren(el('span', { text: asked || 'nothing asked yet' }), el('span', { class: 'opt', text: what }), el('span', { class: 'opt', text: scored }), el('span', { class: 'r', text: `gpa ${s.version}` }));
}

export function head() {
  const s = T.study;
  $('study').replaceChildren(el('b', { text: base(s.file), title: s.file }), ` ${some(s.rows, 'row')} · ${base(s.model.spec)}, ${some(inputsCount(), 'input')} → ${s.target.name}${s.sigma ? ` · σ ${digits(s.sigma, 3)}` : ''}`);
  document.title = `gpa – ${base(s.file)}`;
}
const inputsCount = () => T.study.inputs.length;
