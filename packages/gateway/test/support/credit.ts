import { ApiError, type ErrorCode } from '@tidegate/contract'
import { describePrice, describeRequest, toReceiptData } from '@tidegate/pricing'
import type { Credit, CreditReservation, ReserveRequest, Settlement } from '../../src/ports/index.ts'

interface Entry extends ReserveRequest {
  amount: number
  checkpoints: Settlement[]
  state: 'reserved' | 'settled' | 'released'
  settlement?: Settlement
}

/** Credit in memory. Records a second end of the same reservation as a mistake. */
export class MemoryCredit implements Credit {
  balance = 1_000_000_000
  readonly entries: Entry[] = []
  readonly mistakes: string[] = []
  /** Runs before a settlement is written; a test can wait in it, or throw. */
  beforeSettle: () => Promise<void> = () => Promise.resolve()

  /** Runs before a reservation is extended; a test can throw in it. */
  beforeExtend: () => Promise<void> = () => Promise.resolve()

  reserve(request: ReserveRequest): CreditReservation | Promise<CreditReservation> {
    const { minimum = request.amount, leaveHalf = false } = request
    if (this.balance < minimum) {
      return Promise.reject(new ApiError('insufficient_user_quota', { needed: minimum }))
    }
    const isShort = this.balance < request.amount
    const left = leaveHalf ? Math.max(minimum, Math.floor(this.balance / 2)) : this.balance
    const amount = isShort ? Math.min(request.amount, left) : request.amount
    this.balance -= amount
    const entry: Entry = { ...request, amount, state: 'reserved', checkpoints: [] }
    this.entries.push(entry)
    let settling: Promise<void> | undefined
    const isOpen = () => settling === undefined && entry.state === 'reserved'
    return {
      get amount() {
        return entry.amount
      },
      get isOpen() {
        return isOpen()
      },
      extend: async (total: number): Promise<ErrorCode | undefined> => {
        if (!isOpen()) return 'settlement_unavailable'
        if (total > entry.amount) await this.beforeExtend()
        const more = total - entry.amount
        if (more > this.balance) return 'insufficient_user_quota'
        if (more > 0) {
          this.balance -= more
          entry.amount = total
        }
        return undefined
      },
      checkpoint: (settlement: Settlement) => void entry.checkpoints.push(settlement),
      settle: (settlement: Settlement) => {
        if (settling) this.mistakes.push(`${entry.requestId}: settled twice`)
        return (settling ??= this.#settle(entry, settlement))
      },
      release: () => {
        if (isOpen()) this.#end(entry, 'released', entry.amount)
      },
    }
  }

  async #settle(entry: Entry, settlement: Settlement): Promise<void> {
    await this.beforeSettle()
    const missing = Math.min(this.balance, Math.max(0, settlement.receipt.quota - entry.amount))
    this.balance -= missing
    entry.amount += missing
    this.#end(entry, 'settled', entry.amount - Math.min(entry.amount, settlement.receipt.quota))
    entry.settlement = settlement
  }

  states(): string[] {
    return this.entries.map(({ state }) => state)
  }

  /** Settlements with the text and the fields of their log rows. */
  get settled() {
    return this.entries.flatMap(({ settlement }) => (settlement ? [withLogRow(settlement)] : []))
  }

  #end(entry: Entry, state: Entry['state'], back: number): void {
    if (entry.state !== 'reserved') this.mistakes.push(`${entry.requestId}: ${entry.state}, then ${state}`)
    entry.state = state
    this.balance += back
  }
}

function withLogRow({ usage, receipt, log }: Settlement) {
  const data = toReceiptData(receipt)
  const content = log.content ?? describePrice(data, usage)
  return { usage, receipt, log: { ...log, content, other: describeRequest(data, usage, log) } }
}
