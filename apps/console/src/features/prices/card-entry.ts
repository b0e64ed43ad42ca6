import {
  BUCKETS,
  cardProblems,
  MAX_AMOUNT,
  type Bucket,
  type CardProblem,
  type Fee,
  type RateCard,
  type Rates,
  type Schedule,
  type Tier,
} from '@tidegate/contract/api'
import { amountText, numberProblem, readNumber, type NumberProblem } from './amounts.ts'

export type RateTexts = Readonly<Record<Bucket, string>>
export type FeeName = Fee | 'webSearchInputBlock'
export const CONDITIONS = ['serviceTier', 'speed', 'region', 'schedule'] as const
export type Condition = (typeof CONDITIONS)[number]
export type TierEffect = 'rates' | 'multiply' | 'multiplyEach'

export interface TierEntry extends Readonly<Record<Condition, string>> {
  readonly id: number
  readonly inputAbove: string
  readonly inclusive: boolean
  readonly effect: TierEffect
  readonly multiply: string
  /** Rates, or multipliers by bucket. */
  readonly rates: RateTexts
}

/** A fee, or one variant of a fee that has several prices, such as image sizes. */
export interface FeeEntry {
  readonly id: number
  readonly fee: FeeName
  readonly variant: string
  readonly amount: string
}

/** A rate card in the form: every number as text. */
export interface CardEntry {
  readonly rates: RateTexts
  readonly tiers: readonly TierEntry[]
  readonly fees: readonly FeeEntry[]
  /** Parts of a card that the form has no fields for. They stay as they are. */
  readonly rest: Pick<RateCard, 'imageEstimate'>
}

let lastId = 0
const newId = () => ++lastId

export function cardEntryOf({ rates = {}, tiers = [], fees = {}, imageEstimate }: RateCard): CardEntry {
  return {
    rates: textsOf(rates, amountText),
    tiers: tiers.map(tierEntryOf),
    fees: Object.entries(fees).flatMap(([name, amount]) => {
      const fee = name as FeeName
      if (typeof amount === 'number') return [{ id: newId(), fee, variant: '', amount: amountText(amount) }]
      return Object.entries(amount).map(([variant, one]) => ({ id: newId(), fee, variant, amount: amountText(one) }))
    }),
    rest: imageEstimate ? { imageEstimate } : {},
  }
}

function tierEntryOf({ when, rates, multiply }: Tier): TierEntry {
  const byBucket = typeof multiply === 'object' ? multiply : rates
  return {
    id: newId(),
    inputAbove: when.inputAbove === undefined ? '' : String(when.inputAbove),
    inclusive: when.inclusive ?? false,
    serviceTier: when.serviceTier ?? '',
    speed: when.speed ?? '',
    region: when.region ?? '',
    schedule: when.schedule ?? '',
    effect: typeof multiply === 'number' ? 'multiply' : multiply ? 'multiplyEach' : 'rates',
    multiply: typeof multiply === 'number' ? String(multiply) : '',
    rates: multiply ? textsOf(byBucket ?? {}, String) : textsOf(byBucket ?? {}, amountText),
  }
}

export const newTier = (): TierEntry => tierEntryOf({ when: {}, rates: {} })
export const newFee = (fee: FeeName): FeeEntry => ({ id: newId(), fee, variant: '', amount: '' })

const textsOf = (rates: Rates, write: (rate: number) => string): RateTexts =>
  Object.fromEntries(
    BUCKETS.map((bucket) => [bucket, rates[bucket] === undefined ? '' : write(rates[bucket])]),
  ) as RateTexts

/** The card of an entry. Invalid numbers are omitted; `cardEntryProblems` reports them. */
export function cardOf(entry: CardEntry): RateCard {
  const rates = ratesOf(entry.rates)
  const tiers = entry.tiers.map(tierOf)
  const fees = feesOf(entry.fees)
  return {
    ...(rates && { rates }),
    ...(tiers.length > 0 && { tiers }),
    ...(Object.keys(fees).length > 0 && { fees }),
    ...entry.rest,
  }
}

