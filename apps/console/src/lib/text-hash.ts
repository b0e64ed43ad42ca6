/** Identifies a text: FNV-1a with two different start values. */
export function textHash(text: string): string {
  return [0x811c9dc5, 0x01000193].map((start) => hash(text, start).toString(36)).join('-')
}

function hash(text: string, start: number): number {
  let value = start
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
