// Numbers as people read them; tables sort by the values, not by these.

const WHOLE = new Intl.NumberFormat("en");

function number(value) {
  const size = Math.abs(value);
  if (size >= 100) return WHOLE.format(Math.round(value));
  if (size >= 0.01 || size === 0) return value.toFixed(3);
  return value.toPrecision(2);
}

function probability(value) {
  return value >= 0.001 ? value.toFixed(3) : value.toExponential(1);
}

// The smallest p that the randomisations can show: with more of them p might be smaller.
function isAtFloor(value, floor) {
  return typeof floor === "number" && value <= floor * (1 + 1e-6);
}

function count(value, noun) {
  return `${WHOLE.format(value)} ${noun}${value === 1 ? "" : "s"}`;
}
