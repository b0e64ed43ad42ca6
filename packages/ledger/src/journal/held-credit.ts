import type { AccountId } from '../leases/lease-rows.ts'
import { hasOwnAccount, type Charge } from '../settlement/settlement.ts'

interface HeldAmount extends AccountId {
  readonly amount: number
}

/** The leased credit that a process holds by account, as its journal records it: never more than its leases. */
export class HeldCredit {
  readonly #users = new Map<number, number>()
  /** A token belongs to one user. */
  readonly #tokens = new Map<number, { userId: number; amount: number }>()

  of({ userId, tokenId }: AccountId): number {
    return (tokenId === 0 ? this.#users.get(userId) : this.#tokens.get(tokenId)?.amount) ?? 0
  }

  set({ userId, tokenId }: AccountId, amount: number): void {
    if (tokenId === 0) {
      if (amount > 0) this.#users.set(userId, amount)
      else this.#users.delete(userId)
    } else if (amount > 0) this.#tokens.set(tokenId, { userId, amount })
    else this.#tokens.delete(tokenId)
  }

  /** A charge is paid from leases, except what no lease covered. */
  spend({ base, charged, overdrawn = 0 }: Pick<Charge, 'base' | 'charged' | 'overdrawn'>): void {
    const spent = charged - overdrawn
    if (spent <= 0) return
    const { userId, tokenId } = base
    this.#take({ userId, tokenId: 0 }, spent)
    if (hasOwnAccount(base)) this.#take({ userId, tokenId }, spent)
  }

  /** A charge of an account that was given up in the meantime is not in its leases any more. */
  #take(account: AccountId, spent: number): void {
    const held = this.of(account)
    if (held > 0) this.set(account, Math.max(0, held - spent))
  }

  clear(): void {
    this.#users.clear()
    this.#tokens.clear()
  }

  *entries(): Generator<HeldAmount, void, void> {
    for (const [userId, amount] of this.#users) yield { userId, tokenId: 0, amount }
    for (const [tokenId, { userId, amount }] of this.#tokens) yield { userId, tokenId, amount }
  }
}
