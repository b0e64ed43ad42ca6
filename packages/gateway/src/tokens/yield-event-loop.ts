import { setImmediate } from 'node:timers/promises'

/** Each step of a call takes a few milliseconds for a text of this length, and a book has many times as much. */
export const LONG_TEXT = 256 * 1024

let lastTurn = Promise.resolve()

/**
 * Lets the event loop do other work. One request goes on per turn of the loop: many that wait would otherwise all go on in
 * the same one, and hold up everybody else for as long as all of them take.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}

/**
 * A turn for everybody else between two steps of a call with a long text: all of them in one go would hold up the streams
 * of others. Nothing, without a wait, for the many calls whose text is short.
 */
export function yieldIfLarge(letters: number): Promise<void> | undefined {
  return letters < LONG_TEXT ? undefined : nextTurn()
}
