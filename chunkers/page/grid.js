// A sheet -> its grid; only the cells in sight are elements, made anew whenever the view moves.

class Grid {
  static HEAD = 22;
  static BEYOND = 120; // pixels drawn around what is in sight

  constructor(box, on) {
    this.box = box;
    this.on = on; // hover(row, col) or hover(null), pick(row, col), enter(), escape()
    this.cells = new Map(); // place key -> element
    this.active = [0, 0];
    this.lit = { col: new Set(), row: new Set(), chunk: -1 };
    box.addEventListener("scroll", () => this.later());
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => { const at = this.place(event); if (at) on.pick(...at); });
    box.addEventListener("pointerover", (event) => {
      const at = `${event.screenX},${event.screenY}`; // cells that move below a resting mouse are not pointed at
      if (event.pointerType === "mouse" && at !== this.pointer) on.hover(this.place(event));
      this.pointer = at;
    });
    box.addEventListener("pointerleave", () => on.hover(null));
    new ResizeObserver(() => this.later()).observe(box);
  }

  show(sheet) {
    this.sheet = sheet;
    this.box.dir = sheet.rtl ? "rtl" : "ltr";
    this.box.setAttribute("aria-rowcount", sheet.rowAxis.shown.at(-1) + 1);
    this.box.setAttribute("aria-colcount", sheet.colAxis.shown.at(-1) + 1);
    const digits = String(sheet.rowAxis.shown.at(-1) + 1).length;
    this.side = Math.max(34, 14 + digits * 7);
    const [wide, high] = [sheet.colAxis.pixels, sheet.rowAxis.pixels];
    const sizer = element("div", "sizer");
    sizer.style.gridTemplate = `${Grid.HEAD}px ${high}px / ${this.side}px ${wide}px`;
    sizer.setAttribute("role", "presentation");
    this.parts = ["corner", "col-heads", "row-heads", "body"].map((name) => element("div", name));
    this.parts.forEach((part) => part.setAttribute("role", "presentation"));
    this.parts[1].setAttribute("role", "row");
    this.parts[3].setAttribute("role", "rowgroup");
    sizer.append(...this.parts);
    this.box.replaceChildren(sizer);
    this.box.scrollTo(0, 0);
    this.paint();
  }

  later() {
    if (this.waiting || !this.sheet) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      if (String(this.sight()) !== this.seen) this.paint(); // elements that stay keep their clicks and their hover
    });
  }

  /** The positions in sight along both axes: [first row, last row, first column, last column]. */
  sight() {
    const { rowAxis, colAxis } = this.sheet;
    const top = this.box.scrollTop, left = Math.abs(this.box.scrollLeft); // right to left scrolls below zero
    return [
      rowAxis.at(top - Grid.BEYOND), rowAxis.at(top + this.box.clientHeight + Grid.BEYOND),
      colAxis.at(left - Grid.BEYOND), colAxis.at(left + this.box.clientWidth + Grid.BEYOND),
    ];
  }

  paint() {
    const sight = this.sight(), [, colHeads, rowHeads, body] = this.parts;
    const [top, bottom, left, right] = sight;
    this.seen = String(sight);
    this.cells.clear();
    colHeads.replaceChildren(...this.heads(this.sheet.colAxis, left, right, "col"));
    rowHeads.replaceChildren(...this.heads(this.sheet.rowAxis, top, bottom, "row"));
    const merges = this.mergesIn(sight);
    const rows = [];
    for (let p = top; p <= bottom; p++) if (this.sheet.rowAxis.line[p] >= 0) rows.push(this.row(p, left, right, merges));
    body.replaceChildren(...rows, ...this.strips(sight), ...this.regions(sight));
    this.mark();
  }

  heads(axis, first, last, way) {
    const heads = [], hidden = way === "col" ? this.sheet.hiddenCols : this.sheet.hiddenRows;
    for (let p = first; p <= last; p++) {
      const line = axis.line[p], gap = line < 0;
      const name = gap ? "⋯" : way === "col" ? columnName(line) : String(line + 1);
      const head = element("div", `${way}-head`, name);
      head.dataset.line = line;
      head.setAttribute("role", gap ? "presentation" : way === "col" ? "columnheader" : "rowheader");
      if (gap) head.title = `empty ${way === "col" ? "columns" : "rows"} left out`;
      if (gap) head.classList.add("gap");
      if (!gap && hidden.has(line)) { head.classList.add("line-hidden"); head.title = "hidden in the workbook"; }
      head.style[way === "col" ? "insetInlineStart" : "top"] = `${axis.start[p]}px`;
      head.style[way === "col" ? "width" : "height"] = `${axis.start[p + 1] - axis.start[p]}px`;
      heads.push(head);
    }
    return heads;
  }

  /** The merges in sight: which cell stands for each covered place. */
  mergesIn([top, bottom, left, right]) {
    const { rowAxis, colAxis } = this.sheet;
    const low = (axis, p) => axis.line[p] < 0 ? axis.line[p + 1] ?? axis.line[p - 1] : axis.line[p];
    const [firstRow, lastRow] = [low(rowAxis, top), low(rowAxis, bottom)];
    const [firstCol, lastCol] = [low(colAxis, left), low(colAxis, right)];
    const covered = new Map();
    for (const merge of this.sheet.merges) {
      const [t, l, b, r] = merge;
      if (b <= firstRow || t > lastRow || r <= firstCol || l > lastCol) continue;
      for (let row = Math.max(t, firstRow); row < Math.min(b, lastRow + 1); row++)
        for (let col = Math.max(l, firstCol); col < Math.min(r, lastCol + 1); col++) covered.set(row * STRIDE + col, merge);
    }
    return covered;
  }

  row(p, left, right, merges) {
    const { rowAxis, colAxis } = this.sheet, row = rowAxis.line[p];
    const line = element("div", "row");
    line.setAttribute("role", "row");
    line.setAttribute("aria-rowindex", row + 1);
    line.style.top = `${rowAxis.start[p]}px`;
    line.style.height = `${rowAxis.start[p + 1] - rowAxis.start[p]}px`;
    this.before(line, row, left);
    for (let q = left; q <= right; q++) {
      const col = colAxis.line[q];
      if (col < 0) continue;
      const merge = merges.get(row * STRIDE + col), place = merge ? [merge[0], merge[1]] : [row, col];
      if (this.cells.has(place[0] * STRIDE + place[1])) continue;
      line.append(this.cell(...place, merge, row));
    }
    return line;
  }

  /** Draws the last text before the sight if it runs into it. */
  before(line, row, left) {
    const { sheet } = this, i = sheet.from(row, Math.max(0, sheet.colAxis.line[left])) - 1;
    if (i < 0 || sheet.cells.row[i] !== row || sheet.merge(row, sheet.cells.col[i])) return;
    const cell = this.cell(row, sheet.cells.col[i], undefined, row);
    if (cell.classList.contains("over")) line.append(cell);
    else this.cells.delete(sheet.keys[i]);
  }

  /** A grid cell; the first cell of a merge covers it, also when that begins above the row that it is drawn in. */
  cell(row, col, merge, drawn) {
    const { sheet } = this, { rowAxis, colAxis } = sheet, i = sheet.index(row, col), key = row * STRIDE + col;
    const cell = element("div", i < 0 ? "cell" : "cell filled");
    cell.id = `cell-${key}`;
    cell.dataset.ref = columnName(col) + (row + 1);
    cell.setAttribute("role", "gridcell");
    cell.setAttribute("aria-colindex", col + 1);
    const start = colAxis.offset(col), width = colAxis.offset(merge ? merge[3] : col + 1) - start;
    const down = rowAxis.offset(row) - rowAxis.offset(drawn), height = rowAxis.offset(merge ? merge[2] : row + 1) - rowAxis.offset(row);
    Object.assign(cell.style, { insetInlineStart: `${start}px`, width: `${width}px`, height: `${height}px` });
    if (down) cell.style.top = `${down}px`;
    if (merge) {
      cell.setAttribute("aria-rowspan", merge[2] - merge[0]);
      cell.setAttribute("aria-colspan", merge[3] - merge[1]);
      cell.classList.add("filled");
    }
    if (sheet.notes.has(key)) cell.classList.add("note");
    if (i >= 0) this.fill(cell, i, merge, start, width);
    cell.place = [row, col];
    cell.index = i;
    this.cells.set(key, cell);
    return cell;
  }

  fill(cell, i, merge, start, width) {
    const { sheet } = this, style = sheet.style(i), text = element("span", "", sheet.cells.text[i]);
    const excluded = sheet.excluded[i] !== undefined;
    if (excluded) cell.classList.add("excluded");
    else if (sheet.role(i)) cell.classList.add(`role-${sheet.role(i)}`);
    const number = sheet.isNumber(i);
    if (number) cell.classList.add("number");
    dress(cell, text, style, number, sheet.rtl, document.body.dataset.paint === "own");
    if (!merge && !number && !style.wrap && !["right", "center", "fill"].includes(style.align)) {
      const room = this.room(i, start, width, (style.indent ?? 0) * 9);
      if (room > width) {
        cell.classList.add("over");
        cell.style.width = `${room}px`;
      }
    }
    cell.append(text);
  }

  /** Pixels that a text may take: its cell, and as many empty neighbours as it needs. */
  room(i, start, width, indent) {
    const { sheet } = this, { colAxis } = sheet, row = sheet.cells.row[i];
    const need = textWidth(sheet.cells.text[i], sheet.style(i)) + 12 + indent;
    if (need <= width) return width;
    let p = colAxis.position.get(sheet.cells.col[i]) + 1;
    while (p < colAxis.length && colAxis.line[p] >= 0 && colAxis.start[p] - start < need && !sheet.taken(row, colAxis.line[p])) p++;
    return colAxis.start[p] - start;
  }

  /** Hatching over gaps and hidden lines. */
  strips([top, bottom, left, right]) {
    const { sheet } = this, strips = [];
    const add = (axis, p, name, hidden) => {
      const line = axis.line[p], isRow = axis === sheet.rowAxis;
      if (line >= 0 && !hidden.has(line)) return;
      const strip = element("div", line < 0 ? "gap-line" : "hidden-line");
      const size = `${axis.start[p + 1] - axis.start[p]}px`, at = `${axis.start[p]}px`;
      Object.assign(strip.style, isRow ? { top: at, height: size, insetInline: "0" } : { insetInlineStart: at, width: size, insetBlock: "0" });
      strips.push(strip);
    };
    for (let p = top; p <= bottom; p++) add(sheet.rowAxis, p, "row", sheet.hiddenRows);
    for (let p = left; p <= right; p++) add(sheet.colAxis, p, "col", sheet.hiddenCols);
    return strips;
  }

  /** Outlines of the tables in sight. */
  regions([top, bottom, left, right]) {
    const { rowAxis, colAxis } = this.sheet, outlines = [];
    for (const { box: [t, l, b, r] } of this.sheet.tables) {
      const [y, x, height, width] = [rowAxis.offset(t), colAxis.offset(l), rowAxis.offset(b) - rowAxis.offset(t), colAxis.offset(r) - colAxis.offset(l)];
      if (y > rowAxis.start[bottom + 1] || y + height < rowAxis.start[top] || x > colAxis.start[right + 1] || x + width < colAxis.start[left]) continue;
      const outline = element("div", "region");
      Object.assign(outline.style, { top: `${y}px`, insetInlineStart: `${x}px`, width: `${width}px`, height: `${height}px` });
      outlines.push(outline);
    }
    return outlines;
  }

  /** Shows which cells are active, lit by a path, and part of the lit chunk. */
  mark() {
    for (const cell of this.cells.values()) {
      const i = cell.index, on = cell.place[0] === this.active[0] && cell.place[1] === this.active[1];
      cell.classList.toggle("active", on);
      cell.toggleAttribute("aria-selected", false);
      if (on) cell.setAttribute("aria-selected", "true");
      cell.classList.toggle("lit-col", i >= 0 && this.lit.col.has(i));
      cell.classList.toggle("lit-row", i >= 0 && this.lit.row.has(i));
      cell.classList.toggle("lit-chunk", this.sheet.says(this.lit.chunk, i));
    }
    const id = `cell-${this.active[0] * STRIDE + this.active[1]}`;
    if (document.getElementById(id)) this.box.setAttribute("aria-activedescendant", id);
    else this.box.removeAttribute("aria-activedescendant");
    for (const [part, line] of [[this.parts[2], this.active[0]], [this.parts[1], this.active[1]]])
      for (const head of part.children) head.classList.toggle("on", Number(head.dataset.line) === line);
  }

  light(lit) { this.lit = lit; this.mark(); }

  /** Makes a cell the active one and brings it into sight. */
  go(row, col) {
    this.active = this.sheet.anchor(row, col);
    const { rowAxis, colAxis } = this.sheet, { box } = this, sign = this.sheet.rtl ? -1 : 1;
    const nearest = (now, start, size, room) =>
      start < now ? start : start + size > now + room ? Math.min(start, start + size - room) : now;
    const [y, x] = [rowAxis.offset(row), colAxis.offset(col)];
    const high = rowAxis.offset(row + 1) - y, wide = colAxis.offset(col + 1) - x;
    const top = nearest(box.scrollTop, y, high, box.clientHeight - Grid.HEAD);
    const left = nearest(Math.abs(box.scrollLeft), x, wide, box.clientWidth - this.side);
    const moved = top !== box.scrollTop || left !== Math.abs(box.scrollLeft);
    if (moved) { box.scrollTo(sign * left, top); this.paint(); }
    else this.mark();
  }

  place(event) { return event.target.closest(".cell")?.place ?? null; }

  key(event) {
    const { rowAxis, colAxis } = this.sheet, [row, col] = this.active, page = Math.floor(this.box.clientHeight / 22) - 2;
    const merge = this.sheet.merge(row, col) ?? [row, col, row + 1, col + 1], end = event.ctrlKey || event.metaKey;
    const forward = this.sheet.rtl ? "ArrowLeft" : "ArrowRight", back = this.sheet.rtl ? "ArrowRight" : "ArrowLeft";
    const moves = {
      ArrowDown: () => [rowAxis.step(merge[2] - 1, 1), col],
      ArrowUp: () => [rowAxis.step(row, -1), col],
      [forward]: () => [row, colAxis.step(merge[3] - 1, 1)],
      [back]: () => [row, colAxis.step(col, -1)],
      PageDown: () => [rowAxis.step(row, page), col],
      PageUp: () => [rowAxis.step(row, -page), col],
      Home: () => [end ? 0 : row, 0],
      End: () => [end ? rowAxis.shown.at(-1) : row, colAxis.shown.at(-1)],
    };
    if (moves[event.key]) this.on.pick(...moves[event.key]());
    else if (event.key === "Enter") this.on.enter();
    else if (event.key === "Escape") this.on.escape();
    else return;
    event.preventDefault();
  }
}
