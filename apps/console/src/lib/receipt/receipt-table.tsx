import { useTranslation } from 'react-i18next'
import { dollars, formatCallPrice, formatCount, moneyRules } from '../format.ts'
import { decimal, formulaOf } from './formula.ts'
import type { PerCall, PerLine, PerToken, Receipt } from './receipt.ts'
import styles from './receipt.module.css'

interface Props {
  receipt: Receipt
  /** It stands under a heading that says what it is. */
  hasHeading?: boolean
}

/** The bill as arithmetic, one factor per line, and once more in a single line. */
export function ReceiptTable({ receipt, hasHeading = false }: Props) {
  const { t } = useTranslation('logs')
  const amount = useAmount()
  const { groupRatio, isOwnRatio, exact, due, uncovered, notes } = receipt
  return (
    <section className={styles.bill} aria-label={t('receipt.title')}>
      <table className={styles.receipt}>
        <caption className={hasHeading ? 'visually-hidden' : undefined}>{t('receipt.title')}</caption>
        <tbody>
          {receipt.kind === 'per-token' && <TokenRows receipt={receipt} />}
          {receipt.kind === 'per-line' && <LineRows receipt={receipt} />}
          {receipt.kind === 'per-call' && <CallRows receipt={receipt} />}
          <Row name={t(isOwnRatio ? 'receipt.ownRatio' : 'receipt.groupRatio')} value={`× ${decimal(groupRatio)}`} />
          {exact !== due && <Row name={t('receipt.exact')} value={decimal(exact)} />}
          <Row kind="total" name={t('receipt.total')} value={amount(due)} />
          {uncovered > 0 && (
            <>
              <Row name={t('receipt.uncovered')} value={amount(-uncovered)} />
              <Row kind="total" name={t('receipt.charged')} value={amount(due - uncovered)} />
            </>
          )}
        </tbody>
      </table>
      <p className={`number ${styles.formula}`}>{formulaOf(receipt)}</p>
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{t(`receipt.notes.${note}`)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function TokenRows({ receipt: { lines, sum, modelRatio } }: { receipt: PerToken }) {
  const { t } = useTranslation('logs')
  return (
    <>
      {lines.map(({ kind, tokens, ratio, times, worth }) => (
        <Row
          key={kind}
          name={t(`receipt.tokens.${kind}`, { tokens: formatCount(tokens) })}
          value={
            ratio === 1 && times === null
              ? formatCount(tokens)
              : `× ${decimal(ratio)}${times === null ? '' : ` × ${decimal(times)}`} = ${decimal(worth)}`
          }
        />
      ))}
      {lines.length > 1 && <Row kind="sum" name={t('receipt.sum')} value={decimal(sum)} />}
      <Row name={t('receipt.modelRatio')} value={`× ${decimal(modelRatio)}`} />
    </>
  )
}

function LineRows({ receipt: { lines, tiers, quotaPerUnit } }: { receipt: PerLine }) {
  const { t } = useTranslation('logs')
  const { t: names } = useTranslation('rates')
  const price = (quota: number) => dollars(quota / quotaPerUnit, 2, 9)
  const nameOf = ({ item, bucket, count }: PerLine['lines'][number]) =>
    bucket
      ? `${names(`buckets.${bucket}`)}${names('comma')}${t('values.tokens', { tokens: decimal(count) })}`
      : t(`receipt.items.${item}`, { amount: decimal(count) })
  return (
    <>
      {tiers.map(({ inputAbove, names }) => (
        <Row
          key={[inputAbove, ...names].join(' ')}
          name={t('receipt.tier')}
          value={[
            ...(inputAbove === null ? [] : [t('receipt.inputAbove', { tokens: formatCount(inputAbove) })]),
            ...names,
          ].join(', ')}
        />
      ))}
      {lines.map((line) => (
        <Row
          key={`${line.bucket ?? line.item} ${line.count} ${line.rate}`}
          name={nameOf(line)}
          value={`× ${line.isTokens ? t('receipt.perMillion', { price: price(line.rate) }) : price(line.rate)} = ${price(line.worth)}`}
        />
      ))}
      <Row name={t('receipt.perUnit')} value={`× ${formatCount(quotaPerUnit)}`} />
    </>
  )
}

function CallRows({ receipt: { price, pieces, image, quotaPerUnit } }: { receipt: PerCall }) {
  const { t } = useTranslation('logs')
  return (
    <>
      <Row name={t(pieces === null ? 'receipt.price' : 'receipt.piecePrice')} value={dollars(price, 2, 6)} />
      {pieces !== null && <Row name={t('receipt.pieces')} value={`× ${formatCount(pieces)}`} />}
      {image && (
        <>
          {image.size && <Row name={t('receipt.size', { size: image.size })} value={`× ${decimal(image.sizeRatio)}`} />}
          {image.quality && (
            <Row name={t('receipt.quality', { quality: image.quality })} value={`× ${decimal(image.qualityRatio)}`} />
          )}
          {image.modelRatio !== 1 && <Row name={t('receipt.modelRatio')} value={`× ${decimal(image.modelRatio)}`} />}
        </>
      )}
      <Row name={t('receipt.perUnit')} value={`× ${formatCount(quotaPerUnit)}`} />
    </>
  )
}

function Row({ name, value, kind }: { name: string; value: string; kind?: 'sum' | 'total' }) {
  return (
    <tr className={kind && styles[kind]}>
      <th scope="row">{name}</th>
      <td>{value}</td>
    </tr>
  )
}

/** `$0.00725 (3,625 quota)`, or the quota alone where the site shows no currency. */
export function useAmount() {
  const { t } = useTranslation('logs')
  return (quota: number): string => {
    const inQuota = t('receipt.quota', { quota: formatCount(quota) })
    return moneyRules().inCurrency ? `${formatCallPrice(quota)} (${inQuota})` : inQuota
  }
}
