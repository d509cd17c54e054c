// Copies a text: <button data-copy="id">.
(() => {
  "use strict";
  function offerCopy(button) {
    const words = button.querySelector("span") ?? button;
    const before = words.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      words.textContent = button.dataset.copied;
      document.getElementById("announce").textContent = button.dataset.copied;
      setTimeout(() => { words.textContent = before; }, 2000);
    });
  }
  document.querySelectorAll("[data-copy]").forEach(offerCopy);
})();
