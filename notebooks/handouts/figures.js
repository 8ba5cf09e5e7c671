// Figures come alive when their stills are there. A page lets no handler inside an element run, so they are watched from here.
for (const still of document.querySelectorAll("img.prl-figure")) {
  const join = () => {
    (window.prlQueue = window.prlQueue || []).push(still);
    if (window.PrlPlot) window.PrlPlot.drain();
  };
  if (still.complete) join();
  else still.addEventListener("load", join);
}
