// Searches while the user types: rows from the server replace those on the page.
(() => {
  "use strict";
  const box = document.querySelector("[data-search]");
  const found = document.querySelector("[data-found]");
  if (!box || !found) return;
  const PAUSE = 150;
  let waiting = 0;
  let asked = null;

  async function search() {
    asked?.abort();
    asked = new AbortController();
    const url = new URL(box.form.action);
    if (box.value.trim()) url.searchParams.set("q", box.value.trim());
    try {
      const answer = await fetch(url, { headers: { accept: "text/html" }, signal: asked.signal });
      if (!answer.ok || answer.redirected) return;
      const html = (await answer.text()).replace(/<style[\s\S]*?<\/style>/g, ""); // its nonce is that of another page
      const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-found]");
      if (!fresh) return;
      found.replaceChildren(...fresh.childNodes);
      history.replaceState(null, "", url);
    } catch {
      return; // another key was pressed, or offline: Enter still submits the form
    }
  }
  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, PAUSE);
  });
})();
