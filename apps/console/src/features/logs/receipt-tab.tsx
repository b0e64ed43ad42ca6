import type { RequestTrail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { fieldsOf, flagIn, listIn, numberIn, textIn } from '../../components/receipt/fields.ts'
import { receiptOf } from '../../components/receipt/receipt.ts'
import { ReceiptTable, useAmount } from '../../components/receipt/receipt-table.tsx'
import { formatCount } from '../../lib/format.ts'
import styles from './request.module.css'

/** The cost of the request and the charged amount. */
export function ReceiptTab({ trail }: { trail: RequestTrail }) {
  const { t } = useTranslation('request')
  const receipt = trail.row && receiptOf(trail.row)
  return (
    <>
      {trail.row && (
        <section className={styles.section} aria-labelledby="request-bill">
          <h3 id="request-bill">{t('bill.title')}</h3>
          {receipt ? <ReceiptTable receipt={receipt} /> : <p className="secondary">{t('bill.missing')}</p>}
        </section>
      )}
      <Charges trail={trail} />
    </>
  )
}

function Charges({ trail: { charged, outcome, row } }: { trail: RequestTrail }) {
  const { t } = useTranslation('request')
  const amount = useAmount()
  const { quota, token_quota: tokenQuota, uncovered } = charged
  const fields = row ? fieldsOf(row) : {}
  const limit = numberIn(fields, 'output_limit')
  const stripped = listIn(fields, 'stripped').join(', ')
  const dropped = listIn(fields, 'dropped').join(', ')
  const droppedResponse = listIn(fields, 'dropped_response').join(', ')
  const limitReason = textIn(fields, 'output_limit_reason') === 'site' ? 'site' : 'balance'
  return (
    <section className={styles.section} aria-labelledby="request-charge">
      <h3 id="request-charge">{t('charge.title')}</h3>
      {quota === 0 && <p>{t(outcome === 'failed' ? 'charge.released' : 'charge.nothing')}</p>}
      {quota > 0 && <p>{t('charge.fromBalance', { amount: amount(quota) })}</p>}
      {tokenQuota > 0 && <p>{t('charge.ofToken', { amount: amount(tokenQuota) })}</p>}
      {limit !== null && <p>{t(`charge.outputLimit.${limitReason}`, { tokens: formatCount(limit) })}</p>}
      {stripped !== '' && <p>{t('charge.stripped', { options: stripped })}</p>}
      {dropped !== '' && <p>{t('charge.dropped', { parts: dropped })}</p>}
      {droppedResponse !== '' && <p>{t('charge.droppedResponse', { parts: droppedResponse })}</p>}
      {flagIn(fields, 'client_disconnected') && <p>{t('charge.disconnected')}</p>}
      {uncovered > 0 && <p className={styles.warning}>{t('charge.uncovered', { amount: amount(uncovered) })}</p>}
    </section>
  )
}
