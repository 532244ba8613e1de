// Every width, a million rows, rows that are being scored, a model that dies, a server that
// goes away and comes back, links that do not fit.
import { spawnSync } from 'node:child_process';
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, axe, check, end, folder, layout, open, same, serve, settled, text, want, visit } from './kit.mjs';

const DATA = 'examples/diabetes/spoilt.csv', MODEL = 'examples/diabetes/model.json', cwd = ROOT;
const BASE = ['--model', MODEL, '--target', 'progression'];

await check('360 to 2560 pixels', async () => {
  const server = await serve([...BASE, DATA], { cwd });
  for (const width of [360, 414, 640, 768, 1024, 1239, 1240, 1400, 1900, 2560])
    for (const view of ['rows', 'answer']) {
      const { page, complaints, context } = await open(server, { width, height: 900, dark: width % 3 === 0, hash: `#row=10&set=bmi:30&open=bp&view=${view}` });
      await layout(page, `${width}, ${view}`);
      same(complaints, [], 'complaints');
      if (width === 360 || width === 768 || width === 2560) await axe(page, `${width}, ${view}`);
      if (width < 640) {
        const small = await page.evaluate(() => [...document.querySelectorAll('button, select, input:not([type=checkbox], [type=range])')].map(node => [node.getBoundingClientRect(), node.textContent || node.getAttribute('aria-label')]).filter(([box]) => box.height > 0 && box.height < 31.5).map(([box, name]) => `${name} ${box.height}`));
        same(small, [], 'targets that are too small');
      }
      await context.close();
    }
  await server.stop();
});

await check('links that do not fit', async () => {
  const server = await serve([...BASE, DATA], { cwd });
  const { page, complaints, context } = await open(server, { hash: '#row=4711&set=nobody:3&hold=bmi,who&where=what:1..2&off=a..b&page=77&sort=%27&open=%3Cb%3E' });
  const said = await text(page, '#banner');
  want(said.includes('there is no row 4711') && said.includes('no input is called nobody'), 'what does not fit', said);
  same(await text(page, '#eyebrow b'), 'Row 10', 'the worst row');
  same(complaints, [], 'complaints');
  await context.close();
  await server.stop();
});

// The table and the button do what the sentence says: both, for neither would do alone.
await check('exchanged columns', async () => {
  const work = folder();
  let seed = 3;
  const uniform = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 2 ** 32; };
  const normal = (mean, sd) => mean + sd * (Array.from({ length: 12 }, uniform).reduce((a, b) => a + b) - 6);
  const lines = Array.from({ length: 120 }, (_, i) => {
    const [temp, flow, ph] = [normal(85, 6), normal(120, 15), normal(7, .4)], y = .9 * temp - .1 * flow - 4 * ph + normal(0, 1);
    return [...(i === 7 || i === 8 ? [flow, temp] : [temp, flow]), ph, y].map(v => v.toFixed(4)).join(',');
  });
  writeFileSync(join(work, 'rows.csv'), `temp,flow,ph,y\n${lines.join('\n')}\n`);
  writeFileSync(join(work, 'model.json'), JSON.stringify({ type: 'linear', variables: ['temp', 'flow', 'ph'], w: [.9, -.1, -4], b: 0 }));
  const server = await serve(['--model', 'model.json', '--target', 'y', 'rows.csv'], { cwd: work });
  const { page, complaints, context } = await open(server, { hash: '#row=7' });
  const [temp, flow] = lines[7].split(',').map(Number).map(String);
  const boxes = () => page.evaluate(() => [...document.querySelectorAll('.who .in .now input')].slice(0, 2).map(node => node.value));
  const cells = () => page.evaluate(() => [...document.querySelectorAll('.who .in')].slice(0, 2).map(tr => [tr.querySelector('.set').textContent, tr.querySelector('.iv').textContent]));
  want((await text(page, '#sentence')).startsWith('temp and flow look exchanged'), 'the sentence', await text(page, '#sentence'));
  same(await cells(), [[flow, 'exchanged'], [temp, 'exchanged']], 'what would look normal');
  for (const [what, set] of [['the button', () => page.locator('#acts button[data-at=best]').click()], ['a cell', () => page.locator('.who .in .set').nth(1).click()], ['a key', () => page.locator('body').press('n')]]) {
    same(await text(page, '#acts button'), 'Exchange them', what);
    await set();
    await settled(page);
    same(await boxes(), [flow, temp], what);
    want(/^With (temp .*, flow|flow .*, temp) .*: nothing unusual/.test(await text(page, '#sentence')), what, await text(page, '#sentence'));
    await page.locator('#acts button').click();
    await settled(page);
    same(await boxes(), [temp, flow], 'reset');
  }
  await axe(page, 'exchanged');
  await visit(page, server, '#row=7,8&mode=together');
  want((await text(page, '#sentence')).includes("each in the other's place"), 'together', await text(page, '#sentence'));
  same(await cells(), [['exchanged', ''], ['exchanged', '']], 'together');
  same(await page.locator('#acts button').count(), 0, 'no change is shared');
  await page.locator('body').press('n');
  await settled(page);
  same(await boxes(), ['0', '0'], 'a key, together');
  same(complaints, [], 'complaints');
  await context.close();
  await server.stop();
});

