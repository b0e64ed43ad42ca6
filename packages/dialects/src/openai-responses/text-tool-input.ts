import { asJsonObject } from '../json/json-object.ts'

/**
 * A tool that takes plain text is offered to other vendors as a function of one `input`, so the canonical arguments of
 * its calls are JSON of that shape.
 */
export function argumentsOf(input: string): string {
  return JSON.stringify({ input })
}

/** The plain text in a call's arguments. A model that ignored the shape meant all it wrote. */
export function inputOf(written: string): string {
  try {
    const input = asJsonObject(JSON.parse(written))?.input
    return typeof input === 'string' ? input : written
  } catch {
    return written
  }
}

/** The pieces of the same JSON, for a call whose text arrives bit by bit. */
export const INPUT_START = '{"input":"'
export const INPUT_END = '"}'

export function inputPiece(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
