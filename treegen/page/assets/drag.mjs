// Drag a peg by pointer events, which serve mouse, pen and touch alike.

const FAR = 6;

// Follow a pointer that went down on an element; once it has moved, `drop` gets the number of the
// hole where it was lifted, undefined where there is none. The hole under the pointer shows it.
export const dragPeg = (event, element, drop) => {
  if (event.button) return;
  const start = [event.clientX, event.clientY];
  let ghost = null;
  const move = (at) => {
    if (at.pointerId !== event.pointerId) return;
    if (!ghost && Math.hypot(at.clientX - start[0], at.clientY - start[1]) < FAR) return;
    if (!ghost) {
      ghost = element.cloneNode(true);
      ghost.classList.add("ghost");
      delete ghost.dataset.slot;
      document.body.append(ghost);
    }
    ghost.style.left = `${at.clientX}px`;
    ghost.style.top = `${at.clientY}px`;
    aim(findHole(at));
  };
  const end = (at) => {
    if (at.pointerId !== event.pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!ghost) return;
    ghost.remove();
    aim();
    if (at.type !== "pointerup") return;
    swallowClick();
    const target = findHole(at);
    drop(target ? Number(target.dataset.slot) : undefined);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
};

// The hole at a point, or the nearest one of the row there.
const findHole = ({ clientX, clientY }) => {
  const at = document.elementFromPoint(clientX, clientY);
  const distance = (hole) => {
    const { left, right } = hole.getBoundingClientRect();
    return Math.abs(clientX - (left + right) / 2);
  };
  return at?.closest("[data-slot]")
    ?? [...(at?.closest(".current")?.querySelectorAll("[data-slot]") ?? [])].sort((a, b) => distance(a) - distance(b))[0];
};

const aim = (hole) => {
  for (const one of document.querySelectorAll(".aimed")) if (one !== hole) one.classList.remove("aimed");
  hole?.classList.add("aimed");
};

// The click that ends a drag is none.
const swallowClick = () => {
  const swallow = (click) => click.stopPropagation();
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
};
