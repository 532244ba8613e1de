// Numbers and words as in the reports: true minus, no-break spaces, never 0 % or 100 %.

const SPACE = '\u00a0';

const minus = text => text.replace('-', '\u2212');

// So many decimals; never "−0".
export const fixed = (v, decimals) => (Number.isFinite(v) ? minus(v.toFixed(decimals)).replace(/^\u2212(0(?:\.0+)?)$/, '$1') : 'n/a');
export const signed = (v, decimals) => (v > 0 ? '+' : '') + fixed(v, decimals);

// Five digits, as they stand in the data if that is short.
export function digits(v, n = 5) {
  if (!Number.isFinite(v)) return 'n/a';
  const size = Math.abs(v);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return minus(String(Number(v.toPrecision(n))));
  return minus(String(Number(size >= 10 ** n ? v.toFixed(0) : v.toPrecision(n))));
}

// For people: plain decimals, so many digits.
export function short(v, n = 3) {
  if (!Number.isFinite(v)) return 'n/a';
  if (v === 0) return '0';
  const places = n - 1 - Math.floor(Math.log10(Math.abs(v)));
  return places > 12 ? minus(v.toExponential(n - 1)) : fixed(v, Math.max(0, places));
}

export const percent = p => (p < .005 ? `<1${SPACE}%` : p > .995 ? `>99${SPACE}%` : `${Math.round(100 * p)}${SPACE}%`);
export const sigmas = z => `${Math.abs(z).toFixed(Math.abs(z) < 1 ? 2 : 1)}${SPACE}σ`;
export const count = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
export const some = (n, one, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;
export const duration = ms => (ms < 1 ? `<1${SPACE}ms` : ms < 1000 ? `${Math.round(ms)}${SPACE}ms` : `${(ms / 1000).toFixed(1)}${SPACE}s`);
export const list = names => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);

// The last piece of a path.
export const base = path => path.split('/').at(-1);

// Numbers at multiples of 1, 2 or 5 times a power of ten, at most `most` of them.
export function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0)) return { at: [low], decimals: 0 };
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => span / s <= most);
  const at = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) at.push(i * step);
  return { at, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}
