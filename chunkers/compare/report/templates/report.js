// The data of the page -> its questions: filters, list and the one that is chosen; `#id` in the address chooses it too.

{
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const ways = relations(data.methods);
  const view = new QuestionView(by("question"), data);
  const list = new QuestionList(by("list"), by("count"), data, pick);

  function pick(i, pointed = false) {
    list.choose(i);
    view.show(i);
    const below = view.box.getBoundingClientRect().top > innerHeight / 2; // on narrow screens it is under the list
    if (pointed && below) view.box.scrollIntoView();
    if (data.questions[i]) history.replaceState(null, "", `#${encodeURIComponent(data.questions[i].id)}`);
  }

  function fill(select, texts, chosen = 0) {
    texts.forEach((text, i) => select.add(new Option(text, String(i), i === chosen, i === chosen)));
  }

  function filter() {
    const tag = by("tag").selectedIndex ? tags[by("tag").selectedIndex - 1] : "";
    list.filter(by("search").value, tag, ways[by("relation").selectedIndex], by("score").selectedIndex);
  }

  function fromAddress() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* not an id of ours then */ }
    return data.questions.findIndex((question) => question.id === id);
  }

  const tags = [...new Set(data.questions.flatMap((question) => question.tags))].sort();
  fill(by("tag"), ["any", ...tags]);
  fill(by("relation"), ways.map((way) => way.text));
  fill(by("score"), data.scores, data.scores.indexOf("recall@5"));
  by("search").addEventListener("input", filter);
  for (const id of ["tag", "relation", "score"]) by(id).addEventListener("change", filter);
  addEventListener("hashchange", () => { if (fromAddress() >= 0) pick(fromAddress()); });
  filter();
  const linked = fromAddress();
  if (linked >= 0) {
    pick(linked);
    by("question").scrollIntoView();
  } else {
    list.choose(0);
    view.show(0);
  }
}
