// Questions and filters -> the list of those that fit.

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== "") made.textContent = text; // never as HTML: it comes from workbooks and questions
  return made;
}

function number(value) {
  return value.toLocaleString("en");
}

/** What can be asked of a question: relations of the first method to the others, and misses. */
function relations(methods) {
  const first = methods[0].name;
  const others = methods.map((method, m) => [method.name, m]).slice(1);
  return [
    { text: "all questions", fits: () => true },
    ...others.map(([name, m]) => ({ text: `${first} loses to ${name}`, fits: (s) => told(s, m) && s[0] < s[m] })),
    ...others.map(([name, m]) => ({ text: `${first} beats ${name}`, fits: (s) => told(s, m) && s[0] > s[m] })),
    ...methods.map((method, m) => ({ text: `not found by ${method.name}`, fits: (s) => s[m] === 0 })),
    { text: "not found by any", fits: (s) => s.every((value) => value === 0) },
  ];
}

function told(scores, m) {
  return scores[0] !== null && scores[m] !== null;
}

class QuestionList {
  static MOST = 200;

  constructor(box, count, data, pick) {
    Object.assign(this, { box, count, data, pick, chosen: -1, shown: [], most: QuestionList.MOST });
    this.texts = data.questions.map((q) =>
      [q.id, q.question, q.answer, q.file, q.sheet, ...q.tags].join("\n").toLowerCase());
    box.addEventListener("click", (event) => {
      const item = event.target.closest(".item");
      if (item) pick(Number(item.dataset.question), true);
    });
    box.addEventListener("keydown", (event) => this.key(event));
  }

  filter(words, tag, relation, score) {
    const needles = words.toLowerCase().split(/\s+/).filter(Boolean);
    this.shown = [...this.data.questions.keys()].filter((i) => {
      const question = this.data.questions[i];
      return needles.every((needle) => this.texts[i].includes(needle))
        && (!tag || question.tags.includes(tag))
        && relation.fits(question.found.map((found) => found.scores[score]));
    });
    this.most = QuestionList.MOST;
    this.paint();
  }

  paint() {
    const { shown, most, data } = this;
    this.count.textContent = `${number(shown.length)} of ${number(data.questions.length)} questions`;
    this.box.replaceChildren(...shown.slice(0, most).map((i) => this.item(i)));
    if (shown.length > most) {
      const more = element("button", "button", `show ${number(shown.length - most)} more`);
      more.addEventListener("click", () => { this.most = Infinity; this.paint(); });
      this.box.append(more);
    }
    this.mark();
  }

  item(i) {
    const question = this.data.questions[i], item = element("div", "item"), facts = element("p", "facts");
    item.id = `item-${i}`;
    item.dataset.question = i;
    item.setAttribute("role", "option");
    const [{ rank }] = question.found;
    const first = rank === null ? element("i", "", "✗") : element(rank <= 5 ? "b" : "span", "", `#${rank}`);
    const within = question.found.filter((found) => found.rank !== null && found.rank <= 5).length;
    facts.append(`${question.id} · ${this.data.methods[0].name} `, first);
    if (question.found.length > 1) facts.append(` · ${within} of ${question.found.length} in the first five`);
    item.append(element("p", "", question.question), facts);
    return item;
  }

  choose(i) {
    this.chosen = i;
    this.mark();
    const item = document.getElementById(`item-${i}`);
    if (!item) return;
    const top = item.offsetTop, bottom = top + item.offsetHeight - this.box.clientHeight;
    this.box.scrollTop = Math.max(bottom, Math.min(this.box.scrollTop, top)); // the page itself stays where it is
  }

  mark() {
    for (const item of this.box.querySelectorAll(".item"))
      item.setAttribute("aria-selected", String(Number(item.dataset.question) === this.chosen));
    const id = `item-${this.chosen}`;
    if (document.getElementById(id)) this.box.setAttribute("aria-activedescendant", id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity };
    const last = Math.min(this.shown.length, this.most) - 1;
    if (event.target !== this.box || !(event.key in steps) || last < 0) return;
    const place = Math.max(0, Math.min(last, this.shown.indexOf(this.chosen) + steps[event.key]));
    this.pick(this.shown[place]);
    event.preventDefault();
  }
}
