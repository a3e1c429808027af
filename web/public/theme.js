// Sets the theme before the first paint: that of the address, else the stored choice, else the system's.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem("tensortap.theme");
  } catch (_) {
    // No storage: the system's theme.
  }
  var asked = /[?&]theme=(light|dark)\b/.exec(location.hash);
  var system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = asked ? asked[1] : stored === "light" || stored === "dark" ? stored : system;
})();
