/** Seconds of sound as the tokens they are billed as. All round half up. */

/** A transcription: a thousand for every minute, begun seconds counting in full. */
export function transcriptionTokens(seconds: number): number {
  return Math.floor((Math.ceil(seconds) * 1000 + 30) / 60)
}

/** What a realtime session hears: 0.06 USD a minute at 100 USD for a million tokens. */
export function heardTokens(seconds: number): number {
  return Math.round((seconds * 100) / 3.6)
}

/** What a realtime session says: 0.24 USD a minute at 200 USD for a million tokens. */
export function spokenTokens(seconds: number): number {
  return Math.round((seconds * 200) / 14.4)
}
