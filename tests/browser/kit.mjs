// What the browser tests share: a running `gpa serve`, a browser, and ways to want something.
import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const [ROOT, BUILD] = process.argv.slice(2, 4).map(path => resolve(path));
export const GPA = join(BUILD, 'gpa');
process.setMaxListeners(0); // a folder and a server of each check end with it
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

class Failed extends Error {}
export function want(truth, ...words) {
  if (!truth) throw new Failed(words.map(word => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '));
}
export function same(got, wanted, what) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  let i = 0;
  while (i < a?.length && a[i] === b?.[i]) i++;
  want(a === b, a?.length > 300 ? `${what}: …${a.slice(Math.max(0, i - 60), i + 120)}… and not …${b.slice(Math.max(0, i - 60), i + 120)}…` : `${what}: ${a} and not ${b}`);
}

export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'gpa-browser-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

// What the command says: bytes.
export const run = (args, options = {}) => execFileSync(GPA, args, { maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: 'C.UTF-8' }, ...options });
export const json = (args, options) => JSON.parse(run(args, options));

// A server, once it listens.
export async function serve(args, options = {}) {
  const child = spawn(GPA, ['serve', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LC_ALL: 'C.UTF-8' }, ...options });
  let said = '';
  child.stderr.on('data', data => { said += data; });
  const url = await new Promise((done, fail) => {
    let line = '';
    child.stdout.on('data', data => { line += data; if (line.includes('\n')) done(line.split('\n')[0]); });
    child.on('exit', code => fail(new Failed(`gpa serve ended with ${code}: ${said}`)));
    setTimeout(() => fail(new Failed(`gpa serve does not listen: ${said}`)), 30000).unref();
  });
  process.on('exit', () => child.kill('SIGKILL'));
  return {
    url, child, base: url.replace(/\?.*/, ''),
    stop: signal => new Promise(done => { if (child.exitCode !== null) { done(child.exitCode); return; } child.removeAllListeners('exit'); child.on('exit', done); child.kill(signal ?? 'SIGTERM'); }),
  };
}

let browser = null;
export async function launch() {
  const { existsSync } = await import('node:fs');
  browser ??= await chromium.launch({ executablePath: PROGRAMS.find(existsSync), args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'] });
  return browser;
}
export const close = async () => { await browser?.close(); };

// A page; `complaints` are what the browser held against it, and what it asked of others.
export async function open(server, { width = 1280, height = 800, dark = false, hash = '', touch = false, wait = true } = {}) {
  const context = await (await launch()).newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', hasTouch: touch, acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage(), complaints = [];
  count(page);
  page.on('console', message => { if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text()); });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => { if (!request.url().startsWith(server.base) && !request.url().startsWith('blob:')) complaints.push(request.url()); });
  await page.goto(server.url + hash);
  if (wait) await settled(page);
  return { page, complaints, context };
}

// Nothing is asked or being worked out any more, and the address is up to date.
const asked = new WeakMap();
function count(page) {
  const open = new Set();
  asked.set(page, { open, last: 0 });
  page.on('request', request => { if (request.isNavigationRequest()) open.clear(); open.add(request); });
  for (const event of ['requestfinished', 'requestfailed']) page.on(event, request => { open.delete(request); asked.get(page).last = Date.now(); });
}
// The pause is one of the page's own timers: those that were set before have been run by then,
// however late it is, so that what they ask is seen.
const PAUSE = 260;
export async function settled(page) {
  const until = Date.now() + 60000, state = asked.get(page);
  for (let quiet = 0; quiet < 2;) {
    want(Date.now() < until, 'it does not come to rest:', [...state.open].map(request => request.url()));
    const last = state.last;
    const busy = await page.evaluate(async pause => {
      const working = () => document.getElementById('answer').getAttribute('aria-busy') !== 'false' || [...document.querySelectorAll('#list .w')].some(cell => cell.textContent === '…');
      if (!working()) await new Promise(done => setTimeout(done, pause));
      return working();
    }, quiet === 0 ? PAUSE : 20);
    if (busy) await page.waitForTimeout(40);
    quiet = busy || state.open.size > 0 || state.last !== last ? 0 : quiet + 1;
  }
}

// Another address, from nothing.
export async function visit(page, server, hash) {
  await page.goto('about:blank');
  asked.get(page).open.clear();
  await page.goto(server.base + hash);
  await settled(page);
}

export const text = (page, selector) => page.locator(selector).first().evaluate(node => node.textContent);
// What can be seen: words, values, what is pressed or open.
export const shown = page => page.evaluate(() => {
  const all = selector => [...document.querySelectorAll(selector)].filter(node => node.checkVisibility());
  return {
    text: document.querySelector('main').innerText.split('\n').filter(line => line.trim() !== ''), view: document.body.dataset.view, banner: all('#banner').map(node => node.textContent),
    fields: all('main input:not([type=checkbox]), main select').map(node => node.value),
    pressed: all('main [aria-pressed=true], main [aria-selected=true], main [aria-expanded=true]').map(node => node.textContent),
  };
});
export const plain = words => words.replaceAll('\u00a0', ' ');

// No violations of the rules that axe-core has.
export async function axe(page, where) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const bad = found.violations.flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 160)} (${node.any?.[0]?.message ?? node.failureSummary})`));
  want(bad.length === 0, `axe, ${where}:`, bad.slice(0, 5));
}

// Nothing is cut off or wider than the window.
export async function layout(page, where) {
  const bad = await page.evaluate(() => {
    const found = [];
    if (document.scrollingElement.scrollWidth > innerWidth) found.push(`wider than the window: ${document.scrollingElement.scrollWidth}`);
    if (document.scrollingElement.scrollHeight > innerHeight + 1) found.push(`the page scrolls: ${document.scrollingElement.scrollHeight}`);
    for (const node of document.querySelectorAll('h2, p, dd, summary, .who button, .who .iv')) {
      const style = getComputedStyle(node);
      if (node.clientWidth > 0 && node.scrollWidth > node.clientWidth + 1 && style.overflowX === 'visible') found.push(`clipped: ${node.textContent.slice(0, 60)}`);
    }
    for (const pane of document.querySelectorAll('#answer, #rows')) if (pane.clientWidth > 0 && pane.scrollWidth > pane.clientWidth + 1) found.push(`${pane.id} scrolls sideways`);
    return found;
  });
  want(bad.length === 0, `layout, ${where}:`, bad.slice(0, 5));
}

let failures = 0;
export async function check(name, test) {
  try {
    const note = await test();
    console.log(`ok - ${name}${note ? ` (${note})` : ''}`);
  } catch (error) {
    failures++;
    console.log(`not ok - ${name}\n  ${error instanceof Failed ? error.message : error.stack}`);
  }
}
export async function end() {
  await close();
  process.exit(failures > 0 ? 1 : 0);
}
