/**
 * How Stripe counts money. Source: https://docs.stripe.com/currencies (presentment currencies, zero-decimal, three-decimal
 * and special cases), read in November 2026. ISO 4217 and `Intl` differ: Stripe counts HUF, IDR, COP and others in hundredths.
 */
const ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'
/** Stripe requires 0 as the last digit of these amounts, so hundredths are the smallest unit that can be charged. */
const THREE_DECIMAL = 'bhd jod kwd omr tnd'
/** Special cases: hundredths in the API, but only whole units can be charged. */
const WHOLE_UNITS = 'isk ugx'
const TWO_DECIMAL =
  'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc cve czk ' +
  'dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr jmd kes kgs khr kyd kzt lak lbp lkr ' +
  'lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub ' +
  'sar sbd scr sek sgd shp sle sos srd std szl thb tjs top try ttd twd tzs uah usd uyu uzs wst xcd xcg yer zar zmw'

export interface StripeCurrency {
  /** Decimals of amounts in Stripe's API. */
  exponent: 0 | 2 | 3
  /** Decimals of money that can be charged. */
  decimals: 0 | 2
}

export const STRIPE_CURRENCIES: ReadonlyMap<string, StripeCurrency> = new Map([
  ...entries(ZERO_DECIMAL, { exponent: 0, decimals: 0 }),
  ...entries(THREE_DECIMAL, { exponent: 3, decimals: 2 }),
  ...entries(WHOLE_UNITS, { exponent: 2, decimals: 0 }),
  ...entries(TWO_DECIMAL, { exponent: 2, decimals: 2 }),
])

function entries(codes: string, currency: StripeCurrency): [string, StripeCurrency][] {
  return codes.split(' ').map((code) => [code, currency])
}
