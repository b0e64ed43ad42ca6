/** Known fields of each payment service, in the order of display. */
const KNOWN_FIELDS = {
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

type KnownFields = typeof KNOWN_FIELDS
export type FieldKey = {
  [Provider in keyof KnownFields]: `${Provider}.${KnownFields[Provider][number]}`
}[keyof KnownFields]

/** Meanings of values that are codes. */
const MEANINGS: { readonly [Field in FieldKey]?: Readonly<Record<string, Meaning>> } = {
  'epay.type': { alipay: 'alipay', wxpay: 'wxpay' },
  'epay.status': { '0': 'unpaid', '1': 'paid' },
  'epay.trade_status': { TRADE_SUCCESS: 'paid' },
  'stripe.payment_status': { paid: 'paid', unpaid: 'unpaid' },
}

export type Meaning = 'alipay' | 'wxpay' | 'paid' | 'unpaid'

export interface DetailField {
  name: string
  /** Translation key of the name; undefined for an unknown field. */
  key: FieldKey | undefined
  text: string
  /** Meaning of the text if it is a code. */
  meaning: Meaning | undefined
}

/** The details of an event as names and texts: known fields first, then the others. Empty fields are omitted. */
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
  provider === 'epay' || provider === 'stripe' ? KNOWN_FIELDS[provider] : []

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
