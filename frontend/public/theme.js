// Runs before first paint, so that a dark screen never flashes light. The same keys are read by src/lib/preferences.ts.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("ks.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    root.lang = localStorage.getItem("ks.language") || (navigator.language.startsWith("it") ? "it" : "en");
  } catch {
    root.lang = "en";
  }
})();
