// From the rows to the answer, what if, holds, several rows, other methods, the link and
// downloads; each beside what the command says to the same question.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, axe, check, end, folder, json, layout, open, plain, run, same, serve, settled, shown, text, visit, want } from './kit.mjs';

const DATA = 'examples/diabetes/spoilt.csv', MODEL = 'examples/diabetes/model.json';
const BASE = ['--model', MODEL, '--target', 'progression'], cwd = ROOT;
const command = (...options) => json(['explain', '--json', ...BASE, ...options, DATA], { cwd });
const verdict = (...options) => command(...options).explanations[0].verdict.text;
const lowered = words => words[0].toLowerCase() + words.slice(1);

const server = await serve([...BASE, DATA], { cwd });
const setTo = async (page, k, value) => { const box = page.locator(`.who tr[data-k="${k}"] .now input`); await box.fill(value); await settled(page); };
const row = (page, number) => page.locator(`#list tr[data-row="${number}"]`);
const BMI = 2, BP = 3;

async function rows(page) {
  const scores = json(['score', '--json', ...BASE, DATA], { cwd });
  const listed = await page.evaluate(() => [...document.querySelectorAll('#list tbody tr')].map(tr => [Number(tr.dataset.row), tr.cells[2].textContent, tr.cells[5].textContent]));
  same(listed.map(([n]) => n), scores.rows.slice(0, 50).map(r => r.row), 'worst first');
  same(listed.map(([, y]) => Number(y)), scores.rows.slice(0, 50).map(r => r.y), 'observed');
  want(listed.every(([, , score], i) => Math.abs(Number(score) - scores.rows[i].score) <= .005001), 'scores', listed.slice(0, 3));
  same(await page.locator('#list').getAttribute('aria-rowcount'), String(scores.rows.length + 1), 'rows that are there');
  want((await text(page, '#pager span')).includes(`1–50 of ${scores.rows.length}`), 'pager', await text(page, '#pager span'));
}

// The table is that of the report: the same words in the same order.
async function table(page) {
  const work = folder();
  run(['explain', ...BASE, '--rows', '10', '--html', join(work, 'page.html'), '--out', join(work, 'out'), DATA], { cwd });
  const report = await page.context().newPage();
  await report.goto(`file://${join(work, 'page.html')}`);
  const theirs = await report.evaluate(() => [...document.querySelectorAll('.who tbody tr')].map(tr => [tr.querySelector('.nm').firstChild.textContent.trim(), ...['.p', '.now', '.nn .v', '.nn .iv'].map(c => tr.querySelector(c)?.textContent ?? '')]));
  await report.close();
  const ours = await page.evaluate(() => [...document.querySelectorAll('.who tbody tr')].map(tr => [tr.querySelector('.nm button').title && tr.querySelector('.nm span:not(.tri)').firstChild.textContent.trim(),
    tr.querySelector('.p').textContent, tr.querySelector('.now :is(input, select)').value, tr.querySelector('.set').textContent, tr.querySelector('.iv').textContent]));
  same(ours.map(line => line[0]), theirs.map(line => line[0]), 'inputs');
  theirs.forEach((line, i) => same(ours[i].map(plain), line.map(plain), `line ${i} of the table`));
}

async function whatIf(page, phone) {
  await page.locator(`.who tr[data-k="${BMI}"] .set`).click();
  await settled(page);
  const set = await page.locator(`.who tr[data-k="${BMI}"] .now input`).inputValue();
  const answer = command('--rows', '10', '--set', `bmi=${set}`).explanations[0];
  same(await text(page, '#sentence'), `With bmi ${set}: ${lowered(answer.verdict.text)}`, 'what if');
  const f = Number((await text(page, '#lead span:nth-child(2) .new')).replace(/[^\d.-]/g, ''));
  want(Math.abs(f - answer.f[0]) < .006, 'f', f, answer.f[0]);
  const p = await page.evaluate(() => [...document.querySelectorAll('.who .in .bar path')].length);
  want(p === 10, 'bars', p);
  if (phone) await page.locator('.who .out .nm button').click();
  await setTo(page, -1, '250');
  const both = verdict('--rows', '10', '--set', `bmi=${set}`, '--set', 'progression=250');
  want((await text(page, '#sentence')).toLowerCase().endsWith(both.toLowerCase()), 'y reacts', await text(page, '#sentence'), both);
  await page.locator('#acts button').click();
  await settled(page);
  same(await text(page, '#sentence'), verdict('--rows', '10'), 'reset');
  if (phone) await page.locator(`.who tr[data-k="${BP}"] .nm button`).click();
  const box = page.locator(`.who tr[data-k="${BP}"] .now input`);
  await box.fill('ninety');
  same(await box.getAttribute('aria-invalid'), 'true', 'not a number');
  await box.fill('88');
  same(await box.getAttribute('aria-invalid'), null, 'a number again');
}

