import { dollars } from '../lib/format.ts'

interface Props {
  /** US dollars. */
  amount: number
  /** The minimum number of decimals. */
  least: number
  /** Decimals for which the column has space, so that decimal points align. */
  decimals: number
}

/** A price in a column. A price with more decimals than the others moves none of them. */
export function Price({ amount, least, decimals }: Props) {
  const text = dollars(amount, least, 6)
  const missing = decimals - text.split('.')[1]!.length
  return (
    <span className="number" style={missing > 0 ? { paddingInlineEnd: `${missing}ch` } : undefined}>
      {text}
    </span>
  )
}

export const TOKEN_PRICE_DECIMALS = 3

/** `$2.500` or `$0.0375` per 1M tokens: three decimals as on the public pages, or more where the price has them. */
export const formatTokenPrice = (amount: number): string => dollars(amount, TOKEN_PRICE_DECIMALS, 6)
