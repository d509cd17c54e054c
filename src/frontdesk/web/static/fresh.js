// Reloads the parts marked data-fresh="name" when the live stamp shows that they are out of date.
(() => {
  "use strict";
  const stamp = document.querySelector("[data-fresh-stamp]");
  if (!stamp || !window.MutationObserver) return;
  const PAUSE = 1500;
  let last = stamp.textContent;
  let waiting = 0;
  let busy = false;

  const inUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]");
  async function fetchAnew() {
    waiting = 0;
    if (busy) return later();
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok || answer.redirected) return;
      const html = (await answer.text()).replace(/<style[\s\S]*?<\/style>/g, ""); // its nonce is that of another page
      const page = new DOMParser().parseFromString(html, "text/html");
      for (const part of document.querySelectorAll("[data-fresh]")) {
        const other = page.querySelector(`[data-fresh="${CSS.escape(part.dataset.fresh)}"]`);
        if (other && !inUse(part) && part.innerHTML !== other.innerHTML) part.replaceChildren(...other.childNodes);
      }
      document.dispatchEvent(new Event("fresh"));
    } catch {
      return; // offline: the next change tries again
    } finally {
      busy = false;
    }
  }
  const later = () => { waiting ||= setTimeout(fetchAnew, PAUSE); };
  new MutationObserver(() => {
    if (stamp.textContent === last) return;
    last = stamp.textContent;
    later();
  }).observe(stamp, { childList: true, characterData: true, subtree: true });
})();
