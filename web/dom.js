// Elements. Text from the data only ever becomes text: there is no way here to write markup.

const SVG = 'http://www.w3.org/2000/svg';

export const $ = id => document.getElementById(id);

// Attributes; `text`, `on` (listeners) and `style` (by the object model) are not attributes.
export function put(node, attributes = {}) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') node.textContent = value;
    else if (name === 'on') for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else if (name === 'style') Object.assign(node.style, value);
    else if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? '' : value);
  }
  return node;
}

const made = (node, attributes, children) => {
  put(node, attributes);
  node.append(...children.filter(child => child !== null && child !== undefined && child !== false));
  return node;
};
export const el = (tag, attributes = {}, ...children) => made(document.createElement(tag), attributes, children);
export const sv = (tag, attributes = {}, ...children) => made(document.createElementNS(SVG, tag), attributes, children);

export const button = (text, act, attributes = {}) => el('button', { type: 'button', text, on: { click: act }, ...attributes });

// A text that changes often: nothing is touched when it stays the same.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// What screen readers hear, once it rests.
let waiting = 0;
export function announce(text, after = 600) {
  clearTimeout(waiting);
  waiting = setTimeout(() => say($('live'), text), after);
}

let shown = 0;
export function toast(text) {
  say($('toast'), text);
  $('toast').hidden = false;
  clearTimeout(shown);
  shown = setTimeout(() => { $('toast').hidden = true; }, 2600);
}

export const narrow = () => matchMedia('(max-width: 1239px)').matches;
