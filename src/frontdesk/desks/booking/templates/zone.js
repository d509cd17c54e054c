(() => {
  "use strict";
  // Offers the visitor's own zone, which the server cannot know.
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const select = document.getElementById("zone");
  if (!own || !select || [...select.options].some((one) => one.value === own)) return;
  const label = own.split("/").pop().replaceAll("_", " ");
  select.add(new Option(label, own), 1);
})();
