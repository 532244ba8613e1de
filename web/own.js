// A row of one's own: a line of CSV, or a form that begins as the row on screen.
import { $, el, put, say } from './dom.js';
import { S } from './state.js';
import { T, edits, inputs, label, target } from './study.js';
import { A, recorded } from './ask.js';

let act = {}, fields = [];
const columns = () => [...T.study.features, target()];

// One line of CSV: quotes as in CSV; commas, semicolons or tabs.
export function parse(text) {
  const lines = text.replace(/\r/g, '').split('\n').filter(line => line.trim() !== '');
  const line = lines.at(-1) ?? '', header = lines.length > 1 ? lines[0] : null;
  const mark = [',', ';', '\t'].map(c => [line.split(c).length, c]).sort((a, b) => b[0] - a[0])[0][1];
  const cells = one => {
    const out = [];
    let cell = '', quoted = false;
    for (let i = 0; i < one.length; i++) {
      const c = one[i];
      if (quoted) { if (c === '"' && one[i + 1] === '"') { cell += '"'; i++; } else if (c === '"') quoted = false; else cell += c; }
      else if (c === '"') quoted = true;
      else if (c === mark) { out.push(cell.trim()); cell = ''; } else cell += c;
    }
    return [...out, cell.trim()];
  };
  return { header: header === null ? null : cells(header), values: cells(line) };
}

// The values by column, or what is wrong with them in words.
function understood(text) {
  const { header, values } = parse(text), names = columns();
  if (header && names.every(name => header.includes(name))) return { row: Object.fromEntries(names.map(name => [name, values[header.indexOf(name)] ?? ''])) };
  if (values.length !== names.length) return { wrong: `${values.length} values, but ${names.length} are needed: ${names.join(', ')}.` };
  return { row: Object.fromEntries(names.map((name, i) => [name, values[i]])) };
}

function check(row) {
  for (const [name, text] of Object.entries(row)) {
    const input = inputs().find(one => one.columns.includes(name));
    const number = !input || input.columns.length > 1 || (input.levels === null && input.writing === 'number');
    if (number && text !== '' && !Number.isFinite(Number(text))) return `${name} is “${text.slice(0, 40)}”, which is not a number.`;
    if (!input && text === '') return `${name} is missing: without an observed value there is nothing to explain.`;
    if (input?.levels && input.columns.length === 1 && text !== '' && !input.levels.some(level => String(level) === text))
      return `${name} is “${text.slice(0, 40)}”, which the data does not have: ${input.levels.slice(0, 12).join(', ')}${input.levels.length > 12 ? ', …' : ''}.`;
  }
  return null;
}

const quoted = text => (/[",;\t\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
const toLine = row => columns().map(name => quoted(row[name] ?? '')).join(',');

function open() {
  if (!A.base) return;
  const start = recorded(), changed = edits();
  for (const input of inputs()) if (changed[input.name] !== undefined && input.columns.length === 1) start[input.columns[0]] = changed[input.name];
  if (changed[target()] !== undefined) start[target()] = changed[target()];
  const row = S.own ?? Object.fromEntries(columns().map(name => [name, start[name] === null ? '' : String(start[name])]));
  say($('n-from'), S.own ? 'it is' : `row ${label(S.rows[0])}`);
  say($('n-order'), columns().join(', '));
  say($('n-error'), '');
  fields = columns().map(name => el('input', { type: 'text', value: row[name], maxlength: 200, autocomplete: 'off', on: { input: fromFields } }));
  $('n-fields').replaceChildren(...columns().map((name, i) => el('label', {}, el('span', { text: name, title: name }), fields[i])));
  $('n-csv').value = toLine(row);
  $('d-new').showModal();
  $('n-csv').focus();
  $('n-csv').select();
}

function fromFields() {
  $('n-csv').value = toLine(Object.fromEntries(columns().map((name, i) => [name, fields[i].value.trim()])));
  say($('n-error'), '');
}
function fromLine() {
  const { row, wrong } = understood($('n-csv').value);
  say($('n-error'), wrong ?? '');
  if (row) columns().forEach((name, i) => { fields[i].value = row[name]; });
}

export function start(acts) {
  act = acts;
  $('new').addEventListener('click', open);
  $('n-csv').addEventListener('input', fromLine);
  $('n-cancel').addEventListener('click', () => $('d-new').close());
  $('newform').addEventListener('submit', e => {
    e.preventDefault();
    const { row, wrong } = understood($('n-csv').value), problem = wrong ?? check(row);
    say($('n-error'), problem ?? '');
    put($('n-csv'), { 'aria-invalid': problem ? 'true' : null });
    if (problem) { $('n-csv').focus(); return; }
    $('d-new').close();
    act.own(row);
  });
}
