// Scans a guest's code with the camera, if the browser supports it. The list works without it.
(() => {
  "use strict";
  const button = document.querySelector("[data-scan]");
  const view = document.querySelector("[data-scan-view]");
  const says = document.querySelector("[data-scan-says]");
  if (!button || !view || !("BarcodeDetector" in window) || !navigator.mediaDevices) return;
  const words = button.querySelector("span");
  const begin = words.textContent;
  const tokenIn = /\/(?:l|console\/door)\/([A-Za-z0-9_-]{16,100})(?:[?#/]|$)/;
  let stream = null;
  button.hidden = false;

  function stop() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    view.replaceChildren();
    view.hidden = true;
    words.textContent = begin;
  }
  async function look(detector, video) {
    if (!stream) return;
    for (const code of await detector.detect(video).catch(() => [])) {
      const found = tokenIn.exec(code.rawValue);
      if (found) {
        stop();
        location.assign(button.dataset.scan + found[1]);
        return;
      }
    }
    setTimeout(() => look(detector, video), 200);
  }
  async function start() {
    says.textContent = "";
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    } catch {
      says.textContent = button.dataset.scanNone;
      return;
    }
    const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, srcObject: stream });
    video.setAttribute("aria-label", begin);
    video.width = 400;
    view.replaceChildren(video);
    view.hidden = false;
    words.textContent = button.dataset.scanStop;
    await video.play();
    look(new BarcodeDetector({ formats: ["qr_code"] }), video);
  }
  button.addEventListener("click", () => (stream ? stop() : start()));
  window.addEventListener("pagehide", stop);
})();
