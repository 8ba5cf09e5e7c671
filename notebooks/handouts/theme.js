// The colours that the reader has chosen on another page of the course, before anything of this one is painted.
try {
  const theme = localStorage.getItem("prl-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* a page opened from a file may have no memory */ }
