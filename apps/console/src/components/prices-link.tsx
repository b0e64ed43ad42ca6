import { Link } from 'react-router'
import { useMaySetPrices } from '../api/use-may-set-prices.ts'

/** A link to the prices for those who may set them. */
export function PricesLink({ text }: { text: string }) {
  return useMaySetPrices() ? <Link to="/admin/prices?show=unpriced">{text}</Link> : null
}
