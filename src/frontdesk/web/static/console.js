// The console's conveniences. Every page works without this file; with it, counts follow by themselves.
(() => {
  "use strict";
  const all = (selector) => document.querySelectorAll(selector);
  const make = (tag, text, className = "") => Object.assign(document.createElement(tag), { textContent: text, className });

  // Say what changed, politely, and not more often than one can listen to.
  const changed = new Map();
  let saying = 0;
  function announce(key, words) {
    changed.set(key, words);
    saying ||= setTimeout(() => {
      const place = document.getElementById("announce");
      if (place) place.textContent = [...changed.values()].join(", ");
      changed.clear();
      saying = 0;
    }, 2000);
  }

  // Live counts: <… data-live="/url"> and <… data-live-key="id">.
  function apply(counts) {
    for (const place of all("[data-live-key]")) {
      const text = counts[place.dataset.liveKey];
      if (text === undefined || place.textContent === text) continue;
      place.textContent = text;
      if (place.dataset.liveLabel) announce(place.dataset.liveKey, `${place.dataset.liveLabel} ${text}`);
    }
    all("[data-live-bar]").forEach(drawBar);
  }
  function drawBar(bar) {
    const count = (part) => {
      const place = document.querySelector(`[data-live-key="${CSS.escape(`${bar.dataset.liveBar}.${part}`)}"]`);
      return Math.max(0, parseInt(place?.textContent ?? "0", 10) || 0);
    };
    const [taken, held, free] = ["taken", "held", "free"].map(count);
    const share = (seats) => `${(100 * seats) / Math.max(1, taken + held + free)}%`;
    bar.querySelector("[data-part=taken]").setAttribute("width", share(taken));
    const hatch = bar.querySelector("[data-part=held]");
    hatch.setAttribute("x", share(taken));
    hatch.setAttribute("width", share(held));
  }
  function follow(sign) {
    let source = null;
    let retry = 0;
    let wait = 2000;
    const show = (on) => {
      sign.classList.toggle("live-on", on);
      const words = sign.querySelector("[data-live-state]");
      if (words) words.textContent = on ? sign.dataset.liveOn : sign.dataset.liveLost;
    };
    const close = () => {
      clearTimeout(retry);
      source?.close();
      source = null;
    };
    function open() {
      close();
      source = new EventSource(sign.dataset.live);
      source.onopen = () => { wait = 2000; show(true); };
      source.addEventListener("count", (message) => apply(JSON.parse(message.data)));
      source.onerror = () => {
        show(false);
        if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
        retry = setTimeout(open, wait);
        wait = Math.min(wait * 2, 60000);
      };
    }
    const watch = () => (document.hidden ? close() : source || open());
    document.addEventListener("visibilitychange", watch);
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", watch);
    watch();
  }

  // Copy: <button data-copy="id">.
  function offerCopy(button) {
    const words = button.querySelector("span") ?? button;
    const before = words.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      words.textContent = button.dataset.copied;
      announce("copied", button.dataset.copied);
      setTimeout(() => { words.textContent = before; }, 2000);
    });
  }

  // Ask before what cannot be undone: <button data-confirm="question">.
  function askFirst(button) {
    button.addEventListener("click", (click) => {
      if (button.form.elements.confirmed || !window.HTMLDialogElement) return;
      click.preventDefault();
      const dialog = make("dialog", "", "ask");
      const question = make("p", button.dataset.confirm);
      question.id = "ask-question";
      dialog.setAttribute("aria-labelledby", question.id);
      const yes = make("button", button.dataset.confirmLabel, "button-plain button-danger");
      const no = make("button", button.dataset.confirmKeep, "button-plain");
      const choice = make("div", "", "ask-do");
      choice.append(no, yes);
      dialog.append(question, choice);
      document.body.append(dialog);
      no.onclick = () => dialog.close();
      dialog.onclose = () => { dialog.remove(); button.focus(); };
      yes.onclick = () => {
        button.form.append(Object.assign(make("input", ""), { type: "hidden", name: "confirmed", value: "yes" }));
        button.form.requestSubmit(button);
      };
      dialog.showModal();
    });
  }

  // Narrow a table while typing; Enter asks the server, which knows all pages.
  function narrow(box) {
    const table = document.getElementById(box.dataset.filter);
    if (!table) return;
    const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    box.addEventListener("input", () => {
      const words = plain(box.value).split(/\s+/);
      for (const row of table.tBodies[0].rows) row.hidden = !words.every((word) => plain(row.textContent).includes(word));
    });
  }

  // A menu closes when one looks elsewhere.
  function closeMenus(except) {
    for (const menu of all("details.menu[open]")) if (!menu.contains(except)) menu.open = false;
  }
  document.addEventListener("click", (click) => closeMenus(click.target));
  document.addEventListener("keydown", (key) => {
    const menu = key.key === "Escape" && document.activeElement?.closest("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // On a phone the tab that one is on may lie outside the row.
  function showTab(tab) {
    const row = tab.closest(".tabs");
    const [here, there] = [row, tab].map((one) => one.getBoundingClientRect());
    row.scrollLeft += there.left - here.left - (here.width - there.width) / 2;
  }

  all(".tabs [aria-current]").forEach(showTab);
  all("[data-live]").forEach(follow);
  all("[data-copy]").forEach(offerCopy);
  all("[data-confirm]").forEach(askFirst);
  all("[data-filter]").forEach(narrow);
})();
