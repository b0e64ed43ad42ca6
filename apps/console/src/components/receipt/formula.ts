import { dollars, formatCallPrice, formatCount, moneyRules } from '../../lib/format.ts'
import type { PerCall, PerLine, PerToken, Receipt } from './receipt.ts'

/** The receipt as a formula: `(800 + 200 × 0.5 + 500 × 4) × 1.25 = 3,625 → $0.00725`. */
export function formulaOf(receipt: Receipt): string {
  const left = leftSide(receipt)
  const group = receipt.groupRatio === 1 ? [] : [decimal(receipt.groupRatio)]
  return `${[...left, ...group].join(' × ')} = ${outcome(receipt)}`
}

function leftSide(receipt: Receipt): string[] {
  switch (receipt.kind) {
    case 'per-token':
      return tokenSide(receipt)
    case 'per-line':
      return lineSide(receipt)
    case 'per-call':
      return callSide(receipt)
  }
}

/** In dollars: per million tokens, or per unit. */
function lineSide({ lines, quotaPerUnit }: PerLine): string[] {
  const terms = lines.map(({ count, rate, isTokens }) => {
    const price = dollars(rate / quotaPerUnit, 2, 9)
    return `${decimal(count)} × ${price}${isTokens ? '/1M' : ''}`
  })
  const sum = terms.length === 0 ? '0' : terms.join(' + ')
  return [terms.length > 1 ? `(${sum})` : sum, formatCount(quotaPerUnit)]
}

function tokenSide({ lines, modelRatio }: PerToken): string[] {
  const terms = lines
    .filter(({ tokens }) => tokens > 0)
    .map(({ tokens, ratio, times }) =>
      [formatCount(tokens), ...[ratio, times ?? 1].filter((factor) => factor !== 1).map(decimal)].join(' × '),
    )
  const sum = terms.length === 0 ? '0' : terms.join(' + ')
  return [terms.length > 1 ? `(${sum})` : sum, decimal(modelRatio)]
}

function callSide({ price, pieces, image, quotaPerUnit }: PerCall): string[] {
  const factors = [pieces ?? 1, image?.sizeRatio ?? 1, image?.qualityRatio ?? 1, image?.modelRatio ?? 1]
  return [dollars(price, 2, 6), ...factors.filter((factor) => factor !== 1).map(decimal), formatCount(quotaPerUnit)]
}

function outcome({ exact, due }: Receipt): string {
  const rounded = exact === due ? formatCount(due) : `${decimal(exact)} ≈ ${formatCount(due)}`
  return moneyRules().inCurrency ? `${rounded} → ${formatCallPrice(due)}` : rounded
}

export const decimal = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 6 })
