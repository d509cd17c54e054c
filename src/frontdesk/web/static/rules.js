// Checks the rules while somebody types, and numbers the lines. Preview and Save check as well.
(() => {
  "use strict";
  const editor = document.querySelector("[data-check]");
  const area = editor?.querySelector("textarea[data-rules]");
  if (!area) return;
  const target = editor.querySelector("[data-checked]");
  const make = (name, className) => Object.assign(document.createElement(name), { className });
  const numbers = make("div", "rules-numbers");
  numbers.setAttribute("aria-hidden", "true");
  const frame = make("div", "rules-gutter");
  area.replaceWith(frame);
  frame.append(numbers, area);
  const says = make("p", "rules-says");
  says.setAttribute("role", "status");
  frame.after(says);

  const wrong = () => new Set([...target.querySelectorAll(".line-wrong")].map((one) => Number(one.dataset.line)));

  function number() {
    const marked = wrong();
    // Each number is beside a hidden copy of its line.
    numbers.replaceChildren(...area.value.split("\n").map((text, index) => {
      const line = document.createElement(marked.has(index + 1) ? "mark" : "span");
      line.append(text || " ");
      line.dataset.number = index + 1;
      return line;
    }));
    numbers.style.width = `${area.clientWidth}px`;
    numbers.style.height = `${area.clientHeight}px`;
    numbers.scrollTop = area.scrollTop;
  }

  // Each line number becomes a button that goes to its line.
  function link() {
    for (const item of target.querySelectorAll("[data-line]")) {
      const label = item.querySelector(".line-number");
      if (!label?.textContent) continue;
      const button = Object.assign(document.createElement("button"), { type: "button", className: label.className, textContent: label.textContent });
      button.setAttribute("aria-label", `Go to line ${item.dataset.line}`);
      button.addEventListener("click", () => show(Number(item.dataset.line)));
      label.replaceWith(button);
    }
  }
  function show(line) {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    area.scrollTop = numbers.children[Math.max(0, line - 4)]?.offsetTop;
  }

  // The list of mistakes may be out of view.
  function tell() {
    const lines = [...wrong()];
    says.classList.toggle("is-wrong", lines.length > 0);
    says.textContent = lines.length === 0 ? "No mistakes." : `${lines.length === 1 ? "A mistake in line" : "Mistakes in lines"} ${lines.join(", ")}. `;
    if (lines.length === 0) return;
    const go = Object.assign(document.createElement("button"), { type: "button", className: "button-quiet", textContent: `Go to line ${lines[0]}` });
    go.addEventListener("click", () => show(lines[0]));
    says.append(go);
  }

  let timer = 0;
  let asked = 0;
  async function check() {
    const turn = ++asked;
    const body = new FormData();
    body.set("text", area.value);
    const answer = await fetch(editor.dataset.check, { method: "POST", body, headers: { "x-csrf-token": editor.dataset.csrf } }).catch(() => null);
    if (!answer?.ok || turn !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    target.replaceChildren(...page.body.childNodes);
    link();
    number();
    tell();
  }
  area.addEventListener("input", () => {
    number();
    clearTimeout(timer);
    timer = setTimeout(check, 400);
  });
  area.addEventListener("scroll", () => { numbers.scrollTop = area.scrollTop; });
  // A tab is a mistake in YAML. Escape lets the keyboard leave the editor.
  let leaves = false;
  area.addEventListener("keydown", (key) => {
    if (key.key === "Escape") leaves = true;
    else if (key.key === "Tab" && !key.shiftKey && !leaves) {
      key.preventDefault();
      area.setRangeText("  ", area.selectionStart, area.selectionEnd, "end");
      area.dispatchEvent(new Event("input"));
    } else leaves = false;
  });
  new ResizeObserver(number).observe(area);
  link();
  number();
  tell();
})();
