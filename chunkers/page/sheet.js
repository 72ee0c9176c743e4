// One sheet's data -> look-ups: lines and their pixels, cells by place, merges, paths and chunks.

const STRIDE = 16384; // columns of a sheet

/** The first position in sorted values that is not below `value`. */
function lowerBound(values, value, low = 0, high = values.length) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Shown rows or columns: `line[p]` is the sheet's line at position p (-1: a gap), `start[p]` its offset in pixels. */
class Axis {
  static GAP = 12;

  constructor(runs, size) {
    this.line = [];
    for (const [first, count] of runs) {
      if (this.line.length) this.line.push(-1);
      for (let i = 0; i < count; i++) this.line.push(first + i);
    }
    this.start = new Float64Array(this.line.length + 1);
    this.line.forEach((line, p) => { this.start[p + 1] = this.start[p] + (line < 0 ? Axis.GAP : size(line)); });
    this.position = new Map(this.line.map((line, p) => [line, p]));
    this.shown = this.line.filter((line) => line >= 0);
  }

  get length() { return this.line.length; }
  get pixels() { return this.start[this.length]; }

  /** The position at an offset in pixels. */
  at(pixels) { return Math.max(0, Math.min(this.length - 1, lowerBound(this.start, pixels + 1) - 1)); }

  /** The offset where a line starts, or where the first shown line after it does. */
  offset(line) {
    const p = this.position.get(line);
    if (p !== undefined) return this.start[p];
    const next = this.shown[lowerBound(this.shown, line)];
    return next === undefined ? this.pixels : this.start[this.position.get(next)];
  }

  /** The nearest shown line `steps` from a line, within the sheet. */
  step(line, steps) {
    const p = lowerBound(this.shown, line) + steps;
    return this.shown[Math.max(0, Math.min(this.shown.length - 1, p))];
  }
}

/** Lines in runs (first, count). */
class Lines {
  constructor(runs) { this.runs = runs; this.firsts = runs.map(([first]) => first); }
  has(line) {
    const run = this.runs[lowerBound(this.firsts, line + 1) - 1];
    return run !== undefined && line < run[0] + run[1];
  }
}

function columnName(col) {
  let name = "";
  for (let n = col + 1; n > 0; n = Math.floor((n - 1) / 26)) name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  return name;
}

class SheetView {
  static WIDTH = 72; // Excel's usual column, as in looks.py
  static HEIGHT = 22;

  constructor(data, roles, kinds) {
    Object.assign(this, data);
    this.roleNames = roles;
    this.kindNames = kinds;
    this.rowAxis = new Axis(data.rows, (row) => data.heights[row] ?? SheetView.HEIGHT);
    this.colAxis = new Axis(data.cols, (col) => data.widths[col] ?? SheetView.WIDTH);
    this.hiddenRows = new Lines(data.hidden_rows);
    this.hiddenCols = new Lines(data.hidden_cols);
    this.size = data.cells.row.length;
    this.keys = Float64Array.from(data.cells.row, (row, i) => row * STRIDE + data.cells.col[i]);
    this.notes = new Map(data.comments.map(([row, col, text]) => [row * STRIDE + col, text]));
    this.targets = new Map(data.links.map(([row, col, link]) => [row * STRIDE + col, link]));
    this.members = data.chunks.map(() => []);
    data.cells.chunk.forEach((chunk, i) => { if (chunk >= 0) this.members[chunk].push(i); });
    this.repeats = data.chunks.map((chunk) => new Set(chunk.repeats));
  }

  /** Index of the cell at a place, or -1. */
  index(row, col) {
    const key = row * STRIDE + col, i = lowerBound(this.keys, key);
    return this.keys[i] === key ? i : -1;
  }

  /** Index of the first cell of a row at or after a column. */
  from(row, col) { return lowerBound(this.keys, row * STRIDE + col); }

  /** The merge that covers a place. */
  merge(row, col) {
    return this.merges.find(([top, left, bottom, right]) => top <= row && row < bottom && left <= col && col < right);
  }

  /** The place itself, or the first cell of the merge that covers it. */
  anchor(row, col) {
    const merge = this.merge(row, col);
    return merge ? [merge[0], merge[1]] : [row, col];
  }

  /** Indices of the cells that lie under the merge of a place: Excel keeps them and shows them nowhere. */
  under(row, col) {
    const merge = this.merge(row, col), found = [];
    if (!merge) return found;
    const [top, left, bottom, right] = merge;
    for (let i = this.from(top, left); i < this.size && this.cells.row[i] < bottom; i++)
      if (this.keys[i] !== top * STRIDE + left && left <= this.cells.col[i] && this.cells.col[i] < right) found.push(i);
    return found;
  }

  ref(i) { return columnName(this.cells.col[i]) + (this.cells.row[i] + 1); }

  style(i) { return this.styles[this.cells.style[i]] ?? {}; }

  role(i) { return this.roleNames[this.cells.role[i]] ?? ""; }

  kind(i) { return this.kindNames[this.cells.kind[i]]; }

  isNumber(i) { return this.kind(i) === "number" || this.kind(i) === "date"; }

  colPath(i) { return i < 0 ? [] : this.paths[this.cells.col_path[i]]; }

  rowPath(i) { return i < 0 ? [] : this.paths[this.cells.row_path[i]]; }

  chunkOf(i) { return i < 0 ? -1 : this.cells.chunk[i]; }

  /** Whether a chunk says a cell: as its owner or once more. */
  says(chunk, i) { return chunk >= 0 && i >= 0 && (this.cells.chunk[i] === chunk || this.repeats[chunk].has(i)); }

  /** The first cell of a chunk, or -1. */
  firstOf(chunk) { return this.members[chunk][0] ?? this.chunks[chunk].repeats[0] ?? -1; }

  tableOf(row, col) {
    return this.tables.findIndex(({ box: [top, left, bottom, right] }) =>
      top <= row && row < bottom && left <= col && col < right);
  }

  /** Whether any cell of the sheet stands at a place or covers it. */
  taken(row, col) { return this.index(row, col) >= 0 || this.merge(row, col) !== undefined; }
}
