// Updates counts live: <… data-live="/url"> and <… data-live-key="id">.
(() => {
  "use strict";
  const all = (selector) => document.querySelectorAll(selector);

  // Announces changes to screen readers, at most every two seconds.
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
    let lost = 0;
    let wait = 2000;
    const show = (on) => {
      clearTimeout(lost);
      lost = 0;
      sign.classList.toggle("live-on", on);
      const words = sign.querySelector("[data-live-state]");
      if (words) words.textContent = on ? sign.dataset.liveOn : sign.dataset.liveLost;
    };
    const close = () => {
      clearTimeout(retry);
      clearTimeout(lost);
      lost = 0;
      source?.close();
      source = null;
    };
    function open() {
      close();
      source = new EventSource(sign.dataset.live);
      source.onopen = () => { wait = 2000; show(true); };
      source.addEventListener("count", (message) => apply(JSON.parse(message.data)));
      source.onerror = () => {
        if (source.readyState !== EventSource.CLOSED) {
          // The browser reconnects by itself. On AWS each response ends, and the browser polls every ten seconds.
          lost ||= setTimeout(() => show(false), 15000);
          return;
        }
        show(false);
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

  all("[data-live]").forEach(follow);
})();
