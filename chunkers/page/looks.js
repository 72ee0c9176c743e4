// A cell's style -> its looks as an element.

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text; // never as HTML: it comes from the workbook
  return made;
}

const pen = document.createElement("canvas").getContext("2d");
const family = getComputedStyle(document.body).fontFamily; // asked once: it makes the browser lay out what is new

/** Pixels of a text in one line. */
function textWidth(text, style) {
  const { bold, italic, size } = style;
  pen.font = `${italic ? "italic " : ""}${bold ? "700 " : ""}${size || 13}px ${family}`;
  return pen.measureText(text).width;
}

/** Gives a cell the looks that the workbook gives it; its own colours only on request, as roles are colours too. */
function dress(cell, text, style, number, rtl, own) {
  const names = { bold: ["fontWeight", "700"], italic: ["fontStyle", "italic"], size: ["fontSize", `${style.size}px`] };
  for (const [name, [property, value]] of Object.entries(names)) if (style[name]) cell.style[property] = value;
  if (style.size) cell.style.lineHeight = "1.3";
  const lines = [style.underline && "underline", style.strike && "line-through"].filter(Boolean).join(" ");
  if (lines) text.style.textDecoration = lines;
  if (style.wrap) cell.classList.add("wrap");
  if (style.valign) cell.classList.add(style.valign);
  const start = rtl ? "right" : "left", general = number ? "right" : start;
  const aligned = { centerContinuous: "center", distributed: "center", fill: start }[style.align] ?? style.align ?? general;
  text.style.textAlign = aligned;
  if (style.indent) cell.style[aligned === "right" ? "paddingRight" : "paddingLeft"] = `${5 + style.indent * 9}px`;
  for (const side of style.border ?? "") cell.classList.add(`border-${side}`);
  if (own && style.fill) cell.style.backgroundColor = `#${style.fill}`;
  if (own && style.color) cell.style.color = `#${style.color}`;
}
