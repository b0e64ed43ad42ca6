import type { RequestTrail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { fieldsOf, flagIn, listIn, numberIn, textIn } from '../../lib/receipt/fields.ts'
import { useAmount } from '../../lib/receipt/receipt-table.tsx'
import styles from './request.module.css'

/** What the call did to balance and token, in sentences. */
export function Charge({ trail: { charged, outcome, row } }: { trail: RequestTrail }) {
  const { t } = useTranslation('request')
  const amount = useAmount()
  const { quota, token_quota: ofToken, uncovered } = charged
  const fields = row ? fieldsOf(row) : {}
  const limit = numberIn(fields, 'output_limit')
  const stripped = listIn(fields, 'stripped').join(', ')
  const limitReason = textIn(fields, 'output_limit_reason') === 'site' ? 'site' : 'balance'
  return (
    <section className={styles.panel} aria-labelledby="request-charge">
      <h2 id="request-charge">{t('charge.title')}</h2>
      {quota === 0 && <p>{t(outcome === 'failed' ? 'charge.released' : 'charge.nothing')}</p>}
      {quota > 0 && <p>{t('charge.fromBalance', { amount: amount(quota) })}</p>}
      {ofToken > 0 && <p>{t('charge.ofToken', { amount: amount(ofToken) })}</p>}
      {limit !== null && <p>{t(`charge.outputLimit.${limitReason}`, { tokens: formatCount(limit) })}</p>}
      {stripped !== '' && <p>{t('charge.stripped', { options: stripped })}</p>}
      {flagIn(fields, 'client_disconnected') && <p>{t('charge.disconnected')}</p>}
      {uncovered > 0 && <p className={styles.warning}>{t('charge.uncovered', { amount: amount(uncovered) })}</p>}
    </section>
  )
}
