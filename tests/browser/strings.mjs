// Names that want to be something else: markup, script, styles, formats, directions, spaces,
// joiners, long ones, and what shells, spreadsheets, templates and databases take to heart.

const chars = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i));
const RUN = ['window.pwned=1', 'fetch("https://example.org/")', 'document.body.remove()', 'location="https://example.org/"'];
const TAGS = ['a', 'audio', 'b', 'base', 'body', 'button', 'canvas', 'details', 'dialog', 'div', 'embed', 'form', 'frameset', 'h1', 'html', 'iframe', 'img', 'input', 'isindex', 'link', 'marquee', 'math', 'meta', 'noscript', 'object',
  'option', 'p', 'picture', 'plaintext', 'pre', 'script', 'select', 'slot', 'source', 'style', 'svg', 'table', 'td', 'template', 'textarea', 'title', 'tr', 'track', 'video', 'xmp'];
const EVENTS = ['onload', 'onerror', 'onclick', 'onmouseover', 'onfocus', 'ontoggle', 'onpointerenter', 'onanimationstart', 'onbegin', 'oninput', 'onscroll', 'onwheel', 'onpaste', 'onblur'];

export function naughty() {
  const out = [];
  for (const tag of TAGS) out.push(`<${tag}>`, `</${tag}>`, `<${tag} src=x href=x data=x onerror=${RUN[0]}>`, `<${tag.toUpperCase()}/onload=${RUN[0]} `);
  for (const event of EVENTS) for (const quote of ['"', "'", '`', ' ']) out.push(`${quote} ${event}=${RUN[0]} x=${quote}`);
  for (const code of RUN) out.push(`<script>${code}</script>`, `"><script>${code}</script>`, `';${code}//`, `\`\${${code}}\``, `javascript:${code}`, `data:text/html,<script>${code}</script>`, `<svg><animate onbegin=${code} attributeName=x>`, `<img src=x onerror="${code}">`, `{{constructor.constructor('${code}')()}}`, `\${${code}}`, `<%= ${code} %>`, `#{${code}}`);
  out.push(']]>', '<![CDATA[', '<!--', '-->', '--!>', '<!doctype html>', '<?xml version="1.0"?>', '<?php echo 1 ?>', '&lt;b&gt;', '&amp;amp;', '&#60;script&#62;', '&#x3c;', '&nbsp;', '&', '<', '>', '"', "'", '`', '\\', '/', '//', '%', '%00', '%0d%0aSet-Cookie: a=b', '%3Cscript%3E', '%n%s%x', '\\u003cscript\\u003e', '\\x3c', '\\0',
    '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'length', 'name', 'then', 'undefined', 'null', 'NaN', 'Infinity', '-Infinity', 'true', 'false', '0x10', '1e999', '-0', '1,5', '1;5', '0 ', ' 0', '.', '..', '...', '-', '--', '---', '+', '*', '?', '??', '#', '##', '#row=1', '&row=1', '=', '==', ':', '::', ',', ';', '|', '~', '^', '$', '$(id)', '`id`', '!', '!!', '@', '@import', '_', ' ', '  x', 'x  ',
    '=1+1', '+1+1', '-1+1', '@SUM(A1)', '=HYPERLINK("https://example.org")', '=cmd|\' /C calc\'!A0', '\t=1', "' OR 1=1 --", '"; DROP TABLE rows; --', "1' UNION SELECT 1", '../../etc/passwd', '..\\..\\boot.ini', '/dev/null', 'CON', 'NUL', 'LPT1', 'file:///etc/passwd', 'http://example.org/', '//example.org/x', 'https://example.org/?a=b&c=d#e', '; rm -rf /', '&& id', '| id', '> x', '$HOME', '%PATH%', '~root', '-rf', '--help', '{{7*7}}', '${7*7}', '<%=7*7%>', '#{7*7}', '{%x%}', '[[x]] y', '(x)', '{x}',
    'expression(1)', 'background:url(https://example.org)', '</style><style>*{display:none}', '@charset "x"', '*/body{display:none}/*', ';}body{display:none}', 'url(x)', 'calc(1px)', 'var(--you)', '!important');
  out.push('ÄÖÜßéñç', 'İıŞş', 'ǅ', 'ﬃ', '℡', 'Ⅷ', '½', '①', '²', 'Ω≈ç√∫˜µ≤≥÷', 'åß∂ƒ©˙∆˚¬…æ', '田中さんにあげて下さい', '社會科學院語學研究所', '울란바토르', '表ポあA鷗ŒéＢ', 'العربية', 'עברית', 'درجة حر', 'ภาษาไทย', 'हिन्दी', 'ελληνικά', 'русский', 'ქართული', 'አማርኛ', '𝕿𝖍𝖊', '𠜎𠜱', '👩‍👩‍👧‍👦', '🏳️‍🌈', '👍🏿', '🇺🇸🇷🇺', '😀'.repeat(40), '❤️', '☃', '�', 'ÿ', '·');
  for (const mark of [...chars(0x200b, 0x200f), ...chars(0x202a, 0x202e), ...chars(0x2060, 0x2064), ...chars(0x2066, 0x2069), '\u00ad', '\u00a0', '\u034f', '\u061c', '\u180e', '\ufeff', '\u2028', '\u2029', '\u3000', '\u115f']) out.push(`a${mark}b`, `${mark}x${mark}`);
  for (const control of [...chars(1, 8), ...chars(0xb, 0xc), ...chars(0xe, 0x1f), '\x7f', ...chars(0x80, 0x9f)]) out.push(`c${control}d`);
  out.push('e' + '\u0301'.repeat(60), 'Z' + '\u0335\u0327\u0353'.repeat(30), 'a'.repeat(3000), 'W'.repeat(300), '<b>'.repeat(400), '"'.repeat(200), '\\'.repeat(200), 'x y '.repeat(200), '\x1b[31mred\x1b[0m', '\x1b]0;title\x07', 'a\tb', 'a\nb', 'a\r\nb', '\n\n\n', '\u202egnp.exe');
  const taken = new Set();
  return out.map(text => {
    let name = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '') || '(blank)'; // tables are read so
    if (name.endsWith(']')) name += '.';                                      // that would be a unit
    while (taken.has(name)) name += '.';
    taken.add(name);
    return name;
  });
}
