import { useTranslation } from 'react-i18next'
import { dollars, formatCallPrice, formatCount, moneyRules } from '../../lib/format.ts'
import styles from './logs.module.css'
import type { Receipt } from './receipt.ts'

interface Props {
  receipt: Receipt
  quota: number
}

/** The bill as arithmetic, one factor per line. */
export function LogReceipt({ receipt, quota }: Props) {
  const { t } = useTranslation('logs')
  return (
    <table className={styles.receipt}>
      <caption>{t('details.inWords')}</caption>
      <tbody>
        {receipt.kind === 'per-call' ? (
          <Line name={t('details.receipt.price')} value={dollars(receipt.price, 2, 6)} />
        ) : (
          <>
            {receipt.buckets.map(({ name, tokens, ratio }) => (
              <Line
                key={name}
                name={t(`details.receipt.${name}`, { count: tokens })}
                value={ratio === 1 ? formatCount(tokens) : `× ${ratio} = ${decimal(tokens * ratio)}`}
              />
            ))}
            <Line kind="sum" name={t('details.receipt.sum')} value={decimal(receipt.sum)} />
            <Line name={t('details.receipt.modelRatio')} value={`× ${receipt.modelRatio}`} />
          </>
        )}
        <Line name={t('details.receipt.groupRatio')} value={`× ${receipt.groupRatio}`} />
        <Line kind="total" name={t('details.receipt.total')} value={total()} />
      </tbody>
    </table>
  )

  function total(): string {
    const inQuota = t('details.receipt.quota', { quota: formatCount(quota) })
    const price = moneyRules().inCurrency ? `${formatCallPrice(quota)} (${inQuota})` : inQuota
    const isMinimum = receipt.kind === 'per-token' && receipt.isMinimum
    return isMinimum ? `${price} · ${t('details.receipt.minimum')}` : price
  }
}

function Line({ name, value, kind }: { name: string; value: string; kind?: 'sum' | 'total' }) {
  return (
    <tr className={kind && styles[kind]}>
      <th scope="row">{name}</th>
      <td>{value}</td>
    </tr>
  )
}

const decimal = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 4 })
