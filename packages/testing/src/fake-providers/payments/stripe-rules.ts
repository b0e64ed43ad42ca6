/**
 * What Stripe checks before it creates a Checkout Session. Written apart from the product's own table, from
 * https://docs.stripe.com/currencies and https://docs.stripe.com/api/checkout/sessions/create.
 */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '))
/** Two decimals in the API, but only whole units are accepted. */
const WHOLE_UNITS = new Set(['isk', 'ugx'])
/** In minor units. Other currencies need the equivalent of 0.50 USD, which this fake does not compute. */
const MINIMUM: Record<string, number> = {
  usd: 50,
  aed: 200,
  aud: 50,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
}
const KNOWN = new Set([...Object.keys(MINIMUM), ...ZERO_DECIMAL, ...THREE_DECIMAL, ...WHOLE_UNITS])
for (const code of 'afn all amd ars bdt bgn bob cny cop crc egp etb gel idr ils kes kzt lak lbp mmk mnt ngn pen php pkr qar rsd sar sos std thb try twd tzs uah uyu uzs yer zar'.split(
  ' ',
))
  KNOWN.add(code)

export interface StripeProblem {
  code: string
  message: string
}

export function sessionProblem(form: URLSearchParams, now: number): StripeProblem | undefined {
  const currency = form.get('line_items[0][price_data][currency]') ?? ''
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'))
  const problem = (code: string, message: string) => ({ code, message })
  if (form.get('mode') !== 'payment') return problem('parameter_invalid', 'Unsupported mode')
  if (!KNOWN.has(currency)) return problem('invalid_currency', `Invalid currency: ${currency}`)
  if (!Number.isSafeInteger(amount) || amount <= 0) return problem('parameter_invalid_integer', 'Invalid integer')
  if (amount > 99_999_999 && currency !== 'idr') return problem('amount_too_large', 'Amount has too many digits')
  if (amount < (MINIMUM[currency] ?? 1)) return problem('amount_too_small', 'Amount is below the minimum')
  if (WHOLE_UNITS.has(currency) && amount % 100 !== 0)
    return problem('invalid_charge_amount_no_decimal_compatible', 'Amount must be divisible by 100')
  if (THREE_DECIMAL.has(currency) && amount % 10 !== 0)
    return problem('invalid_charge_amount', 'The last digit must be 0')
  const expiresAt = form.get('expires_at')
  if (expiresAt !== null && (Number(expiresAt) < now + 1800 || Number(expiresAt) >= now + 86_400))
    return problem('parameter_invalid', '`expires_at` must be 30 minutes to 24 hours after creation')
  return undefined
}

/** What a payer sees on the page, as a decimal number. */
export function amountOnPage(amount: number, currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return amount
  return amount / (THREE_DECIMAL.has(currency) ? 1000 : 100)
}