// A model in Python that takes its time: after 9,000 rows (the first piece is 8,192) it waits until the file `wait` is gone.
// It dies when there is a file that tells it to.
const SLOW = `import os, time
import numpy as np
asked = 0
def f(X):
    global asked
    if os.path.exists("die"):
        os._exit(3)
    asked += len(X)
    while asked > 9000 and os.path.exists("wait"):
        time.sleep(.01)
    time.sleep(.00005 * len(X))
    return np.asarray(X, dtype=float) @ [2, -1, 0]
`;
async function slow(rows) {
  const work = folder();
  let seed = 5;
  const random = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 2 ** 32; };
  const lines = Array.from({ length: rows }, (_, i) => { const x = [random() * 10, random() * 5, random()]; return [...x.map(v => v.toFixed(3)), (2 * x[0] - x[1] + random() + (i === 77 ? 20 : 0)).toFixed(3)].join(','); });
  writeFileSync(join(work, 'rows.csv'), `a,b,c,y\n${lines.join('\n')}\n`);
  writeFileSync(join(work, 'slow.py'), SLOW);
  writeFileSync(join(work, 'wait'), '');
  const python = ['python3', '/usr/bin/python3'].find(name => spawnSync(name, ['-c', 'import numpy']).status === 0);
  if (!python) return null;
  const server = await serve(['--model', `exec:${python} -m gpa.worker slow.py:f`, '--target', 'y', '--batch', '500', 'rows.csv'], { cwd: work, env: { ...process.env, LC_ALL: 'C.UTF-8', PYTHONPATH: join(ROOT, 'bindings/python') } });
  return { work, server };
}

await check('rows that are being scored; a model that dies', async () => {
  const made = await slow(40000);
  if (made === null) return 'SKIP: no Python with NumPy';
  const { work, server } = made;
  const { page, context } = await open(server, { wait: false });
  await page.waitForSelector('#scoring:not([hidden])');
  await page.waitForFunction(() => document.querySelectorAll('#list tbody tr').length > 0);
  want(/of 40,000 scored/.test(await text(page, '#rowsnote')), 'progress', await text(page, '#rowsnote'));
  await axe(page, 'scoring');
  await layout(page, 'scoring');
  unlinkSync(join(work, 'wait'));
  await page.waitForFunction(() => document.getElementById('scoring').hidden, null, { timeout: 60000 });
  await settled(page);
  same(await text(page, '#eyebrow b'), 'Row 77', 'the worst');
  const before = await text(page, '#sentence');
  writeFileSync(join(work, 'die'), '');
  await page.locator('.who tr[data-k="0"] .now input').fill('3');
  await page.waitForSelector('.note.bad');
  await settled(page); // what was asked besides has failed, too
  const said = await text(page, '.note.bad');
  want(/exit|ended|died|closed/i.test(said) && said.includes('last complete one'), 'what happened', said);
  await axe(page, 'a dead model');
  unlinkSync(join(work, 'die'));
  await page.locator('.note.bad button').first().click();
  await page.waitForSelector('.note.bad', { state: 'detached', timeout: 30000 });
  await settled(page);
  want((await text(page, '#sentence')).startsWith('With a 3: '), 'it goes on', await text(page, '#sentence'), before, await page.locator('.note.bad').allTextContents());
  await context.close();
  await server.stop();
});

