// Zoom for an icicle or a sunburst: click a state, or Enter; arrow keys move, Escape shows all.
// Above what is enlarged a path leads back, one state after the other.
(() => {
  const svg = document.currentScript.closest("svg");
  const group = svg.querySelector("#states");
  const isRound = svg.dataset.kind === "sunburst";
  const states = [...group.querySelectorAll("path")].map((path) => {
    const [start, width, level] = path.dataset.state.split(" ").map(Number);
    return { path, start, width, level, drawn: path.getAttribute("d"), name: path.firstChild.textContent.split("\n")[0] };
  });
  const labels = svg.querySelectorAll('[id^="label-"], #tiles');
  const { x, y, width: wide, height: high } = states[0].path.getBBox();
  const unit = isRound ? wide / 1.2 : high;
  const names = document.createElementNS(svg.namespaceURI, "g");
  names.setAttribute("style", "font: 10px sans-serif; text-anchor: middle; pointer-events: none");
  const crumbs = document.createElementNS(svg.namespaceURI, "text");
  crumbs.setAttribute("id", "crumbs");
  crumbs.setAttribute("style", "font: 9px sans-serif; fill: #0b5c9e");
  crumbs.setAttribute("x", .03 * svg.viewBox.baseVal.width);
  crumbs.setAttribute("y", 75);
  group.after(names, crumbs);
  let shown = states[0];

  const point = (angle, radius) =>
    `${x + wide / 2 + radius * Math.sin(angle)} ${y + high / 2 - radius * Math.cos(angle)}`;
  // A whole ring is two circles: a sector would show where it begins.
  const circle = (radius, sweep) => `M${point(0, radius)}A${radius} ${radius} 0 1 ${sweep} ${point(Math.PI, radius)}` +
    `A${radius} ${radius} 0 1 ${sweep} ${point(0, radius)}z`;
  const sector = (from, to, inner, outer) => {
    if (to - from > 2 * Math.PI - 1e-6) return circle(outer, 1) + (inner ? circle(inner, 0) : "");
    const large = to - from > Math.PI ? 1 : 0;
    return `M${point(from, outer)}A${outer} ${outer} 0 ${large} 1 ${point(to, outer)}` +
      `L${point(to, inner)}A${inner} ${inner} 0 ${large} 0 ${point(from, inner)}z`;
  };
  const outline = (start, width, level) => {
    if (!isRound) return `M${x + start * wide} ${y + (level - 1) * unit}h${Math.max(width * wide, .6)}v${unit}H${x + start * wide}z`;
    const [inner, outer] = level === 1 ? [0, .6] : [level - 1.4, level - .4];
    return sector(2 * Math.PI * start, 2 * Math.PI * (start + width), inner * unit, outer * unit);
  };

  // Along the radius, or turned along the ring where there is more room.
  const write = (text, start, width, level) => {
    const middle = start + width / 2;
    const length = text.length * 5.8 + 6;
    const across = isRound ? 2 * unit * (level - 1.4) * Math.tan(Math.PI * Math.min(width, .45)) : unit;
    const isWhole = isRound && level === 1;
    const isTurned = isRound && length > unit && across > length;
    const [room, height] = isRound && !isTurned ? [unit, across] : [isRound ? across : width * wide, unit];
    if (!isWhole && (length > room || height < 12)) return;
    const name = document.createElementNS(svg.namespaceURI, "text");
    const isLeft = middle > .5, isBelow = middle > .25 && middle < .75;
    const angle = 360 * middle - (isTurned ? isBelow * 180 : isLeft ? -90 : 90);
    const [at, turn] = isWhole ? [[x + wide / 2, y + high / 2 + 3], 0]
      : isRound ? [point(2 * Math.PI * middle, (level - .9) * unit).split(" ").map(Number), angle]
        : [[x + middle * wide, y + (level - .5) * unit + 3], 0];
    name.setAttribute("transform", `translate(${at.join()}) rotate(${turn}) translate(0 ${isRound && !isWhole ? 3 : 0})`);
    name.textContent = text;
    names.append(name);
  };

  const showPath = (to) => {
    const above = states.filter((one) => one.level <= to.level && isInside(to, one));
    crumbs.replaceChildren(...above.length < 2 ? [] : above.flatMap((one) => {
      const step = document.createElementNS(svg.namespaceURI, "tspan");
      step.textContent = one.name;
      if (one === to) return [step];
      step.setAttribute("style", "cursor: pointer; text-decoration: underline");
      step.addEventListener("click", () => zoom(one));
      return [step, " › "];
    }));
  };

  const zoom = (to) => {
    shown = to;
    names.replaceChildren();
    showPath(to);
    for (const label of labels) label.style.display = to === states[0] ? "" : "none";
    for (const { path, start, width, level, drawn, name } of states) {
      const from = Math.max(0, (start - to.start) / to.width);
      const share = Math.min(1, (start + width - to.start) / to.width) - from;
      const isSeen = share > 1e-9;
      path.style.display = isSeen ? "" : "none";
      if (!isSeen) continue;
      path.setAttribute("d", to === states[0] ? drawn : outline(from, share, level));
      if (to !== states[0]) write(name, from, share, level);
    }
  };

  const isInside = (inner, outer) =>
    inner.start >= outer.start - 1e-9 && inner.start + inner.width <= outer.start + outer.width + 1e-9;
  const neighbor = (from, key) => {
    const row = (level) => states.filter((one) => one.level === level && one.path.style.display !== "none");
    const peers = row(from.level).sort((a, b) => a.start - b.start);
    return {
      ArrowLeft: () => peers[peers.indexOf(from) - 1], ArrowRight: () => peers[peers.indexOf(from) + 1],
      ArrowUp: () => row(from.level - 1).find((one) => isInside(from, one)),
      ArrowDown: () => row(from.level + 1).find((one) => isInside(one, from)),
    }[key]?.();
  };
  const focus = (to) => {
    for (const { path } of states) path.setAttribute("tabindex", path === to.path ? "0" : "-1");
    to.path.focus();
  };

  for (const one of states) {
    one.path.setAttribute("tabindex", one === states[0] ? "0" : "-1");
    one.path.style.cursor = "pointer";
    one.path.addEventListener("click", () => zoom(one === shown ? states.find((up) => up.level === one.level - 1 && isInside(one, up)) ?? states[0] : one));
    one.path.addEventListener("keydown", (event) => {
      const to = neighbor(one, event.key);
      if (to) focus(to);
      else if (event.key === "Enter") zoom(one);
      else if (event.key === "Escape") zoom(states[0]);
      else return;
      event.preventDefault();
    });
  }
})();
