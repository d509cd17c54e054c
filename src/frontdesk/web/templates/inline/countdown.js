(() => {
  "use strict";
  // The server's clock decides: a phone that is wrong by an hour must not cost anybody a seat.
  const now = Date.parse(document.documentElement.dataset.now);
  const ahead = Number.isNaN(now) ? 0 : now - Date.now();

  function words(seconds) {
    const days = Math.floor(seconds / 86400);
    const hours = Math.floor(seconds / 3600) % 24;
    const minutes = Math.floor(seconds / 60) % 60;
    if (days) return `${days} d ${hours} h`;
    if (hours) return `${hours} h ${minutes} min`;
    if (seconds >= 300) return `${minutes} min`;
    return `${minutes} min ${seconds % 60} s`;
  }

  let next = 0;
  function tick() {
    clearTimeout(next);
    let soonest = Infinity;
    for (const time of document.querySelectorAll("time[data-countdown]")) {
      const seconds = Math.ceil((Date.parse(time.dateTime) - Date.now() - ahead) / 1000);
      if (Number.isNaN(seconds)) continue;
      if (seconds <= 0) {
        if (time.dataset.over) time.textContent = time.dataset.over;
        else time.querySelector(".countdown-left")?.remove();
        time.removeAttribute("data-countdown");
        continue;
      }
      let left = time.querySelector(".countdown-left");
      if (!left) {
        left = document.createElement("span");
        left.className = "countdown-left";
        time.append(" ", left);
      }
      left.textContent = time.dataset.left.replace("{}", words(seconds));
      soonest = Math.min(soonest, seconds);
    }
    if (soonest < Infinity) next = setTimeout(tick, soonest > 310 ? 10000 : 1000);
  }
  document.addEventListener("fresh", tick); // parts of the page were fetched again
  tick();
})();