function tierOf(tier: TierEntry): Tier {
  const { inputAbove, inclusive, effect } = tier
  const length = readNumber(inputAbove)
  const named = CONDITIONS.flatMap((name) => (tier[name] === '' ? [] : [[name, tier[name]]]))
  const when = {
    ...(length !== undefined && { inputAbove: length, ...(inclusive && { inclusive }) }),
    ...(Object.fromEntries(named) as Tier['when']),
  }
  const rates = ratesOf(tier.rates)
  if (effect === 'rates') return { when, ...(rates && { rates }) }
  const multiply = effect === 'multiply' ? readNumber(tier.multiply) : rates
  return { when, ...(multiply !== undefined && { multiply }) }
}

function ratesOf(texts: RateTexts): Rates | undefined {
  const known = BUCKETS.flatMap((bucket) => {
    const rate = readNumber(texts[bucket])
    return rate === undefined ? [] : [[bucket, rate]]
  })
  return known.length === 0 ? undefined : (Object.fromEntries(known) as Rates)
}

function feesOf(entries: readonly FeeEntry[]): NonNullable<RateCard['fees']> {
  const fees: Partial<Record<FeeName, number | Record<string, number>>> = {}
  for (const { fee, variant, amount } of entries) {
    const usd = readNumber(amount)
    if (usd === undefined) continue
    const known = fees[fee]
    fees[fee] = variant.trim() === '' ? usd : { ...(typeof known === 'object' && known), [variant.trim()]: usd }
  }
  return fees
}

export type CardFieldProblem = NumberProblem | 'required' | 'tooLarge' | 'whole' | 'repeated' | CardProblem['code']

/** Problems by the name of a field: `rates.input`, `tiers.7.inputAbove`, `tiers.7`, `fees.3.amount`, `card`. */
export type CardProblems = ReadonlyMap<string, CardFieldProblem>

export function cardEntryProblems(entry: CardEntry, schedules: Readonly<Record<string, Schedule>>): CardProblems {
  const problems = new Map<string, CardFieldProblem>()
  const check = (field: string, text: string) => {
    const problem = numberProblem(text) ?? ((readNumber(text) ?? 0) > MAX_AMOUNT ? 'tooLarge' : null)
    if (problem) problems.set(field, problem)
  }
  for (const bucket of BUCKETS) check(`rates.${bucket}`, entry.rates[bucket])
  for (const tier of entry.tiers) {
    const length = tier.inputAbove.trim()
    if (length !== '' && !/^[1-9]\d{0,14}$/.test(length)) problems.set(`tiers.${tier.id}.inputAbove`, 'whole')
    if (tier.effect === 'multiply') check(`tiers.${tier.id}.multiply`, tier.multiply)
    else for (const bucket of BUCKETS) check(`tiers.${tier.id}.${bucket}`, tier.rates[bucket])
  }
  for (const { id, amount } of entry.fees) {
    if (amount.trim() === '') problems.set(`fees.${id}.amount`, 'required')
    else check(`fees.${id}.amount`, amount)
  }
  for (const [field, problem] of repetitions(entry)) problems.set(field, problem)
  if (problems.size > 0) return problems
  for (const { tier, code } of cardProblems(cardOf(entry), schedules)) {
    const field =
      tier === undefined ? (code === 'output_missing' ? 'rates.output' : 'card') : `tiers.${entry.tiers[tier]!.id}`
    problems.set(field, code)
  }
  return problems
}

function repetitions({ tiers, fees }: CardEntry): [string, CardFieldProblem][] {
  const seen = new Set<string>()
  const isNew = (name: string) => seen.size !== seen.add(name).size
  const ofFees = fees.flatMap(({ id, fee, variant }): [string, CardFieldProblem][] => {
    const isMixed = fees.some((other) => other.fee === fee && other.id !== id) && variant.trim() === ''
    if (isMixed) return [[`fees.${id}.variant`, 'required']]
    return isNew(`${fee} ${variant.trim()}`) ? [] : [[`fees.${id}.variant`, 'repeated']]
  })
  const ofTiers = tiers.flatMap((tier): [string, CardFieldProblem][] => {
    const { when, ...effect } = tierOf(tier)
    if (Object.keys(when).length === 0) return []
    return isNew(JSON.stringify([when, 'rates' in effect])) ? [] : [[`tiers.${tier.id}`, 'repeated']]
  })
  return [...ofFees, ...ofTiers]
}