// f moves while the thumb does; who follows when it rests.
async function drag(page) {
  const slider = page.locator(`.who tr[data-k="${BMI}"] .range`), box = await slider.boundingBox();
  const jumps = await page.evaluate(() => { window.moved = 0; new PerformanceObserver(list => { for (const e of list.getEntries()) window.moved += e.value; }).observe({ type: 'layout-shift' }); return 0; });
  want(jumps === 0, 'begin');
  const slow = await page.context().newCDPSession(page); // so that every state between is painted
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await page.mouse.move(box.x + box.width - 7, box.y + box.height / 2);
  await page.mouse.down();
  const seen = new Set();
  for (let i = 0; i < 12; i++) {
    await page.mouse.move(box.x + box.width - 7 - i * box.width / 16, box.y + box.height / 2);
    await page.waitForTimeout(30);
    seen.add(await page.locator('#lead').textContent());
  }
  await page.mouse.up();
  await settled(page);
  await slow.detach();
  const value = await page.locator(`.who tr[data-k="${BMI}"] .now input`).inputValue();
  want(seen.size >= 4, 'f did not follow', seen.size);
  same((await text(page, '#sentence')).split(': ').slice(1).join(': ').toLowerCase(), verdict('--rows', '10', '--set', `bmi=${value}`).toLowerCase(), 'at rest');
  const shift = await page.evaluate(() => window.moved);
  want(shift < .02, 'the layout jumped by', shift);
  return `layout moved by ${shift.toFixed(4)}`;
}

async function limits(page, phone) {
  await page.locator(`.who tr[data-k="${BMI}"] .hold`).click();
  await settled(page);
  same(await text(page, '#sentence'), verdict('--rows', '10', '--freeze', 'bmi'), 'held');
  same(await page.locator(`.who tr[data-k="${BMI}"] .hold`).getAttribute('aria-pressed'), 'true', 'pressed');
  if (!phone) await page.locator(`.who tr[data-k="${BP}"] .nm button`).click();
  await page.locator('.limits input').first().fill('60');
  await page.locator('.limits input').first().press('Enter');
  await page.locator('.limits input').nth(1).fill('130');
  await page.locator('.limits input').nth(1).press('Tab');
  await settled(page);
  same(await text(page, '#sentence'), verdict('--rows', '10', '--freeze', 'bmi', '--bounds', 'bp=60:130'), 'bounded');
}

// Another context with nothing but the address sees the same.
async function link(page, options) {
  await page.mouse.move(2, 2);
  await page.waitForTimeout(200);
  const address = new URL(page.url());
  want(address.search === '', 'the token is still in the address', address.search);
  const before = await shown(page);
  const { page: again, complaints, context } = await open(server, { ...options, hash: address.hash });
  await again.waitForTimeout(300);
  same(await shown(again), before, `the link ${address.hash}`);
  same(complaints, [], 'complaints');
  await context.close();
}

async function several(page) {
  for (const number of [61, 1]) await row(page, number).locator('input').click();
  await settled(page);
}
async function together(page) {
  const limit = ['--freeze', 'bmi', '--bounds', 'bp=60:130'];
  same(await text(page, '#sentence'), verdict('--rows', '10,61,1', '--collective', ...limit), 'together');
  await page.locator('#step button', { hasText: 'each' }).click();
  await settled(page);
  const each = await page.evaluate(() => [...document.querySelectorAll('#each li')].map(li => li.lastElementChild.textContent));
  same(each, command('--rows', '10,61,1', ...limit).explanations.map(e => e.verdict.text), 'each');
}

