import type { UsageLog } from '@tidegate/contract/api'
import { moneyRules } from '../../lib/format.ts'
import { fieldsOf, flagIn, numberIn, textIn, type Fields } from './fields.ts'
import { chosenTiers, rateLines, type ChosenTier, type RateLine } from './rate-lines.ts'
import { tokenLines, type TokenLine } from './token-lines.ts'

/** Fields of all kinds of receipts. */
interface ReceiptBase {
  group: string
  groupRatio: number
  quotaPerUnit: number
  /** The ratio depends on the user's own group. */
  isOwnRatio: boolean
  /** The calculated quota before rounding. */
  exact: number
  /** The cost of the request in quota. */
  due: number
  /** The part of `due` that could not be charged. */
  uncovered: number
  notes: ReceiptNote[]
}

/** The factors of a receipt, in the order of multiplication. */
export type Receipt = PerToken | PerCall | PerLine

export interface PerToken extends ReceiptBase {
  kind: 'per-token'
  lines: TokenLine[]
  sum: number
  modelRatio: number
}

/** A receipt with tiers, fees or custom rates. */
export interface PerLine extends ReceiptBase {
  kind: 'per-line'
  lines: RateLine[]
  tiers: ChosenTier[]
}

export interface PerCall extends ReceiptBase {
  kind: 'per-call'
  /** Dollars per request, image or task. */
  price: number
  /** Number of images or tasks. Null if the price is per request. */
  pieces: number | null
  image: ImageFactors | null
}

export interface ImageFactors {
  size: string
  quality: string
  sizeRatio: number
  qualityRatio: number
  modelRatio: number
}

/** Notes about a receipt. */
export type ReceiptNote = 'minimum' | 'nothing' | 'free' | 'fallback' | 'unset' | 'estimated' | 'interrupted'

/** The receipt of a request. Null if factors are missing or do not add up. */
export function receiptOf(log: UsageLog): Receipt | null {
  const fields = fieldsOf(log)
  const groupRatio = numberIn(fields, 'user_group_ratio') ?? numberIn(fields, 'group_ratio')
  if (groupRatio === null) return null
  const lines = rateLines(fields)
  if (lines && needsLines(lines, fields)) return perLine(log, fields, groupRatio, lines)
  const price = numberIn(fields, 'model_price')
  const receipt = price !== null && price >= 0 ? perCall(log, fields, groupRatio) : perToken(log, fields, groupRatio)
  // A difference of one is a rounding error. A larger one means that the factors do not belong to this charge.
  if (receipt && Math.abs(charge(receipt) - receipt.due) <= 1) return receipt
  return lines && perLine(log, fields, groupRatio, lines)
}

/** Ratios cannot express tiers and fees. */
function needsLines(lines: readonly RateLine[], fields: Fields): boolean {
  const hasFees = lines.some(({ isTokens }) => isTokens) && lines.some(({ isTokens }) => !isTokens)
  return hasFees || chosenTiers(fields).length > 0
}

function perLine(log: UsageLog, fields: Fields, groupRatio: number, lines: RateLine[]): PerLine | null {
  const exact = lines.reduce((total, { worth }) => total + worth, 0) * groupRatio
  const receipt: PerLine = {
    kind: 'per-line',
    lines,
    tiers: chosenTiers(fields),
    ...receiptBase(log, fields, groupRatio, exact),
  }
  return Math.abs(charge(receipt) - receipt.due) <= 1 ? receipt : null
}

function perToken(log: UsageLog, fields: Fields, groupRatio: number): PerToken | null {
  const modelRatio = numberIn(fields, 'model_ratio')
  if (modelRatio === null) return null
  const lines = tokenLines(log, fields)
  const sum = lines.reduce((total, { worth }) => total + worth, 0)
  const exact = sum * modelRatio * groupRatio
  return { kind: 'per-token', lines, sum, modelRatio, ...receiptBase(log, fields, groupRatio, exact) }
}

function perCall(log: UsageLog, fields: Fields, groupRatio: number): PerCall {
  const totalPrice = numberIn(fields, 'model_price') ?? 0
  const pieces = numberIn(fields, 'pieces')
  const price = numberIn(fields, 'piece_price') ?? totalPrice
  const image =
    numberIn(fields, 'piece_price') === null || pieces === null ? null : imageFactors(fields, pieces, totalPrice)
  const perPiece = image ? price * image.sizeRatio * image.qualityRatio * image.modelRatio : price
  const quotaPerUnit = unitOf(fields)
  const used = pieces !== null || log.prompt_tokens + log.completion_tokens > 0
  const exact = used ? perPiece * (pieces ?? 1) * quotaPerUnit * groupRatio : 0
  return { kind: 'per-call', price, pieces, image, ...receiptBase(log, fields, groupRatio, exact) }
}

function imageFactors(fields: Fields, pieces: number, totalPrice: number): ImageFactors {
  const sizeRatio = numberIn(fields, 'image_size_ratio') ?? 1
  const qualityRatio = numberIn(fields, 'image_quality_ratio') ?? 1
  const basePrice = (numberIn(fields, 'piece_price') ?? 0) * pieces * sizeRatio * qualityRatio
  return {
    size: textIn(fields, 'image_size'),
    quality: textIn(fields, 'image_quality'),
    sizeRatio,
    qualityRatio,
    // Ordinary users do not receive it, so it is calculated from the total price.
    modelRatio: numberIn(fields, 'image_model_ratio') ?? (basePrice > 0 ? roundFraction(totalPrice / basePrice) : 1),
  }
}

function receiptBase(log: UsageLog, fields: Fields, groupRatio: number, exact: number): ReceiptBase {
  const uncovered = numberIn(fields, 'uncovered') ?? 0
  const due = log.quota + uncovered
  return {
    group: log.group,
    groupRatio,
    quotaPerUnit: unitOf(fields),
    isOwnRatio: numberIn(fields, 'user_group_ratio') !== null,
    exact: roundFraction(exact),
    due,
    uncovered,
    notes: notesOf(fields, { exact, due, isFree: groupRatio === 0 || !isPriced(fields) }),
  }
}

const unitOf = (fields: Fields) => numberIn(fields, 'quota_per_unit') ?? moneyRules().quotaPerUnit

interface Sums {
  exact: number
  due: number
  /** A ratio or price of zero. */
  isFree: boolean
}

function notesOf(fields: Fields, { exact, due, isFree }: Sums): ReceiptNote[] {
  const basis = textIn(fields, 'price_basis')
  const notes: [ReceiptNote, boolean][] = [
    ['minimum', due === 1 && exact > 0 && exact < 0.5],
    ['free', due === 0 && isFree],
    ['nothing', due === 0 && !isFree],
    ['fallback', basis === 'fallback'],
    ['unset', basis === 'unset'],
    ['estimated', flagIn(fields, 'estimated')],
    ['interrupted', flagIn(fields, 'interrupted')],
  ]
  return notes.filter(([, applies]) => applies).map(([note]) => note)
}

const isPriced = (fields: Fields) => ['model_ratio', 'model_price'].some((name) => (numberIn(fields, name) ?? 0) > 0)

/** The calculated charge. A request with a price costs at least one. */
function charge({ exact }: Receipt): number {
  return exact === 0 ? 0 : Math.max(1, Math.round(exact))
}

/** Removes floating-point errors: 0.1 × 3 is 0.3. */
const roundFraction = (value: number) => Number(value.toFixed(6))
