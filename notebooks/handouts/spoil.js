// "Spoil it": a mistake in a section, and the question which of its ticks turns red. Until the reader answers, the ticks stand open.
for (const box of document.querySelectorAll(".spoil")) {
  const plant = box.querySelector("button"), body = box.querySelector("div"), answer = body.querySelector("button"), told = body.querySelector("[role=status]");
  const ticks = [...body.querySelectorAll("input")].map((input) => ({ input, claim: input.parentElement.textContent.trim(), line: document.getElementById(input.dataset.cell).querySelectorAll("[data-prl-check]")[input.dataset.at] }));
  let kept = []; // signs that are changed, as they were

  const sign = (at, text, name, colour) => {
    if (!at) return;
    if (!kept.some((k) => k.at === at)) kept.push({ at, text: at.textContent, name: at.getAttribute("aria-label"), colour: at.style.color });
    at.textContent = text;
    at.setAttribute("aria-label", name);
    at.style.color = colour;
  };
  const restore = () => {
    for (const k of kept) {
      k.at.textContent = k.text;
      k.at.setAttribute("aria-label", k.name);
      k.at.style.color = k.colour;
    }
    kept = [];
  };
  const signs = (tick) => [tick.line, tick.line?.closest("details.prl-proofs")?.firstElementChild].map((n) => n?.querySelector("span[role=img]"));
  const say = (word, text) => {
    const line = document.createElement("p"), head = document.createElement("b");
    head.textContent = word;
    line.append(head, " " + text);
    told.append(line);
  };
  const found = (tick) => (tick.input.dataset.red ? ` (${tick.input.dataset.red}).` : ".");

  plant.addEventListener("click", () => {
    const open = body.hidden;
    restore();
    told.replaceChildren();
    body.hidden = !open;
    plant.setAttribute("aria-expanded", open);
    plant.textContent = open ? "Put it right" : "Spoil it";
    answer.disabled = true;
    for (const tick of ticks) {
      tick.input.checked = tick.input.disabled = false;
      tick.input.parentElement.className = "";
      if (open) for (const at of signs(tick)) sign(at, "?", "not known yet", "inherit");
    }
  });
  body.addEventListener("change", () => { answer.disabled = false; });
  answer.addEventListener("click", () => {
    const chosen = ticks.find((tick) => tick.input.checked), red = ticks.filter((tick) => "red" in tick.input.dataset);
    restore();
    answer.disabled = true;
    for (const tick of ticks) {
      tick.input.disabled = true;
      if (!red.includes(tick)) continue;
      tick.input.parentElement.className = "red";
      for (const at of signs(tick)) sign(at, "✗", "does not hold", "var(--bad)");
    }
    if (red.includes(chosen)) say("Right.", "This tick turns red" + found(chosen));
    else say("No.", "“" + chosen.claim + "” still holds.");
    for (const tick of red) if (tick !== chosen) say(red.includes(chosen) ? "So does" : "Red is", "“" + tick.claim + "”" + found(tick));
  });
  box.hidden = false;
}
