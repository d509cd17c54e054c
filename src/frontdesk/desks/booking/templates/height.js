(() => {
  "use strict";
  const page = document.documentElement;
  const tell = () => parent.postMessage({ frontdeskHeight: page.offsetHeight }, "*");
  document.body.style.minHeight = "0";
  new ResizeObserver(tell).observe(page);
  tell();
})();
