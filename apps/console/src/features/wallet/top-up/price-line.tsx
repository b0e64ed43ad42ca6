import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { formatPrice } from '../../../components/payment-orders/format-price.ts'
import { useDebounced } from '../../../lib/use-debounced.ts'
import styles from '../wallet.module.css'
import { quoteQuery, type Order } from './queries.ts'

const TYPING_PAUSE_MS = 350

/** What the amount would cost, once the person stops typing. */
export function PriceLine({ amount, method, currency }: Order & { currency: string }) {
  const { t, i18n } = useTranslation('wallet')
  const settled = useDebounced(amount, TYPING_PAUSE_MS)
  const quote = useQuery(quoteQuery({ amount: settled, method }))
  const isOld = settled !== amount || quote.isPlaceholderData
  return (
    <output className={styles.price} data-old={isOld || undefined} data-bad={quote.error ? true : undefined}>
      {words()}
    </output>
  )

  function words() {
    if (quote.error) return errorText(quote.error)
    if (quote.data === undefined) return t('topUp.pricing')
    return t('topUp.price', { price: formatPrice(quote.data, currency, i18n.resolvedLanguage) })
  }
}
