// Filters a table while the user types: <input data-filter="id of the table">. Enter searches all pages on the server.
(() => {
  "use strict";
  function narrow(box) {
    const table = document.getElementById(box.dataset.filter);
    if (!table) return;
    const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    box.addEventListener("input", () => {
      const words = plain(box.value).split(/\s+/);
      for (const row of table.tBodies[0].rows) row.hidden = !words.every((word) => plain(row.textContent).includes(word));
    });
  }
  document.querySelectorAll("[data-filter]").forEach(narrow);
})();
