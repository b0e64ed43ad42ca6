import type { api, Settings } from '@tidegate/contract'
import type { TopUpRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

/** A payment service: what it can be asked, and what it can tell. A new one is a folder with one of these. */
export interface PaymentProvider {
  readonly id: string
  /** What people choose; the provider knows each by a name of its own. */
  readonly methods: readonly api.PaymentMethod[]
  /** Set up, and switched on where it has a switch. */
  isOpen(settings: Settings): boolean
  price(settings: Settings): Price
  /** Where to pay an order. May ask the provider first. */
  start(deps: PaymentDeps, order: Order): Promise<StartedPayment>
  /** What a callback says, once it is known to come from the provider. Throws `CallbackRefused` otherwise. */
  readCallback(deps: PaymentDeps, callback: Callback): PaymentNews
  /** What the provider says about an order when it is asked. Throws a Refusal when it cannot be. */
  lookUp(deps: PaymentDeps, order: TopUpRow): Promise<PaymentNews>
}

/** What one dollar of balance costs, and to how many decimals money is paid in that currency. */
export interface Price {
  perDollar: number
  currency: string
  decimals: number
}

export interface PaymentDeps extends Pick<Deps, 'log' | 'now'> {
  settings: Settings
  site: Pick<Deps['site'], 'stripeUrl'>
}

export interface Order {
  tradeNo: string
  method: api.PaymentMethod
  /** With two decimals. */
  money: string
  currency: string
  /** For people: what they buy. */
  title: string
}

export interface StartedPayment {
  url: string
  /** Fields to post there; without them the browser simply goes there. */
  form?: Record<string, string>
  /** What the provider calls the order. */
  reference: string
  expiresAt: Date
}

/** A callback as it came. */
export interface Callback {
  query: Record<string, string>
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** Genuine news about an order. */
export interface PaymentNews {
  /** Blank when the news is about nothing of ours. */
  tradeNo: string
  paid: boolean
  /** What was paid, with two decimals; blank where the provider does not say. */
  money: string
  currency: string
  /** For the record; no signature and no secret. */
  details: Record<string, unknown>
}

/** Nobody who could know the secret sent this. */
export class CallbackRefused extends Error {
  override readonly name = 'CallbackRefused'
  readonly outcome: string
  /** What it claimed, for the record. */
  readonly claim: Record<string, unknown>

  constructor(outcome: string, claim: Record<string, unknown> = {}) {
    super(outcome)
    this.outcome = outcome
    this.claim = claim
  }
}
