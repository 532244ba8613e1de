// Names of inputs and rows, of the outcome, the model and the file that want to be something
// else: no element is gained, nothing is run or asked, and what is shown is the text.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, end, folder, open, same, serve, settled, want } from './kit.mjs';
import { naughty } from './strings.mjs';

const NAMES = naughty(), N = NAMES.length;
const quoted = text => `"${text.replace(/"/g, '""')}"`;
let seed = 7;
const random = () => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return seed / 2 ** 32; };

// A linear model of as many inputs as there are names, and as many rows; some are spoilt.
function write(names, ids, target, file, model) {
  const work = folder();
  seed = 7;
  const w = names.map(() => random() - .5), lines = [['id', ...names.map(quoted), quoted(target)].join(',')];
  for (const [i, id] of ids.entries()) {
    const x = names.map(() => Number((random() * 10).toFixed(3)));
    let y = x.reduce((sum, v, k) => sum + v * w[k], 0) + random();
    if (i % 20 === 3) x[i % names.length] += 90;
    if (i % 20 === 7) y += 60;
    lines.push([quoted(id), ...x, y.toFixed(4)].join(','));
  }
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, file), lines.join('\r\n') + '\r\n');
  writeFileSync(join(work, model), JSON.stringify({ type: 'linear', w, b: 0 }));
  return { work, args: ['--model', model, '--target', target, '--id', 'id', '--culprit', 'basic', '--marginals', 'none', file] };
}

const SKELETON = () => {
  const counts = {};
  for (const node of document.querySelectorAll('*')) {
    // labels that keep clear of each other, and names in sentences that stand out, come and go
    if (node.closest('#marks, #hist, .curve') || node.matches('h2 span.w, #each span.w')) continue;
    const kind = `${node.localName}.${node.getAttribute('class') ?? ''}[${[...node.attributes].map(a => a.name).sort().join()}]`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

async function look(set) {
  const server = await serve(set.args, { cwd: set.work });
  const { page, complaints, context } = await open(server, { width: 1280 });
  const screens = [];
  const shot = async () => {
    await settled(page);
    const bad = await page.evaluate(() => [...document.querySelectorAll('.note.bad')].map(node => node.textContent));
    same(bad, [], 'a problem');
    screens.push(await page.evaluate(SKELETON)); };
  await shot();
  if (set.many) {
    await page.locator('#more button').click();
    await shot();
  }
  await page.locator('.who .nm button').first().click();
  await shot();
  const ids = [];
  for (let i = 0; i * 50 < set.rows; i++) {
    await shot();
    ids.push(...await page.evaluate(() => [...document.querySelectorAll('#list tbody tr')].map(tr => tr.cells[1].textContent)));
    if ((i + 1) * 50 < set.rows) await page.locator('[aria-label="next page"]').click();
  }
  await page.locator('#list tbody tr').nth(1).locator('input').click();
  await shot();
  await page.locator('#step button', { hasText: 'each' }).click();
  await shot();
  await page.keyboard.press('Escape');
  await settled(page);
  await page.evaluate(() => document.querySelectorAll('*').forEach(node => { for (const kind of ['mouseover', 'pointerenter', 'focus']) node.dispatchEvent(new Event(kind, { bubbles: true })); }));
  await page.locator('#new').click();
  await page.waitForTimeout(200);
  screens.push(await page.evaluate(SKELETON));
  await page.keyboard.press('Escape');
  const inputs = await page.evaluate(() => [...document.querySelectorAll('.who .nm button')].map(node => node.title));
  const state = await page.evaluate(() => ({ pwned: typeof window.pwned, scripts: document.scripts.length, styles: document.querySelectorAll('style, [style]').length > 0, frames: frames.length, title: document.title }));
  const address = page.url();
  await context.close();
  const { page: again, context: other } = await open(server, { hash: new URL(address).hash });
  const reopened = await again.evaluate(() => document.querySelectorAll('#list tbody tr').length);
  await other.close();
  await server.stop();
  return { screens, complaints, inputs, ids, state, reopened };
}

// Inputs in a table of few rows, rows in one of few inputs: all of them would take minutes.
async function compared(names, ids) {
  const evil = write(names, ids, '<iframe src=//x>', '<img src=x onerror=window.pwned=1>.csv', '\'"><svg onload=window.pwned=1>.json');
  const twin = write(names.map((_, k) => `x${k}`), ids.map((_, i) => `r${i}`), 'y', 'rows.csv', 'model.json');
  const got = await look({ ...evil, rows: ids.length, many: names.length > 16 }), wanted = await look({ ...twin, rows: ids.length, many: names.length > 16 });
  same(got.complaints, [], 'complaints');
  same(got.state.pwned, 'undefined', 'a name was run');
  same([got.state.scripts, got.state.frames], [1, 0], 'scripts and frames');
  same(got.screens.length, wanted.screens.length, 'screens');
  got.screens.forEach((screen, i) => {
    const others = [...new Set([...Object.keys(screen), ...Object.keys(wanted.screens[i])])].filter(kind => screen[kind] !== wanted.screens[i][kind]);
    same(others.map(kind => `${screen[kind] ?? 0} of ${kind}`), others.map(kind => `${wanted.screens[i][kind] ?? 0} of ${kind}`), `screen ${i}`);
  });
  for (const [what, shown, all] of [['inputs', got.inputs, names], ['rows', got.ids, ids]]) {
    const there = new Set(shown), lost = all.filter(name => !there.has(name));
    want(lost.length === 0, `${lost.length} ${what} are not shown as they are:`, lost.slice(0, 5), shown.slice(0, 3));
  }
  same(got.reopened, wanted.reopened, 'rows after the link');
  return `${got.screens.length} screens, ${Object.values(got.screens.at(-1)).reduce((a, b) => a + b, 0)} elements in the last`;
}

want(N >= 500, 'strings', N);
await check(`${N} strings as inputs`, () => compared(NAMES, NAMES.slice(0, 24)));
await check(`${N} strings as rows`, () => compared(NAMES.slice(0, 5), NAMES));
await end();
