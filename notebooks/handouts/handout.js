(function () {
  "use strict";
  for (const box of document.querySelectorAll(".source, .prose .highlight")) {
    const code = box.querySelector("pre");
    if (!code) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = code.textContent;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // a page opened from a file may have no clipboard: select and copy as of old
        const range = document.createRange();
        range.selectNodeContents(code);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    box.append(button);
  }
  const contents = document.querySelector("nav.contents details");
  if (contents && matchMedia("(max-width: 70rem)").matches) contents.open = false;
})();