async function compared(page) {
  await page.locator('#t-compare').click();
  await page.locator('#p-compare button').click();
  await page.waitForSelector('.methods');
  const theirs = json(['compare', '--json', ...BASE, '--rows', '10', DATA], { cwd }), reacts = theirs.rows[0].reacts;
  const ours = await page.evaluate(() => [...document.querySelectorAll('.methods .flip td')].map(td => td.textContent).filter(Boolean));
  same(ours, theirs.methods.map(m => (reacts[m] ? 'reacts' : 'same')), 'who reacts to y');
  const lines = await page.evaluate(() => [...document.querySelectorAll('.methods tbody tr:not(.flip) th')].map(th => th.textContent).sort());
  same(lines, [...theirs.features, 'observed progression'].sort(), 'inputs, and the outcome');
}

async function take(page, entry) {
  await page.locator('#take').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#taken [role=menuitem]', { hasText: entry }).first().click()]);
  return readFileSync(await download.path());
}
async function downloads(page) {
  const work = folder(), options = ['--rows', '10', '--set', 'bmi=30', '--freeze', 'age,sex', '--bounds', 'bp=70:110'];
  await visit(page, server, '#row=10&set=bmi:30&hold=age,sex&bounds=bp:70..110');
  const bytes = (...more) => run(['explain', ...BASE, ...options, ...more, DATA], { cwd });
  const equal = (got, wanted, what) => want(Buffer.compare(got, wanted) === 0, `${what}: ${got.length} bytes, and ${wanted.length} of the command:`, firstDifference(got, wanted));
  equal(await take(page, '.json'), bytes('--json'), 'JSON');
  equal(await take(page, '.csv'), bytes('--csv'), 'CSV');
  bytes('--html', join(work, 'page.html'), '--svg', join(work, 'svg'), '--out', join(work, 'out'));
  equal(await take(page, '.html'), readFileSync(join(work, 'page.html')), 'HTML');
  const pictures = readdirSync(join(work, 'svg'));
  for (const [entry, name] of [['f along the inputs', 'profile'], ['distributions', 'distributions']])
    equal(await take(page, entry), readFileSync(join(work, 'svg', pictures.find(file => file.includes(name)))), name);
  const png = await take(page, '.png');
  want(png.subarray(1, 4).toString() === 'PNG' && png.readUInt32BE(16) > 600, 'PNG', png.length);
  const line = await page.evaluate(async () => { document.getElementById('take').click(); [...document.querySelectorAll('#taken [role=menuitem]')].at(-1).click(); await new Promise(done => setTimeout(done, 400)); return document.getElementById('c-text').value; });
  await page.keyboard.press('Escape');
  const { execSync } = await import('node:child_process');
  const { dirname } = await import('node:path');
  const { GPA } = await import('./kit.mjs');
  const said = execSync(line, { cwd, env: { ...process.env, PATH: `${dirname(GPA)}:${process.env.PATH}`, LC_ALL: 'C.UTF-8' }, maxBuffer: 1 << 28 });
  equal(said, bytes('--json'), `the line ${line}`);
}
function firstDifference(a, b) {
  let i = 0;
  while (i < Math.min(a.length, b.length) && a[i] === b[i]) i++;
  return `${a.subarray(i, i + 60).toString()} / ${b.subarray(i, i + 60).toString()}`;
}

async function filters(page) {
  await page.locator('#q').fill('6');
  await settled(page);
  const ids = await page.evaluate(() => [...document.querySelectorAll('#list tbody tr')].map(tr => tr.cells[1].textContent));
  want(ids.length === 18 && ids.every(id => id.includes('6')), 'search', ids);
  await page.locator('#q').fill('nobody');
  await page.waitForSelector('#none:not([hidden])');
  want((await text(page, '#none')).includes('nobody'), 'what was asked for');
  await page.locator('#none button').click();
  await settled(page);
  await page.locator('#ranges').selectOption({ label: 'bmi' });
  await page.locator('.chip input').first().fill('30');
  await page.locator('.chip input').first().press('Enter');
  await settled(page);
  const csv = readFileSync(join(ROOT, DATA), 'utf8').trim().split('\n'), at = csv[0].split(',').indexOf('bmi');
  const many = csv.slice(1).filter(line => Number(line.split(',')[at]) >= 30).length;
  want((await text(page, '#pager span')).includes(` of ${many} that match`), 'range', await text(page, '#pager span'), many);
  await page.locator('#list [data-sort=y]').click();
  await settled(page);
  const ys = await page.evaluate(() => [...document.querySelectorAll('#list tbody tr')].map(tr => Number(tr.cells[2].textContent)));
  want(ys.length === many && ys.every((y, i) => i === 0 || y <= ys[i - 1]), 'sorted by observed', ys);
  await page.locator('.chip button').click();
  await page.locator('#list [data-sort=score]').click();
  await settled(page);
}