await check('the server goes away, and comes back', async () => {
  const work = folder(), token = join(work, 'token');
  writeFileSync(token, 'a-token-that-is-long-enough-0123456789\n', { mode: 0o600 });
  let server = await serve([...BASE, '--token-file', token, DATA], { cwd });
  const port = new URL(server.url).port;
  const { page, context } = await open(server);
  const before = await text(page, '#sentence');
  await server.stop();
  await page.locator('#list tr[data-row="61"]').click();
  await page.waitForSelector('#banner:not([hidden])');
  want((await text(page, '#banner')).startsWith('The server has stopped'), 'banner', await text(page, '#banner'));
  want((await text(page, '#banner')).includes('gpa serve'), 'what to do');
  await axe(page, 'gone');
  same(await page.locator('#list tbody tr').count(), 50, 'what was there stays');
  server = await serve([...BASE, '--token-file', token, '--port', port, DATA], { cwd });
  await page.waitForSelector('#banner', { state: 'hidden', timeout: 10000 });
  await settled(page);
  same(await text(page, '#eyebrow b'), 'Row 61', 'the row that was asked for');
  want((await text(page, '#sentence')) !== before, 'its answer');
  await context.close();
  await server.stop();
});

await check('two hundred thousand rows', async () => {
  const work = folder(), lines = ['a,b,c,y'];
  let seed = 3;
  const random = () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 2 ** 32; };
  for (let i = 0; i < 200000; i++) {
    const x = [random() * 10, random() * 5, random()], y = x[0] * 2 - x[1] + (random() - .5) + (i === 123456 ? 30 : 0);
    lines.push([...x.map(v => v.toFixed(4)), y.toFixed(4)].join(','));
  }
  writeFileSync(join(work, 'rows.csv'), lines.join('\n') + '\n');
  writeFileSync(join(work, 'model.json'), JSON.stringify({ type: 'linear', variables: ['a', 'b', 'c'], w: [2, -1, 0], b: 0 }));
  const server = await serve(['--model', 'model.json', '--target', 'y', 'rows.csv'], { cwd: work });
  const from = performance.now();
  const { page, complaints, context } = await open(server);
  const took = performance.now() - from;
  same(await page.locator('#list').getAttribute('aria-rowcount'), '200001', 'rows');
  same(await text(page, '#eyebrow b'), 'Row 123456', 'the worst');
  want((await text(page, '#rowsnote')).startsWith('points: the 200 worst'), 'bins', await text(page, '#rowsnote'));
  const ink = await page.evaluate(() => { const c = document.getElementById('dots'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n / (d.length / 4); });
  want(ink > .02, 'nothing is drawn', ink);
  const times = [], served = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    const answer = page.waitForResponse(response => response.url().includes('/rows?'));
    await page.locator('[aria-label="next page"]').click();
    await (await answer).finished();
    served.push(Number(/dur=([\d.]+)/.exec((await answer).headers()['server-timing'] ?? '')?.[1] ?? NaN));
    times.push(performance.now() - start);
  }
  for (const list of [times, served]) list.sort((a, b) => a - b);
  await layout(page, 'many rows');
  same(complaints, [], 'complaints');
  await context.close();
  await server.stop();
  return `on screen after ${(took / 1000).toFixed(1)} s, a page of the list within ${times[18].toFixed(0)} ms (95 %), ${served[18].toFixed(1)} of them the server's`;
});

await end();
