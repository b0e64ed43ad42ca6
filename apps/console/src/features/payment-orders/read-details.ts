/** What payment services say of an order, by the names they use, in the order people ask for it. */
const NAMED = {
  epay: [
    'trade_status',
    'status',
    'money',
    'type',
    'out_trade_no',
    'trade_no',
    'name',
    'pid',
    'code',
    'refundmoney',
    'sign_type',
  ],
  stripe: [
    'type',
    'payment_status',
    'dispute_status',
    'reason',
    'amount',
    'amount_refunded',
    'currency',
    'session',
    'payment',
    'charge',
    'dispute',
    'event',
  ],
} as const

type Named = typeof NAMED
export type FieldKey = { [Provider in keyof Named]: `${Provider}.${Named[Provider][number]}` }[keyof Named]

/** Values that are codes, and what they mean. */
const MEANINGS: { readonly [Field in FieldKey]?: Readonly<Record<string, Meaning>> } = {
  'epay.type': { alipay: 'alipay', wxpay: 'wxpay' },
  'epay.status': { '0': 'unpaid', '1': 'paid' },
  'epay.trade_status': { TRADE_SUCCESS: 'paid' },
  'stripe.payment_status': { paid: 'paid', unpaid: 'unpaid' },
}

export type Meaning = 'alipay' | 'wxpay' | 'paid' | 'unpaid'

export interface DetailField {
  name: string
  /** Where its words are, when there are some. */
  key: FieldKey | undefined
  text: string
  /** What the text means, where it is a code. */
  meaning: Meaning | undefined
}

/** The details of an event as names and texts: those we know first, the others as they came, none that holds nothing. */
export function readDetails(provider: string, details: Readonly<Record<string, unknown>>): DetailField[] {
  const names = namesOf(provider)
  const known = names.filter((name) => Object.hasOwn(details, name))
  const others = Object.keys(details).filter((name) => !names.includes(name))
  return [...known, ...others]
    .map((name): DetailField => {
      const key = names.includes(name) ? (`${provider}.${name}` as FieldKey) : undefined
      const text = textOf(details[name])
      return { name, key, text, meaning: key && meaningOf(key, text) }
    })
    .filter(({ text }) => text !== '')
}

function meaningOf(key: FieldKey, text: string): Meaning | undefined {
  const meanings = MEANINGS[key] ?? {}
  return Object.hasOwn(meanings, text) ? meanings[text] : undefined
}

const namesOf = (provider: string): readonly string[] =>
  provider === 'epay' || provider === 'stripe' ? NAMED[provider] : []

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
