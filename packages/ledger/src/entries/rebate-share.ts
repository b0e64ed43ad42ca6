/** The share of an amount, rounded down. Percentages are whole basis points, so the arithmetic is of integers. */
export function rebateShare(amount: number, percentage: number): number {
  const basisPoints = BigInt(Math.round(percentage * 100))
  return Number((BigInt(amount) * basisPoints) / 10_000n)
}
