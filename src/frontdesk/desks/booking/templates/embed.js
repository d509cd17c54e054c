(() => {
  "use strict";
  // Puts the booking page in the place of this script. The frame tells its height, and when it
  // shows another step: its top may be out of sight then.
  const script = document.currentScript;
  const site = new URL(script.src);
  const frame = document.createElement("iframe");
  frame.src = new URL("/book/embed" + (script.dataset.page || ""), site).href;
  frame.title = script.dataset.title || "Book an appointment";
  frame.style.cssText = "border:0;width:100%;min-height:640px;display:block";
  let isOpen = false;
  addEventListener("message", ({ source, origin, data }) => {
    const height = data && data.frontdeskHeight;
    if (source !== frame.contentWindow || origin !== site.origin || !(height > 0)) return;
    frame.style.minHeight = "0";
    frame.style.height = Math.min(Math.ceil(height), 20000) + "px";
    if (isOpen && data.frontdeskNew && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
    isOpen = true;
  });
  script.after(frame);
})();
