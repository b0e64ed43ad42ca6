import { setImmediate } from 'node:timers/promises'

/** From this length on, a step of a request takes several milliseconds. */
export const LONG_TEXT = 256 * 1024

let lastTurn = Promise.resolve()

/**
 * Yields to the event loop. One waiting request continues per iteration of the loop: if all continued in the same one,
 * they would block everything else together.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/**
 * Yields between two steps of a request with a long text, so that other streams continue. Undefined, without a wait,
 * for short texts.
 */
export function yieldIfLarge(characters: number): Promise<void> | undefined {
  return characters < LONG_TEXT ? undefined : nextTurn()
}
