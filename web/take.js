// Take away: the link, the report's page, data, pictures, and the command that gives the same.
import { $, el, put, say, toast } from './dom.js';
import { S, flush, many, together } from './state.js';
import { T, parameters } from './study.js';
import { A } from './ask.js';
import * as api from './api.js';

let act = {};

const file = () => (S.own ? 'row' : `row-${S.rows.slice(0, 4).join('-')}${S.rows.length > 4 ? '-more' : ''}`);
const address = (format, more = {}) => `api/v1/report?${api.query({ ...parameters(), format, download: '1', ...more })}`;

// Not a plain link: a failure is to be said here, not on a page of its own.
async function made(format, more) {
  let answer;
  try {
    answer = await fetch(address(format, more));
  } catch {
    throw new api.Problem(0, 'The server does not answer', 'It may have been stopped.');
  }
  if (answer.ok) return answer.blob();
  const problem = await answer.json().catch(() => ({}));
  throw new api.Problem(answer.status, problem.title ?? 'It could not be made', problem.detail ?? `The server answered with ${answer.status}.`);
}
async function download(format, name, more) {
  try {
    hand(await made(format, more), name);
  } catch (error) { act.failed(error); }
}

// The picture drawn by the browser, twice as large, on the colour of a card.
async function drawn(name, more) {
  try {
    const source = URL.createObjectURL(await made('svg', more)), image = new Image();
    image.src = source;
    await image.decode();
    const canvas = el('canvas', {}), pen = canvas.getContext('2d');
    Object.assign(canvas, { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--card');
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(source);
    hand(await new Promise(done => canvas.toBlob(done, 'image/png')), name);
  } catch (error) {
    act.failed(error instanceof api.Problem ? error : new api.Problem(1, 'The picture could not be drawn', 'Take it as .svg.'));
  }
}
function hand(blob, name) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 4000);
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    say($('h-copy'), 'Copy this');
    show(text, 'The browser does not let the page copy; it is marked here.');
  }
}
function show(text, note) {
  $('c-text').value = text;
  say($('c-note'), note);
  $('d-copy').showModal();
  $('c-text').select();
}

async function command() {
  const own = S.own ? 'This row is in no file: write it into one, then ask for it.' : null;
  try {
    const { command: line } = S.own ? { command: null } : await api.get('command', { ...parameters(), format: 'json' });
    say($('h-copy'), 'The same on the command line');
    if (line) show(line, 'It gives the bytes of “This answer, JSON”.');
    else show(csv(), own ?? 'There is no command for this question.');
  } catch (error) {
    act.failed(error);
  }
}
const csv = () => {
  const quoted = text => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  return `${Object.keys(S.own).map(quoted).join(',')}\n${Object.values(S.own).map(quoted).join(',')}`;
};

function entries() {
  const has = format => T.study.formats.includes(format), item = (text, hint, go) => ({ text, hint, go });
  const picture = together() ? 'distributions' : 'profile';
  return [
    item('Copy the link', 'this very screen', () => { flush(); copy(location.href, 'Link copied.'); }), null,
    has('html') && item('Report as a page', '.html', () => download('html', `${file()}.html`)),
    item(many() ? 'These answers' : 'This answer', '.json', () => download('json', `${file()}.json`)),
    has('csv') && item('Every number, a line per input', '.csv', () => download('csv', `${file()}.csv`)),
    has('svg') && item('Picture: f along the inputs', '.svg', () => download('svg', `${file()}-${picture}.svg`, { picture })),
    has('svg') && item('Picture: distributions', '.svg', () => download('svg', `${file()}-distributions.svg`, { picture: 'distributions' })),
    has('svg') && item('Picture: f along the inputs', '.png', () => (has('png') ? download('png', `${file()}-${picture}.png`, { picture }) : drawn(`${file()}-${picture}.png`, { picture }))),
    null, item('The same on the command line', S.own ? 'as CSV' : 'copy', command),
  ].filter(entry => entry !== false);
}

export function open(on) {
  const menu = $('taken');
  put($('take'), { 'aria-expanded': String(on) });
  menu.hidden = !on;
  if (!on) return;
  menu.replaceChildren(...entries().map(entry => (entry === null ? el('hr', { role: 'separator' }) :
    el('button', { type: 'button', role: 'menuitem', tabindex: -1, on: { click: () => { open(false); $('take').focus(); entry.go(); } } }, entry.text, el('span', { text: entry.hint })))));
  menu.querySelector('[role=menuitem]').focus();
}

export function start(acts) {
  act = acts;
  $('take').addEventListener('click', () => { if (A.base || A.each.length) open($('taken').hidden); else toast('There is no answer yet.'); });
  $('taken').addEventListener('keydown', e => {
    const all = [...$('taken').querySelectorAll('[role=menuitem]')], i = all.indexOf(document.activeElement);
    const to = { ArrowDown: (i + 1) % all.length, ArrowUp: (i + all.length - 1) % all.length, Home: 0, End: all.length - 1 }[e.key];
    if (to !== undefined) { e.preventDefault(); all[to].focus(); }
    if (e.key === 'Escape' || e.key === 'Tab') { e.stopPropagation(); e.preventDefault(); open(false); $('take').focus(); }
  });
  document.addEventListener('click', e => { if (!e.target.closest('.menu') && !$('taken').hidden) open(false); });
  $('c-copy').addEventListener('click', () => copy($('c-text').value, 'Copied.'));
}
