// Everything by the keyboard alone, with what is focused always seen; and what is announced.
import { ROOT, axe, check, end, json, open, same, serve, settled, text, want } from './kit.mjs';

const DATA = 'examples/diabetes/spoilt.csv', MODEL = 'examples/diabetes/model.json', cwd = ROOT;
const BASE = ['--model', MODEL, '--target', 'progression'];
const verdict = (...options) => json(['explain', '--json', ...BASE, ...options, DATA], { cwd }).explanations[0].verdict.text;
const server = await serve([...BASE, DATA], { cwd });
const { page, complaints } = await open(server);

const focus = () => page.evaluate(() => { const node = document.activeElement; return { id: node.id, tag: node.localName, row: node.dataset?.row ?? null, words: (node.getAttribute('aria-label') ?? node.textContent).trim().slice(0, 40), inside: node.closest('tr[data-k]')?.dataset.k ?? null }; });
const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
// Tabs until something is focused; everything on the way has to be seen.
async function tabTo(found, what, most = 80, key = 'Tab') {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press(key);
    const now = await focus();
    const seen = await page.evaluate(() => { const node = document.activeElement, box = node.getBoundingClientRect(); return node === document.body || (box.width > 0 && box.height > 0 && getComputedStyle(node).outlineStyle !== 'none') || node.id === 'answer'; });
    want(seen, 'focus is not to be seen on', now);
    if (found(now)) return i + 1;
  }
  throw new Error(`no ${what} within ${most} tabs`);
}

await check('the list', async () => {
  await tabTo(now => now.row !== null, 'row');
  same((await focus()).row, '10', 'the chosen row has the focus');
  await press('ArrowDown');
  await settled(page);
  same((await focus()).row, '61', 'down');
  same(await text(page, '#sentence'), verdict('--rows', '61'), 'its answer');
  await press('Shift+ArrowDown');
  await settled(page);
  want((await text(page, '#eyebrow b')) === '2 rows', 'extended', await text(page, '#eyebrow b'));
  await press('t');
  await settled(page);
  same(await page.locator('#each li').count(), 2, 'each');
  await press('t');
  await settled(page);
  await press('Escape');
  await settled(page);
  want(/^Row \d+$/.test(await text(page, '#eyebrow b')), 'back to one', await text(page, '#eyebrow b'));
  await press('End');
  same((await focus()).row, await page.locator('#list tbody tr').last().getAttribute('data-row'), 'end');
  await press('Home', 'Enter');
  await settled(page);
  same((await focus()).id, 'answer', 'enter goes to the answer');
  same(await page.locator('#list [tabindex="0"]').count(), 1, 'the list is one stop');
});

await check('an input', async () => {
  await tabTo(now => now.inside === '2' && now.tag === 'input', 'box of bmi');
  await press('ArrowUp');
  await settled(page);
  const value = Number(await page.locator('.who tr[data-k="2"] .now input').inputValue());
  want(value > 51.3765 && value < 53, 'a step up', value);
  await press('Escape');
  await settled(page);
  same(await page.locator('.who tr[data-k="2"] .now input').inputValue(), '51.3765', 'escape takes it back');
  await tabTo(now => now.words.startsWith('bmi') && now.tag === 'input' && now.inside === '2', 'slider', 3);
  await press('ArrowLeft', 'PageDown');
  await settled(page);
  const said = await page.locator('.who tr[data-k="2"] .range').getAttribute('aria-valuetext');
  want(/would look normal$/.test(said), 'what is said', said);
  await press('h');
  await settled(page);
  same(await page.locator('.who tr[data-k="2"] .hold').getAttribute('aria-pressed'), 'true', 'h holds');
  await press('h', 'r');
  await settled(page);
  await press('n');
  await settled(page);
  want((await text(page, '#sentence')).startsWith('With bmi '), 'n', await text(page, '#sentence'));
  await page.waitForTimeout(800);
  want((await text(page, '#live')).includes('With bmi '), 'announced', await text(page, '#live'));
  await press('r');
  await settled(page);
  same(await text(page, '#sentence'), verdict('--rows', '10'), 'r');
});

await check('next, find, compare, keys, menu', async () => {
  await press('j');
  await settled(page);
  same(await text(page, '#eyebrow b'), 'Row 61', 'j');
  await press('k', '/');
  await settled(page);
  same((await focus()).id, 'q', '/');
  await press('j', 'n');
  same(await page.locator('#q').inputValue(), 'jn', 'letters are letters in a box');
  await press('Backspace', 'Backspace');
  await tabTo(now => now.id === 't-answer', 'tabs', 120);
  await press('ArrowRight');
  same((await focus()).id, 't-compare', 'the other tab');
  await tabTo(now => now.words === 'Compare on this row', 'ask', 5);
  await press('Enter');
  await page.waitForSelector('.methods');
  await press('c');
  same(await page.locator('#p-answer').isVisible(), true, 'c');
  await press('?');
  same(await page.locator('#d-keys').evaluate(node => node.open), true, '?');
  await axe(page, 'keys');
  await page.locator('#letters').focus();
  await press('Space', 'Escape');
  await press('c');
  same(await page.locator('#p-answer').isVisible(), true, 'letters can be switched off');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await settled(page);
  await tabTo(now => now.id === 'take', 'menu', 10);
  await press('Enter', 'ArrowDown', 'End');
  same((await focus()).words.startsWith('The same on the command'), true, 'the last entry');
  await axe(page, 'menu');
  await press('Enter');
  await page.waitForFunction(() => document.getElementById('d-copy').open);
  want((await page.locator('#c-text').inputValue()).startsWith('gpa explain '), 'the command', await page.locator('#c-text').inputValue());
  await axe(page, 'command');
  await press('Escape');
  same((await focus()).id, 'take', 'back where it began');
});

await check('a new row', async () => {
  await tabTo(now => now.id === 'new', 'new row', 3, 'Shift+Tab');
  await press('Enter');
  await axe(page, 'new row');
  same((await focus()).id, 'n-csv', 'the line of CSV');
  await page.keyboard.type('37,1,x,88,223,142,65,3.4,4.3567,82,94');
  await tabTo(now => now.words === 'Explain it', 'button', 20);
  await press('Enter');
  want((await text(page, '#n-error')).includes('bmi is “x”'), 'not a number', await text(page, '#n-error'));
  await press('Escape');
});

await check('nothing to complain of', async () => same(complaints, [], 'complaints'));
await server.stop();
await end();
