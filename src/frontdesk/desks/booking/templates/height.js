(() => {
  "use strict";
  const page = document.documentElement;
  // A page without a fragment is a new step: the page around it shows its top.
  const tell = (isNew) =>
    parent.postMessage({ frontdeskHeight: page.offsetHeight, frontdeskNew: isNew === true }, "*");
  document.body.style.minHeight = "0";
  new ResizeObserver(tell).observe(page);
  tell(!location.hash);
})();
