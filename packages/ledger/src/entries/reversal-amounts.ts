/** What was taken back for one account: the whole of it, and what the balance did not cover. */
export interface Reversed {
  reversed: number
  owed: number
}

/** The part of an amount that belongs to a part of the money, rounded down; all of it for all of the money. */
export function shareOf(amount: number, part: bigint, whole: bigint): number {
  if (whole <= 0n || part >= whole) return part > 0n ? amount : 0
  return Number((BigInt(amount) * part) / whole)
}

/**
 * Moves an account to a new target. What is missing in the balance is owed; a lower target first reduces what is owed and
 * then returns credit. `amount` is what the balance changes by; it never takes more than the balance holds.
 */
export function moveReversal(
  { reversed, owed }: Reversed,
  target: number,
  balance: number,
): Reversed & { amount: number } {
  const difference = target - reversed
  const due = owed + difference
  const returned = Math.max(0, -due)
  const taken = Math.min(Math.max(0, due), Math.max(0, balance))
  return { reversed: target, owed: Math.max(0, due) - taken, amount: returned - taken }
}