async function pointing(page) {
  const box = await page.locator('#map').boundingBox();
  await row(page, 61).hover();
  want((await text(page, '#tip')).startsWith('row 61'), 'hover', await text(page, '#tip'));
  await page.mouse.move(box.x + 60, box.y + 14);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * .7, box.y + box.height * .35, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  const chosen = await page.evaluate(() => Number(/^(\d+) rows/.exec(document.querySelector('#eyebrow b').textContent)?.[1] ?? 0));
  want(chosen > 1, 'brush', await text(page, '#eyebrow'));
  await row(page, 10).click();
  await row(page, 46).click({ modifiers: ['Shift'] });
  await settled(page);
  same(await page.evaluate(() => [...document.querySelectorAll('#list [aria-selected=true]')].map(tr => Number(tr.dataset.row))), [10, 61, 20, 46], 'shift');
  const bar = page.locator('#hist [data-bin]').nth(3);
  await bar.click();
  await settled(page);
  want(await page.locator('.chip').count() === 1, 'a bar is a filter');
  await bar.click();
  await settled(page);
  await row(page, 10).click();
  await settled(page);
}

async function ownRow(page) {
  await visit(page, server, '#row=61&view=answer');
  await page.locator('#new').click();
  await page.locator('#n-csv').fill('37,1,51');
  await page.locator('#newform .primary').click();
  want((await text(page, '#n-error')).includes('3 values, but 11 are needed'), 'too few', await text(page, '#n-error'));
  await page.locator('#n-csv').fill('37,1,51.3765,88,223,142,65,3.4,4.3567,82,94');
  await page.locator('#newform .primary').click();
  await settled(page);
  want((await text(page, '#eyebrow b')) === 'Your row', 'own row');
  want(/^(Probably )?bmi /.test(await text(page, '#sentence')), 'own row', await text(page, '#sentence'));
}

async function everything(options) {
  const phone = options.width < 640, { page, complaints, context } = await open(server, options), at = `${options.width} px${options.dark ? ', dark' : ''}`;
  const go = async view => { if (options.width < 1240) await page.locator(`[data-go=${view}]`).click(); };
  const step = (name, test) => check(`${name}, ${at}`, () => test());
  await step('rows', async () => { if (!phone) await rows(page); await layout(page, 'rows'); await axe(page, 'rows'); });
  await go('answer');
  await step('answer', async () => { same(await text(page, '#sentence'), verdict('--rows', '10'), 'sentence'); await table(page); await layout(page, 'answer'); await axe(page, 'answer'); });
  await step('what if', async () => { await whatIf(page, phone); await layout(page, 'what if'); await axe(page, 'what if'); });
  if (!phone) await step('a slider', () => drag(page));
  await page.keyboard.press('r'); // whatever the step before left
  await settled(page);
  await step('hold and bounds', async () => { await limits(page, phone); await layout(page, 'held'); await axe(page, 'held'); });
  await step('the link of it', () => link(page, options));
  await go('rows');
  await several(page);
  await go('answer');
  await step('together and each', async () => { await layout(page, 'together'); await axe(page, 'together'); await together(page); await axe(page, 'each'); });
  await step('the link of several', () => link(page, options));
  await page.keyboard.press('Escape');
  await visit(page, server, '#row=10&tab=compare&view=answer');
  await step('compare', async () => { await compared(page); await layout(page, 'compare'); await axe(page, 'compare'); });
  if (!phone) {
    await step('downloads', () => downloads(page));
    await step('filters', () => filters(page));
    await step('pointing', () => pointing(page));
  }
  await step('a row of one\'s own', () => ownRow(page));
  await step('nothing to complain of', async () => same(complaints, [], 'complaints'));
  await context.close();
}

await everything({ width: 1280, height: 800 });
await everything({ width: 390, height: 844, touch: true });
await everything({ width: 1440, height: 900, dark: true });
want((await server.stop()) === 0, 'the server ends');
await end();
