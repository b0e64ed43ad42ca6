import { randomBytes } from 'node:crypto'

const BITS = 64n

/** A whole number from `least` to `most`, each as likely as any other and none to be guessed. */
export function drawBetween(least: number, most: number): number {
  const count = BigInt(most) - BigInt(least) + 1n
  if (count <= 0n) throw new RangeError(`nothing lies between ${least} and ${most}`)
  // Numbers past the last whole multiple would favour the low end; node's randomInt stops at 48 bits, quota does not.
  const usable = 2n ** BITS - (2n ** BITS % count)
  for (;;) {
    const drawn = randomBytes(8).readBigUInt64BE()
    if (drawn < usable) return Number(BigInt(least) + (drawn % count))
  }
}
