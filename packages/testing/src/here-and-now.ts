const STEPS = 20_000_000
/** What they take on one core of 2.5 GHz that has nothing else to do. */
const ALONE_MS = 28
const LOOKS = 5

/**
 * So many milliseconds of a machine of one's own, in those of this one: neighbours and other tests may take most of it,
 * and a promise about time is kept all the same.
 */
export function hereAndNow(milliseconds: number): number {
  return milliseconds * Math.max(1, ...Array.from({ length: LOOKS }, slowness))
}

function slowness(): number {
  const started = performance.now()
  let kept = 1
  for (let step = 0; step < STEPS; step += 1) kept = (Math.imul(kept, 1_664_525) + 1_013_904_223) | 0
  // Looked at, or the engine would leave the work out.
  return kept === 0 ? 1 : (performance.now() - started) / ALONE_MS
}
