// Edits the list like a spreadsheet. Without this file, and on a phone, each row has its own page.
(() => {
  "use strict";
  const table = document.querySelector("[data-list]");
  if (!table || !window.matchMedia("(min-width: 720px)").matches) return;
  const says = document.querySelector("[data-list-says]");
  const undoButton = document.querySelector("[data-list-undo]");
  const blank = table.querySelector("[data-new]");
  const undoable = [];
  let editor = null;
  let saves = Promise.resolve();

  // ---------- rows and cells ----------

  const rowOf = (cell) => cell.closest("tr");
  const cellsOf = (row) => [...row.querySelectorAll("[data-field]")];
  const cellIn = (row, field) => row.querySelector(`[data-field="${field}"]`);
  const rows = () => [...table.tBodies[0].rows].filter((row) => row.querySelector("[data-field]"));
  const textOf = (cell) => cell.dataset.typed ?? cell.dataset.value;
  const wordsOf = (cell) => cell.querySelector(".cell-text");
  const typedIn = (row) => cellsOf(row).filter((cell) => cell.dataset.typed !== undefined);
  const savedIn = (row) => Object.fromEntries(cellsOf(row).map((cell) => [cell.dataset.field, cell.dataset.value]));
  // A refused value does not prevent saving the rest of its row.
  const isRefused = (cell) => cell.dataset.refused !== undefined && cell.dataset.refused === cell.dataset.typed;
  const sendable = (row) => Object.fromEntries(cellsOf(row).map((cell) => [cell.dataset.field, isRefused(cell) ? cell.dataset.value : textOf(cell)]));
  const textsIn = (row) => Object.fromEntries(cellsOf(row).map((cell) => [cell.dataset.field, textOf(cell)]));
  const labels = Object.fromEntries(cellsOf(blank).map((cell) => [cell.dataset.field, table.tHead.rows[0].cells[cell.cellIndex].textContent.trim()]));

  function prepare(row) {
    for (const cell of cellsOf(row)) {
      if (cell.tagName === "TD") cell.setAttribute("role", "gridcell");
      cell.tabIndex = -1;
      if ("fixed" in row.dataset) cell.setAttribute("aria-readonly", "true");
    }
  }
  function rowFrom(html) {
    const box = document.createElement("template");
    box.innerHTML = html;
    return box.content.querySelector("tr");
  }
  function type(cell, text) {
    const words = wordsOf(cell);
    cell.dataset.shown ??= words.textContent;
    if (text === cell.dataset.value) return revert(cell);
    cell.dataset.typed = text;
    words.textContent = text;
  }
  function revert(cell) {
    if (cell.dataset.shown !== undefined) wordsOf(cell).textContent = cell.dataset.shown;
    delete cell.dataset.typed;
    delete cell.dataset.shown;
    clean(cell);
  }
  function clean(cell) {
    cell.removeAttribute("aria-invalid");
    cell.removeAttribute("aria-describedby");
    cell.querySelector(".cell-why")?.remove();
    delete cell.dataset.refused;
  }
  function markInvalid(cell, why) {
    clean(cell);
    if (cell.dataset.typed !== undefined) cell.dataset.refused = cell.dataset.typed;
    const note = Object.assign(document.createElement("span"), { className: "cell-why", textContent: why });
    note.id = `why-${rowOf(cell).dataset.row ?? "new"}-${cell.dataset.field}`;
    cell.setAttribute("aria-invalid", "true");
    cell.setAttribute("aria-describedby", note.id);
    cell.append(note);
  }

  // Updates the row from the server. Keeps what was typed since then.
  function refresh(row, html, sent) {
    const fresh = rowFrom(html);
    for (const name of ["row", "url", "stamp", "who"]) row.dataset[name] = fresh.dataset[name];
    row.className = fresh.className;
    for (const now of cellsOf(fresh)) {
      const cell = cellIn(row, now.dataset.field);
      const typed = cell.dataset.typed;
      cell.dataset.value = now.dataset.value;
      if (typed !== undefined && typed !== sent[now.dataset.field]) {
        cell.dataset.shown = wordsOf(now).textContent;
        continue;
      }
      revert(cell);
      wordsOf(cell).textContent = wordsOf(now).textContent;
    }
    for (const part of [".cell-status", ".list-do"]) row.querySelector(part).replaceChildren(...fresh.querySelector(part).childNodes);
  }
  function flash(row) {
    row.classList.add("is-kept");
    setTimeout(() => row.classList.remove("is-kept"), 1500);
  }

  // ---------- saving ----------

  function setStatus(what, ...more) {
    says.replaceChildren(says.dataset[what] ?? what, ...more);
  }
  async function send(url, fields) {
    const body = new URLSearchParams({ ...fields, csrf: table.dataset.csrf });
    const answer = await fetch(url, { method: "POST", body, headers: { accept: "application/json" } });
    return { status: answer.status, ...(await answer.json()) };
  }
  // Runs saves one after another, so that each starts from the result of the one before.
  function enqueue(job) {
    saves = saves.then(async () => {
      setStatus("saving");
      try {
        await job();
      } catch {
        setStatus("lost");
      }
    });
  }
  function remember(step) {
    undoable.push(step);
    undoButton.disabled = false;
  }
  function save(row, { undoing = false, rest = false } = {}) {
    enqueue(async () => {
      const before = savedIn(row);
      const sent = rest ? sendable(row) : textsIn(row);
      const answer = await send(`${row.dataset.url}/edit`, { ...sent, stamp: row.dataset.stamp });
      if (answer.is_newer) return showNewer(row, answer, sent, before);
      if (answer.status !== 200) {
        showErrors(row, answer);
        return saveRest(row, answer);
      }
      refresh(row, answer.html, sent);
      cellsOf(row).forEach((cell) => cell.dataset.typed === undefined && clean(cell));
      if (!undoing) remember({ row, fields: before });
      flash(row);
      showStatus(answer.says);
    });
  }
  // Saves the valid cells, if each invalid one was typed just now.
  function saveRest(row, answer) {
    const wrong = Object.keys(answer.errors ?? {});
    const typed = typedIn(row);
    const all = wrong.length && wrong.every((field) => cellIn(row, field)?.dataset.typed !== undefined);
    undoButton.disabled = false;
    if (all && typed.some((cell) => !isRefused(cell))) save(row, { rest: true });
  }
  function showStatus(words = "") {
    const wrong = table.querySelector('[aria-invalid="true"]');
    if (wrong) return setStatus(`${says.dataset.unsaved} ${wrong.querySelector(".cell-why")?.textContent ?? ""}`);
    setStatus(words && words !== "Saved." ? words : "saved");
  }
  function showErrors(row, answer) {
    if (!answer.errors) return setStatus([answer.problem, answer.means].join(" "));
    cellsOf(row).forEach(clean);
    const found = Object.entries(answer.errors);
    for (const [field, why] of found) markInvalid(cellIn(row, field), why);
    setStatus(`${answer.says} ${found.map(([field, why]) => `${labels[field]}: ${why}`).join(" ")}`);
  }
  function showNewer(row, answer, sent, before) {
    const mine = Object.entries(sent).filter(([field, text]) => text !== before[field]);
    for (const [field] of mine) revert(cellIn(row, field));
    refresh(row, answer.html, sent);
    const button = (label, act) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: "button-plain", textContent: says.dataset[label] });
      made.onclick = () => { setStatus("saved"); act(); cellIn(row, mine[0]?.[0] ?? "name").focus(); };
      return made;
    };
    const wrote = document.createElement("strong");
    wrote.textContent = says.dataset.wrote.replace("{}", mine.map(([, text]) => text).join(", "));
    const write = () => { for (const [field, text] of mine) type(cellIn(row, field), text); save(row); };
    setStatus("newer", " ", wrote, button("mine", write), button("theirs", () => {}));
  }
  function add() {
    if (!["name", "mobile", "email", "service"].some((field) => textOf(cellIn(blank, field)))) return;
    enqueue(async () => {
      const sent = textsIn(blank);
      const answer = await send(table.dataset.list, sent);
      if (answer.status !== 200) return showErrors(blank, answer);
      cellsOf(blank).forEach(revert);
      const known = table.querySelector(`[data-row="${answer.id}"]`);
      const row = known ?? rowFrom(answer.html);
      if (known) refresh(known, answer.html, {});
      else {
        table.querySelector(".list-none")?.remove();
        blank.before(row);
        prepare(row);
      }
      if (answer.is_new) remember({ row, url: "leave" });
      flash(row);
      blank.scrollIntoView({ block: "nearest" });
      setStatus(answer.says);
    });
  }
  // Removes the row from the list, or puts it back.
  function move(row, url, back) {
    enqueue(async () => {
      const answer = await send(`${row.dataset.url}/${url}`, {});
      if (answer.html) refresh(row, answer.html, {});
      if (answer.status === 200 && back) remember({ row, url: back });
      setStatus(answer.says ?? [answer.problem, answer.means].join(" "));
    });
  }
  // Reverts a refused value first: it was typed last.
  function undo() {
    const refused = [...table.querySelectorAll('[data-typed][aria-invalid="true"]')].at(-1);
    if (refused) {
      revert(refused);
      if (!typedIn(rowOf(refused)).length) cellsOf(rowOf(refused)).forEach(clean);
      undoButton.disabled = undoable.length === 0 && !table.querySelector('[data-typed][aria-invalid="true"]');
      focusCell(refused);
      return showStatus();
    }
    const step = undoable.pop();
    undoButton.disabled = undoable.length === 0;
    if (!step) return;
    step.row.scrollIntoView({ block: "nearest" });
    if (step.url) return move(step.row, step.url);
    for (const [field, text] of Object.entries(step.fields)) type(cellIn(step.row, field), text);
    save(step.row, { undoing: true });
  }

  // ---------- one cell ----------

  function open(cell, text) {
    const row = rowOf(cell);
    if (editor || "fixed" in row.dataset) return;
    const field = cell.dataset.field;
    editor = Object.assign(document.createElement("input"), { className: "list-cell", value: text, autocomplete: "off" });
    editor.setAttribute("aria-label", `${labels[field]}, ${row.dataset.who}`);
    if (document.getElementById(`list-${field}`)) editor.setAttribute("list", `list-${field}`);
    if (cell.hasAttribute("aria-describedby")) editor.setAttribute("aria-describedby", cell.getAttribute("aria-describedby"));
    wordsOf(cell).hidden = true;
    cell.classList.add("is-open");
    cell.prepend(editor);
    editor.onblur = () => close(true);
    editor.focus();
    editor.setSelectionRange(text.length, text.length);
  }
  function close(keep) {
    if (!editor) return;
    const input = editor;
    editor = null;
    const cell = input.closest("[data-field]");
    const text = input.value.trim();
    input.onblur = null;
    input.remove();
    wordsOf(cell).hidden = false;
    cell.classList.remove("is-open");
    if (!keep || (text === textOf(cell) && !cell.hasAttribute("aria-invalid"))) return;
    type(cell, text);
    if (rowOf(cell) !== blank) typedIn(rowOf(cell)).length ? save(rowOf(cell)) : settle(rowOf(cell));
  }
  // Clears errors when the row equals the saved one.
  function settle(row) {
    cellsOf(row).forEach(clean);
    showStatus();
  }
  function focusCell(cell) {
    if (!cell) return;
    table.querySelectorAll('[data-field][tabindex="0"]').forEach((other) => { other.tabIndex = -1; });
    cell.tabIndex = 0;
    cell.focus();
  }
  function neighbour(cell, across, down) {
    const all = rows();
    const row = all[Math.min(Math.max(all.indexOf(rowOf(cell)) + down, 0), all.length - 1)];
    const cells = cellsOf(row);
    return cells[cellsOf(rowOf(cell)).indexOf(cell) + across];
  }

  // ---------- keys ----------

  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [0, -10], PageDown: [0, 10] };

  function whileEditing(key, cell) {
    if (key.isComposing) return;
    if (key.key === "Escape") {
      close(false);
      focusCell(cell);
    } else if (key.key === "Enter") {
      close(true);
      if (rowOf(cell) === blank) { focusCell(cellIn(blank, "name")); add(); } else focusCell(neighbour(cell, 0, 1));
    } else if (key.key === "Tab") {
      const next = neighbour(cell, key.shiftKey ? -1 : 1, 0);
      close(true);
      if (!next) return;
      focusCell(next);
    } else return;
    key.preventDefault();
  }
  function whileMoving(key, cell) {
    const cells = cellsOf(rowOf(cell));
    const plain = !key.ctrlKey && !key.metaKey && !key.altKey;
    if (steps[key.key] && plain) focusCell(neighbour(cell, ...steps[key.key]));
    else if (key.key === "Home") focusCell(key.ctrlKey ? cellsOf(rows()[0])[0] : cells[0]);
    else if (key.key === "End") focusCell(key.ctrlKey ? cellsOf(rows().at(-1)).at(-1) : cells.at(-1));
    else if (key.key === "Tab" && neighbour(cell, key.shiftKey ? -1 : 1, 0)) focusCell(neighbour(cell, key.shiftKey ? -1 : 1, 0));
    else if (key.key === "Enter" || key.key === "F2") open(cell, textOf(cell));
    else if (key.key === "Delete" || key.key === "Backspace") open(cell, "");
    else if (key.key === "Escape" && cell.dataset.typed !== undefined) {
      revert(cell);
      if (!typedIn(rowOf(cell)).length) settle(rowOf(cell));
    } else if (key.key.length === 1 && plain) open(cell, key.key);
    else return;
    key.preventDefault();
  }
  table.addEventListener("keydown", (key) => {
    const cell = key.target.closest("[data-field]");
    if (!cell) return;
    if (key.target === editor) whileEditing(key, cell);
    else if (key.target === cell) whileMoving(key, cell);
  });
  document.addEventListener("keydown", (key) => {
    const inField = key.target.closest?.("input, textarea, select");
    if ((key.ctrlKey || key.metaKey) && !key.shiftKey && key.key.toLowerCase() === "z" && !inField) {
      key.preventDefault();
      undo();
    }
  });

  // ---------- mouse and clipboard ----------

  let stoodOn = null;
  table.addEventListener("mousedown", (press) => { stoodOn = document.activeElement === press.target.closest("[data-field]"); });
  table.addEventListener("click", (click) => {
    const cell = click.target.closest("[data-field]");
    if (!cell || click.target === editor) return;
    if (stoodOn) open(cell, textOf(cell));
    else focusCell(cell);
  });
  table.addEventListener("focusin", ({ target }) => {
    const row = rowOf(target);
    if (row !== blank && row?.dataset.row && typedIn(blank).length && !blank.querySelector('[aria-invalid="true"]')) add();
  });
  table.addEventListener("copy", (copy) => {
    const cell = copy.target.closest?.("[data-field]");
    if (!cell || editor || !getSelection().isCollapsed) return;
    copy.clipboardData.setData("text/plain", textOf(cell));
    copy.preventDefault();
  });
  table.addEventListener("paste", (paste) => {
    const cell = paste.target.closest?.("[data-field]");
    if (!cell || editor) return;
    paste.preventDefault();
    open(cell, paste.clipboardData.getData("text/plain").split(/[\t\r\n]/)[0]);
  });
  table.addEventListener("submit", (submit) => {
    if (!submit.target.matches("[data-leave]")) return;
    submit.preventDefault();
    move(rowOf(submit.target), "leave", "back");
    cellsOf(rowOf(submit.target))[0].focus();
  });
  window.addEventListener("beforeunload", (leaving) => {
    if (table.querySelector("[data-typed]")) leaving.preventDefault();
  });

  table.setAttribute("role", "grid");
  blank.hidden = false;
  rows().forEach(prepare);
  cellsOf(rows()[0])[0].tabIndex = 0;
  blank.querySelector("[data-list-add]").onclick = add;
  undoButton.hidden = false;
  undoButton.onclick = undo;
  says.hidden = false;
})();
