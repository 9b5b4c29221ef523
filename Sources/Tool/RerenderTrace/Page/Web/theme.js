// SPDX-License-Identifier: MIT
// Light or dark: the system's choice, unless the reader made one. On paper it is always light.

/** Joins the switch; `changed` is called after the colours changed. */
function joinTheme(changed) {
  const choice = $("theme");
  const apply = (theme) => {
    if (theme === "") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    changed();
  };
  try {
    choice.value = localStorage.getItem("rerender-theme") ?? "";
  } catch {
    // A page opened from disk may not be allowed to remember anything.
  }
  if (choice.value !== "") apply(choice.value);
  choice.addEventListener("change", () => {
    apply(choice.value);
    try {
      localStorage.setItem("rerender-theme", choice.value);
    } catch {
      // As above.
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(choice.value));
}
