// The page: what is chosen, and how the grid, the chunks and the detail strip follow each other.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const number = (count) => count.toLocaleString("en");
  const leftOut = data.left_out.map((text) => `Not on this page: ${text}`);
  const views = new Map();
  let sheet;

  const grid = new Grid($("grid"), {
    hover: (place) => look(place),
    pick: (row, col) => pickCell(row, col),
    enter: () => { if (list.picked >= 0) $("chunks").focus(); },
    escape: () => letGo(),
  });
  const list = new ChunkList($("chunks"), $("reader"), {
    pick: (chunk) => pickChunk(chunk),
    enter: () => $("grid").focus(),
    escape: () => { letGo(); $("grid").focus(); },
  });

  /** Lights the paths and the chunk of a cell, and tells about it; without one, those of the active cell. */
  function look(place) {
    const [row, col] = place ?? grid.active, i = sheet.index(row, col);
    const chunk = place ? sheet.chunkOf(i) : list.picked;
    grid.light({ col: new Set(sheet.colPath(i)), row: new Set(sheet.rowPath(i)), chunk });
    list.light(chunk);
    detail(row, col, i);
  }

  function pickCell(row, col) {
    grid.go(row, col);
    list.pick(sheet.chunkOf(sheet.index(...grid.active)));
    look(null);
  }

  function pickChunk(chunk) {
    if (chunk < 0 || chunk >= sheet.chunks.length) return;
    const i = sheet.firstOf(chunk);
    if (i >= 0) grid.go(sheet.cells.row[i], sheet.cells.col[i]);
    list.pick(chunk);
    look(null);
  }

  function letGo() {
    list.pick(-1);
    look(null);
  }

  function detail(row, col, i) {
    const strip = element("dl"), ref = columnName(col) + (row + 1), key = row * STRIDE + col;
    const add = (name, ...values) => {
      const line = element("div"), body = element("dd");
      body.append(...values);
      line.append(element("dt", "", name), body);
      strip.append(line);
    };
    const path = (cells) => cells.flatMap((k, n) =>
      [n ? " › " : "", sheet.cells.text[k] + " ", element("small", "", sheet.ref(k))]);
    add("Cell", element("span", "ref", ref));
    if (i < 0) add("Value", "empty");
    if (i >= 0) {
      const reason = sheet.excluded[i], role = sheet.role(i);
      if (role) add("Role", swatch(role), ` ${role} `, element("small", "", `${sheet.cells.percent[i]} % sure`));
      if (reason) add("Left out", reason);
      const raw = sheet.raw[i], kind = element("small", "", sheet.kind(i));
      if (raw === undefined) add("Value", `${sheet.cells.text[i]} `, kind);
      else { add("Shown", sheet.cells.text[i]); add("Value", `${raw} `, kind); }
      if (sheet.formulas[i]) add("Formula", sheet.formulas[i]);
      strip.append(element("div", "break"));
      if (sheet.colPath(i).length) add("Column path", ...path(sheet.colPath(i)));
      if (sheet.rowPath(i).length) add("Row path", ...path(sheet.rowPath(i)));
      const chunk = sheet.chunks[sheet.chunkOf(i)];
      if (chunk) add("Chunk", chunk.id);
    }
    const table = sheet.tables[sheet.tableOf(row, col)];
    if (table) add("Table", boxName(table.box), element("small", "", table.repairs.map((text) => ` ${text}`).join(";")));
    const under = sheet.under(row, col);
    if (under.length) add("Left out below", under.map((k) => `${sheet.ref(k)} ${sheet.cells.text[k]}`).join("; "));
    if (sheet.notes.has(key)) add("Comment", sheet.notes.get(key));
    if (sheet.targets.has(key)) add("Link", sheet.targets.get(key));
    $("detail").replaceChildren(...strip.children);
  }

  function boxName([top, left, bottom, right]) {
    return `${columnName(left)}${top + 1}:${columnName(right - 1)}${bottom}`;
  }

  function swatch(role) { return element("span", `swatch role-${role}`); }

  /** A button per role of the sheet, which goes to the next cell of that role. */
  function legend() {
    const counts = new Map();
    for (let i = 0; i < sheet.size; i++) {
      const name = sheet.excluded[i] && !sheet.role(i) ? "excluded" : sheet.role(i);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const names = [...data.roles, "excluded"].filter((name) => counts.has(name));
    $("legend").replaceChildren(...names.map((name) => {
      const button = element("button");
      button.type = "button";
      const mark = name === "excluded" ? element("span", "swatch excluded") : swatch(name);
      button.append(mark, name.replaceAll("_", " "), element("small", "", number(counts.get(name))));
      button.addEventListener("click", () => next(name));
      return button;
    }));
  }

  function next(name) {
    const from = sheet.from(grid.active[0], grid.active[1] + 1);
    for (let n = 0; n < sheet.size; n++) {
      const i = (from + n) % sheet.size, role = sheet.role(i) || "excluded";
      if (role === name) return pickCell(sheet.cells.row[i], sheet.cells.col[i]);
    }
  }

  function open(k) {
    if (!views.has(k)) views.set(k, new SheetView(data.sheets[k], data.roles, data.kinds));
    sheet = views.get(k);
    [...$("tabs").children].forEach((tab, n) => {
      tab.setAttribute("aria-selected", String(n === k));
      tab.tabIndex = n === k ? 0 : -1;
    });
    const count = sheet.chunks.length, beyond = sheet.unseen_chunks;
    $("chunk-count").textContent = `${number(count)} chunk${count === 1 ? "" : "s"}` +
      (beyond ? ` (and ${number(beyond)} of cells left out)` : "");
    $("nothing").hidden = sheet.size > 0;
    $("grid").hidden = sheet.size === 0;
    const reader = sheet.reader ? [`Read as ${sheet.reader}`] : [];
    warn([...leftOut, ...reader, ...sheet.warnings]);
    grid.active = sheet.size ? [sheet.cells.row[0], sheet.cells.col[0]] : [0, 0];
    legend();
    list.show(sheet);
    grid.show(sheet);
    look(null);
  }

  function warn(texts) { $("warnings").replaceChildren(...texts.map((text) => element("p", "", text))); }

  function tabs() {
    const made = data.sheets.map(({ name, state }, k) => {
      const tab = element("button", state === "visible" ? "" : "hidden", name);
      if (state !== "visible") tab.append(" (hidden)");
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", "grid-pane");
      tab.addEventListener("click", () => open(k));
      return tab;
    });
    $("tabs").replaceChildren(...made);
    $("tabs").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = made.indexOf(document.activeElement);
      if (!step || at < 0) return;
      const k = (at + step + made.length) % made.length;
      open(k);
      made[k].focus();
    });
  }

  function paint(which) {
    document.body.dataset.paint = which;
    $("grid").classList.toggle("roles", which === "roles");
    $("grid").classList.toggle("own", which === "own");
    if (sheet) grid.paint();
  }

  document.title = `${data.file} – cellroles`;
  $("file").textContent = data.file;
  $("made").textContent = `chunker ${data.chunker}, model ${data.checkpoint}`;
  $("paint").addEventListener("change", (event) => paint(event.target.value));
  document.querySelector('input[value="roles"]').checked = true;
  tabs();
  paint("roles");
  if (data.sheets.length) open(0);
  else {
    warn(leftOut);
    $("nothing").hidden = false;
    $("grid").hidden = true;
  }
})();
