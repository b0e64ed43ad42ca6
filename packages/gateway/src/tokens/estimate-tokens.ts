import { LONG_TEXT, turnFor } from './yield-event-loop.ts'

/** A cheap guess at the tokens of some texts, for holding credit: four Latin letters or one other character each. */
export function estimateTokens(texts: readonly string[]): number {
  let quarters = 0
  for (const text of texts) quarters += isAscii(text) ? text.length : quartersIn(text, 0, text.length)
  return Math.ceil(quarters / 4)
}

/** Asked of the engine, which looks at many letters at once. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** The same guess for texts of any length, in pieces between which others get a turn. */
export async function estimateInTurns(texts: readonly string[]): Promise<number> {
  let quarters = 0
  let sinceTurn = 0
  for (const text of texts) {
    for (let from = 0; from < text.length; from += LONG_TEXT) {
      const to = Math.min(text.length, from + LONG_TEXT)
      quarters += quartersIn(text, from, to)
      sinceTurn += to - from
      const turn = turnFor(sinceTurn)
      if (!turn) continue
      await turn
      sinceTurn = 0
    }
  }
  return Math.ceil(quarters / 4)
}

function quartersIn(text: string, from: number, to: number): number {
  let quarters = 0
  for (let at = from; at < to; at += 1) quarters += text.charCodeAt(at) < 128 ? 1 : 4
  return quarters
}
