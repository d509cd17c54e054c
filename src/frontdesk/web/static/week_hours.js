// Draws the hours of each day as a strip on which staff paint. The fields work without this file.
(() => {
  "use strict";
  const week = document.querySelector("[data-week]");
  if (!week) return;
  const STEP = 30;
  const CELLS = 48;
  const clock = (minutes) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;

  function parse(text) {
    const found = [...text.matchAll(/(\d{1,2})(?::(\d\d))?\s*[-–]\s*(\d{1,2})(?::(\d\d))?/g)];
    return found.map(([, h, m = 0, until, past = 0]) => [h * 60 + Number(m), until * 60 + Number(past)]).map(([start, end]) => [start, end > start ? end : end + 1440]);
  }
  function written(cells) {
    const ranges = [];
    cells.forEach((isOpen, index) => {
      const last = ranges.at(-1);
      if (!isOpen) return;
      if (last?.[1] === index * STEP) last[1] += STEP;
      else ranges.push([index * STEP, (index + 1) * STEP]);
    });
    return ranges.map(([start, end]) => `${clock(start)}-${clock(end)}`).join(" ");
  }

  for (const row of week.querySelectorAll(".week-row")) {
    const input = row.querySelector("input");
    const strip = Object.assign(document.createElement("div"), { className: "week-strip" });
    strip.setAttribute("aria-hidden", "true");
    const cells = Array.from({ length: CELLS }, () => strip.appendChild(document.createElement("i")));
    row.querySelector("input").after(strip);
    const draw = () => {
      const ranges = parse(input.value);
      cells.forEach((cell, index) => cell.classList.toggle("is-open", ranges.some(([start, end]) => start < (index + 1) * STEP && index * STEP < end)));
    };
    let from = -1;
    let before = [];
    let opens = true;
    const at = (event) => {
      const box = strip.getBoundingClientRect();
      return Math.max(0, Math.min(CELLS - 1, Math.floor(((event.clientX - box.left) / box.width) * CELLS)));
    };
    const paint = (event) => {
      const [start, end] = [from, at(event)].sort((a, b) => a - b);
      input.value = written(before.map((isOpen, index) => (index >= start && index <= end ? opens : isOpen)));
      draw();
    };
    strip.addEventListener("pointerdown", (event) => {
      if (week.disabled) return;
      strip.setPointerCapture(event.pointerId);
      from = at(event);
      before = cells.map((cell) => cell.classList.contains("is-open"));
      opens = !before[from];
      paint(event);
    });
    strip.addEventListener("pointermove", (event) => { if (from >= 0) paint(event); });
    for (const end of ["pointerup", "pointercancel"]) strip.addEventListener(end, () => { from = -1; });
    input.addEventListener("input", draw);
    draw();
  }
  const hours = Object.assign(document.createElement("div"), { className: "week-row" });
  const scale = Object.assign(document.createElement("div"), { className: "week-hours" });
  for (let hour = 0; hour < 24; hour += 3) scale.append(Object.assign(document.createElement("span"), { textContent: hour }));
  hours.setAttribute("aria-hidden", "true");
  hours.append(document.createElement("span"), document.createElement("span"), scale);
  week.append(hours);

  const same = document.querySelector("[name=same]");
  const follow = () => { week.disabled = same.checked; };
  if (same) {
    same.addEventListener("change", follow);
    follow();
  }
})();
