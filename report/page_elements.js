'use strict';
// Shared by pages: numbers as text, and elements. The page has its JSON as `report`.
const DASH = '–';

/** A number with the given digits, in a readable form: 1234, 12.34, 0.001234, 1.234e+9. */
function shown(value, digits = 4) {
  if (value === null || value === undefined) return DASH;
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1);
  return value.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

/** An element with attributes and children, which are texts or elements. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** The same for an SVG element. */
function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A value of the report; its place in the report and all its digits are attributes. */
function figure(path, write = shown) {
  const value = path.split('.').reduce((part, key) => part[key], report);
  const attributes = {'data-path': path};
  if (value !== null) attributes['data-value'] = String(value);
  if (typeof value === 'number') attributes.title = String(value);
  return element('span', attributes, write(value));
}

const byId = (id) => document.getElementById(id);

/** A name and its value in a list of facts. */
function fact(name, ...content) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, ...content));
}
