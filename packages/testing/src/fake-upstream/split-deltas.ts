import { tokensOf } from './count-tokens.ts'

/** The pieces a text is streamed in: one model token each, or slices of the length a script asks for. */
export function deltasOf(text: string, length?: number): string[] {
  return length === undefined ? tokensOf(text) : slicesOf(text, length)
}

/** Slices by code points, so that a delta is always valid text. */
function slicesOf(text: string, length: number): string[] {
  const points = [...text]
  return Array.from({ length: Math.ceil(points.length / length) }, (_, index) =>
    points.slice(index * length, (index + 1) * length).join(''),
  )
}
