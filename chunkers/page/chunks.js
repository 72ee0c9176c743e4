// A sheet's chunks -> a list beside the grid, windowed like it, and one chunk in full below.

class ChunkList {
  static HEIGHT = 52;

  constructor(box, reader, on) {
    this.box = box;
    this.reader = reader;
    this.on = on; // pick(chunk), enter(), escape()
    this.picked = -1;
    this.lit = -1;
    box.addEventListener("scroll", () => this.later());
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => {
      const item = event.target.closest(".chunk");
      if (item) on.pick(Number(item.dataset.chunk));
    });
    new ResizeObserver(() => this.later()).observe(box);
  }

  show(sheet) {
    this.sheet = sheet;
    this.picked = this.lit = -1;
    this.inner = element("div");
    this.inner.setAttribute("role", "presentation");
    this.inner.style.height = `${sheet.chunks.length * ChunkList.HEIGHT}px`;
    this.box.replaceChildren(this.inner);
    this.box.scrollTo(0, 0);
    this.paint();
    this.read(-1);
  }

  later() {
    if (this.waiting || !this.sheet) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      if (String(this.sight()) !== this.seen) this.paint();
    });
  }

  /** The chunks in sight and a few around them: from the first, up to the last. */
  sight() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ChunkList.HEIGHT) - 2);
    return [first, Math.min(this.sheet.chunks.length, first + Math.ceil(this.box.clientHeight / ChunkList.HEIGHT) + 5)];
  }

  paint() {
    const [first, last] = this.sight(), items = [];
    this.seen = String([first, last]);
    for (let k = first; k < last; k++) items.push(this.item(k));
    this.inner.replaceChildren(...items);
    this.mark();
  }

  item(k) {
    const chunk = this.sheet.chunks[k], item = element("div", "chunk");
    item.id = `chunk-${k}`;
    item.dataset.chunk = k;
    item.style.top = `${k * ChunkList.HEIGHT}px`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-posinset", k + 1);
    item.setAttribute("aria-setsize", this.sheet.chunks.length);
    const lines = chunk.text.split("\n");
    const body = lines.length > 1 && lines[0].startsWith("Sheet: ") ? lines.slice(1) : lines;
    item.append(facts(chunk), element("p", "", body.map((line) => line.trim()).join(" · ")));
    return item;
  }

  mark() {
    for (const item of this.inner.children) {
      const k = Number(item.dataset.chunk);
      item.classList.toggle("lit-chunk", k === this.lit);
      item.setAttribute("aria-selected", String(k === this.picked));
    }
    if (this.picked >= 0 && document.getElementById(`chunk-${this.picked}`))
      this.box.setAttribute("aria-activedescendant", `chunk-${this.picked}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  /** Lights a chunk without choosing it, and reads it below; with none lit, the chosen one. */
  light(chunk) {
    this.lit = chunk;
    this.read(chunk >= 0 ? chunk : this.picked);
    this.mark();
  }

  /** Chooses a chunk and brings it into sight. */
  pick(chunk) {
    this.picked = chunk;
    const top = chunk * ChunkList.HEIGHT, room = this.box.clientHeight - ChunkList.HEIGHT;
    if (chunk >= 0 && (top < this.box.scrollTop || top > this.box.scrollTop + room)) {
      this.box.scrollTop = Math.max(0, top - room / 2);
      this.paint();
    }
    this.light(chunk);
  }

  read(k) {
    const chunk = this.sheet.chunks[k];
    if (this.read.last === chunk && chunk) return;
    this.read.last = chunk;
    if (!chunk) {
      this.reader.replaceChildren(element("p", "facts", "Point at a cell, or choose a chunk, to read it here."));
      return;
    }
    const id = element("p", "facts", `id ${chunk.id}`);
    const title = chunk.title ? [element("p", "", chunk.title)] : [];
    this.reader.replaceChildren(facts(chunk), ...title, id, element("pre", "", chunk.text));
    this.reader.scrollTop = 0;
  }

  key(event) {
    const last = this.sheet.chunks.length - 1, page = Math.max(1, Math.floor(this.box.clientHeight / ChunkList.HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.on.pick(Math.max(0, Math.min(last, this.picked + steps[event.key])));
    else if (event.key === "Enter") this.on.enter();
    else if (event.key === "Escape") this.on.escape();
    else return;
    event.preventDefault();
  }
}

/** One line of a chunk's kind, place, size and fallback. */
function facts(chunk) {
  const line = element("p", "facts", [chunk.kind, chunk.range, `${chunk.tokens} tokens`].filter(Boolean).join(" · "));
  if (chunk.fallback) line.append(" · ", element("span", "fallback", chunk.fallback));
  return line;
}
