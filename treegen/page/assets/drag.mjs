// Drag a peg by pointer events, which serve mouse, pen and touch alike.

const FAR = 6;

// Follow a pointer that went down on an element; once it has moved, `drop` gets the number of the
// hole where it was lifted, undefined where there is none.
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
  };
  const end = (at) => {
    if (at.pointerId !== event.pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!ghost) return;
    ghost.remove();
    if (at.type !== "pointerup") return;
    swallowClick();
    const target = document.elementFromPoint(at.clientX, at.clientY)?.closest("[data-slot]");
    drop(target ? Number(target.dataset.slot) : undefined);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
};

// The click that ends a drag is none.
const swallowClick = () => {
  const swallow = (click) => click.stopPropagation();
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
};
