import { Link } from 'react-router'
import { useMaySetPrices } from '../api/use-may-set-prices.ts'

/** A link to the prices for those who may set them. */
export function PricesLink({ text, className }: { text: string; className?: string | undefined }) {
  if (!useMaySetPrices()) return null
  return (
    <Link to="/admin/prices?show=unpriced" className={className}>
      {text}
    </Link>
  )
}
