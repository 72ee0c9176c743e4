// One question -> what was asked, and what every method found for it.

class QuestionView {
  constructor(box, data) {
    Object.assign(this, { box, data, hidden: new Set(), last: null });
  }

  show(i) {
    const question = this.data.questions[i];
    this.last = i;
    const title = element("h3", "", question.question), verdicts = this.verdicts(question);
    this.box.replaceChildren(title, this.asked(question), verdicts, this.toggles(), this.columns(question));
    this.reveal();
  }

  /** Scrolls every chunk to where it says the answer. */
  reveal() {
    for (const body of this.box.querySelectorAll("pre")) {
      const place = body.querySelector("mark")?.offsetTop ?? 0;
      body.scrollTop = place - body.clientHeight / 2;
    }
  }

  asked(question) {
    const list = element("dl");
    const entry = (name, text) => text && list.append(element("dt", "", name), element("dd", "", text));
    entry("answer", question.answer);
    entry("cells", question.cells.join(", "));
    entry("sheet", `${question.file} › ${question.sheet}`);
    entry("column path", path(question.col_path, question.col_cells));
    entry("row path", path(question.row_path, question.row_cells));
    entry("structure", question.tags.join(", "));
    entry("id", question.id);
    entry("in no chunk", question.lost);
    return list;
  }

  verdicts(question) {
    const table = element("table"), head = element("tr"), body = element("tbody");
    const answered = question.found.some((found) => found.answer !== undefined);
    const names = ["rank", "tokens until then", "first chunk of the sheet", "all headers attached", "exact paths"];
    if (answered) names.push("generated answer", "judge (1-5)");
    for (const name of ["method", ...names])
      head.append(scoped("col", name, name === "generated answer" ? "answer" : ""));
    const at = (name) => this.data.scores.indexOf(name);
    question.found.forEach((found, m) => {
      const row = element("tr");
      row.dataset.method = this.data.methods[m].name;
      row.append(scoped("row", this.data.methods[m].name));
      const tokens = element("td", "", found.tokens === null ? "–" : number(found.tokens));
      row.append(rank(found.rank), tokens, rank(found.sheet_rank));
      row.append(yesNo(found.scores[at("association")]), yesNo(found.scores[at("exact paths")]));
      const rating = found.scores[at("judge (1-5)")] ?? "–";
      if (answered) row.append(this.answer(found), element("td", "", String(rating)));
      body.append(row);
    });
    const top = element("thead"), wide = element("div", "wide");
    top.append(head);
    table.append(top, body);
    wide.append(table);
    return wide;
  }

  answer(found) {
    const cell = element("td", "answer", found.answer || "–");
    if (found.read) cell.append(element("small", "", found.read));
    return cell;
  }

  /** Which methods stand side by side. */
  toggles() {
    const group = element("div");
    group.id = "toggles";
    this.data.methods.forEach((method, m) => {
      const label = element("label"), box = element("input");
      Object.assign(box, { type: "checkbox", checked: !this.hidden.has(m) });
      box.addEventListener("change", () => {
        if (box.checked) this.hidden.delete(m);
        else this.hidden.add(m);
        this.box.lastElementChild.replaceWith(this.columns(this.data.questions[this.last]));
        this.reveal();
      });
      label.append(box, method.name);
      group.append(label);
    });
    return group;
  }

  columns(question) {
    const columns = element("div", "columns");
    question.found.forEach((found, m) => {
      if (this.hidden.has(m)) return;
      const column = element("div", "column");
      column.dataset.method = this.data.methods[m].name;
      column.append(element("h4", "", this.data.methods[m].name));
      found.chunks.forEach(([chunk, hit], place) => column.append(this.chunk(question, chunk, hit, place + 1)));
      if (!found.chunks.length) column.append(element("p", "facts", "no chunks shown"));
      columns.append(column);
    });
    return columns;
  }

  chunk(question, chunk, hit, place) {
    const [sheet, id, range, tokens, text] = this.data.chunks[chunk], [file, name] = this.data.sheets[sheet];
    const card = element("div", hit ? "found hit" : "found"), facts = element("p", "facts");
    const right = file === question.file && name === question.sheet;
    if (hit) facts.append(element("span", "hit-word", "✓ hit"), " · ");
    const parts = [`#${place}`, range, `${number(tokens)} tokens`, right ? "right sheet" : `${file} › ${name}`];
    facts.append(parts.filter(Boolean).join(" · "));
    facts.title = `id ${id}`;
    const body = element("pre");
    body.tabIndex = 0;
    body.append(...(right ? marked(this.data.texts[text], question.answer) : [this.data.texts[text]]));
    card.append(facts, body);
    return card;
  }
}

function path(labels, cells) {
  if (!labels && !cells) return "";
  const where = cells?.length ? ` (${cells.join(", ")})` : "";
  return labels?.length ? labels.join(" › ") + where : where.trim() || "none";
}

function scoped(scope, text, className = "") {
  const head = element("th", className, text);
  head.scope = scope;
  return head;
}

function rank(value) {
  return value === null ? element("td", "no", "not found") : element("td", "", `#${value}`);
}

function yesNo(value) {
  return value === null ? element("td", "", "–") : element("td", value ? "yes" : "no", value ? "✓ yes" : "✗ no");
}

/** A text in which the answer is marked where it stands as a word of its own. */
function marked(text, answer) {
  const parts = [], needle = answer.trim();
  let done = 0;
  for (let at = text.indexOf(needle); needle && at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const end = at + needle.length;
    if (isWord(text[at - 1]) || isWord(text[end])) continue;
    parts.push(text.slice(done, at), element("mark", "", needle));
    done = end;
  }
  return [...parts, text.slice(done)];
}

function isWord(letter) {
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
}
