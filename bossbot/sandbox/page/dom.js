// How every node of the page is made: elements with attributes, and text that is only ever text.
//
// Nothing here parses markup, so what a bot sends cannot become markup: strings are appended as
// text nodes, and the one way to an address is `link`, which lets three schemes through.

const SVG = "http://www.w3.org/2000/svg";
const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:"]);
/** Attributes that would run, style or fetch something; none is ever set through `h`. */
const REFUSED = new Set(["style", "href", "src", "srcdoc", "action", "formaction"]);

/** Make an element. `on…` props are listeners, `true` is an empty attribute, null and false are left out. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (REFUSED.has(name)) throw new TypeError(`attribute ${name} is not set through h()`);
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** The three that most of the page is made of. */
export const div = (className, ...children) => h("div", { class: className }, ...children);
export const span = (className, ...children) => h("span", { class: className }, ...children);
export const button = (props, ...children) => h("button", { type: "button", ...props }, ...children);

/** Append nodes and strings, nested arrays flattened, empty values skipped. */
export function append(node, children) {
  const kept = [children].flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  node.append(...kept);
  return node;
}

/** The address as a string when its scheme is one that a person may follow, else null. */
export function safeUrl(address) {
  try {
    const url = new URL(String(address));
    return SAFE_SCHEMES.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** An anchor for a safe address, a plain span for any other. */
export function link(address, ...children) {
  const href = safeUrl(address);
  if (href === null) return h("span", { class: "dead-link" }, ...children);
  const node = h("a", { target: "_blank", rel: "noopener noreferrer", title: href }, ...children);
  node.href = href;
  return node;
}

/** A file of the sandbox's own: a picture that shows, or a name to save it by. */
export function fileNode(platform, { id, name, size, isPicture, alt }) {
  const address = `/sandbox/file/${platform}/${encodeURIComponent(id)}`;
  if (isPicture) {
    const image = h("img", { class: "picture", alt: alt || name, loading: "lazy" });
    image.src = address;
    return image;
  }
  const node = h("a", { class: "file", download: name }, icon("clip"), h("span", {}, name), size && h("span", { class: "muted" }, size));
  node.href = address;
  return node;
}

const PATHS = {
  send: "M4 12 20 4l-5 16-3.5-6.5z M11.5 13.5 20 4",
  close: "M6 6l12 12 M18 6 6 18",
  menu: "M4 7h16 M4 12h16 M4 17h16",
  reply: "M10 7 4 12l6 5v-3.5c5 0 8 1 10 4.5-.5-6-4-9-10-9.5z",
  thread: "M4 5h16v11H10l-4 4v-4H4z",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z",
  reset: "M5 12a7 7 0 1 0 2.2-5.1 M5 4v4.5h4.5",
  chevron: "M6 15l6-6 6 6",
  down: "M12 5v14 M6 13l6 6 6-6",
  clip: "M19 11l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.2a3 3 0 0 1 4.3 4.3L9.6 16.2a1.5 1.5 0 0 1-2.1-2.1L14 7.5",
  picture: "M4 5h16v14H4z M4 16l5-5 4 4 3-3 4 4",
  stop: "M7 7h10v10H7z",
  eye: "M3 12c3-5 6-7 9-7s6 2 9 7c-3 5-6 7-9 7s-6-2-9-7z M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
};

/** A line drawing from the page's own set; decoration, hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/** A round initial; the colour follows from the first name, so a person has one on both platforms. */
export function avatar(name) {
  const first = String(name).trim().split(" ")[0].toLowerCase() || "?";
  const sum = [...first].reduce((total, char) => total + char.codePointAt(0), 0);
  const tint = first === "bossbot" ? "bot" : sum % 6;
  return h("span", { class: `avatar tint-${tint}`, "aria-hidden": "true" }, [...first][0].toUpperCase());
}

/** Empty an element and fill it anew. */
export function fill(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

/** What nobody has taught the page to draw: its JSON, folded, so that nothing is lost in silence. */
export function unknown(label, value) {
  return h("details", { class: "unknown" }, h("summary", {}, label), h("pre", {}, JSON.stringify(value, null, 2)));
}
