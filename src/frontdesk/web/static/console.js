// Behaviour of all console pages, which also work without this file.
(() => {
  "use strict";
  const all = (selector) => document.querySelectorAll(selector);
  const make = (tag, text, className = "") => Object.assign(document.createElement(tag), { textContent: text, className });

  // Asks before an action that cannot be undone: <button data-confirm="question">.
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

  // Closes menus on a click elsewhere and on Escape.
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

  // Scrolls to the current tab, which may be out of view on a phone.
  function showTab(tab) {
    const row = tab.closest(".tabs");
    const [here, there] = [row, tab].map((one) => one.getBoundingClientRect());
    row.scrollLeft += there.left - here.left - (here.width - there.width) / 2;
  }

  all(".tabs [aria-current]").forEach(showTab);
  all("[data-confirm]").forEach(askFirst);
})();
