import { useTranslation } from 'react-i18next'
import { dollars, formatCallPrice, formatCount, moneyRules } from '../../lib/format.ts'
import { decimal, formulaOf } from './formula.ts'
import type { PerCall, PerLine, PerToken, Receipt } from './receipt.ts'
import styles from './receipt.module.css'

const PER_MILLION = 1_000_000

/** The price of a request as arithmetic: one factor per line with its amount, then the same in one formula. */
export function ReceiptTable({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('logs')
  const { amount, change } = useAmounts(receipt)
  const { group, groupRatio, isOwnRatio, exact, due, uncovered, notes } = receipt
  const before = beforeGroup(receipt)
  const groupName = t(isOwnRatio ? 'receipt.ownRatio' : 'receipt.groupRatio')
  return (
    <section className={styles.bill} aria-label={t('receipt.title')}>
      <table className={styles.receipt}>
        <caption className="visually-hidden">{t('receipt.title')}</caption>
        <tbody>
          {receipt.kind === 'per-token' && <TokenRows receipt={receipt} />}
          {receipt.kind === 'per-line' && <LineRows receipt={receipt} />}
          {receipt.kind === 'per-call' && <CallRows receipt={receipt} />}
          {hasSubtotal(receipt) && <Row kind="sum" name={t('receipt.sum')} value={amount(before)} />}
          <Row
            name={group ? `${groupName}: ${group}` : groupName}
            factor={`× ${decimal(groupRatio)}`}
            value={groupRatio === 1 ? '' : change(before, exact)}
          />
          {amount(exact) !== amount(due) && <Row name={t('receipt.exact')} value={amount(exact)} />}
          <Row kind="total" name={t('receipt.total')} value={amount(due)} title={inQuota(due)} />
          {uncovered > 0 && (
            <>
              <Row name={t('receipt.uncovered')} value={amount(-uncovered)} />
              <Row
                kind="total"
                name={t('receipt.charged')}
                value={amount(due - uncovered)}
                title={inQuota(due - uncovered)}
              />
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

  function inQuota(quota: number): string {
    return t('receipt.quota', { quota: formatCount(quota) })
  }
}

/** The amount before the group ratio, in quota. */
function beforeGroup(receipt: Receipt): number {
  if (receipt.kind === 'per-token') return receipt.sum * receipt.modelRatio
  if (receipt.kind === 'per-line') return total(receipt.lines.map(({ worth }) => worth))
  return receipt.groupRatio === 0 ? 0 : receipt.exact / receipt.groupRatio
}

const hasSubtotal = (receipt: Receipt) => receipt.kind !== 'per-call' && receipt.lines.length > 1

/** Amounts of one receipt with six decimals, which add up as shown; prices with as many decimals as they need. */
function useAmounts({ quotaPerUnit }: Pick<Receipt, 'quotaPerUnit'>) {
  const { inCurrency } = moneyRules()
  const inUnits = (quota: number) => (inCurrency ? quota / quotaPerUnit : quota)
  const round = (quota: number) => Math.round(inUnits(quota) * PER_MILLION)
  const write = (millionths: number, quota: number) => {
    if (!inCurrency) return decimal(millionths / PER_MILLION)
    // An amount of less than a millionth is not written as zero.
    return dollars(millionths === 0 ? inUnits(quota) : millionths / PER_MILLION, 6, 6)
  }
  return {
    amount: (quota: number) => write(round(quota), quota),
    price: (quota: number) => (inCurrency ? dollars(quota / quotaPerUnit, 2, 9) : decimal(quota)),
    /** What leads from one shown amount to the next. */
    change: (before: number, after: number) => write(round(after) - round(before), after - before),
    /** The last line takes what rounding the lines leaves of their rounded sum. */
    lineAmounts(quotas: readonly number[]): string[] {
      const shown = quotas.map(round)
      const rest = round(total(quotas)) - total(shown)
      const last = shown.findLastIndex((millionths) => millionths + rest >= 0)
      return quotas.map((quota, index) => write(shown[index]! + (index === last ? rest : 0), quota))
    },
  }
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

function TokenRows({ receipt }: { receipt: PerToken }) {
  const { t } = useTranslation('logs')
  const { lineAmounts, price } = useAmounts(receipt)
  const { lines, modelRatio } = receipt
  const amounts = lineAmounts(lines.map(({ worth }) => worth * modelRatio))
  return lines.map(({ kind, tokens, ratio, times }, index) => (
    <Row
      key={kind}
      name={t(`receipt.tokens.${kind}`, { tokens: formatCount(tokens) })}
      factor={`× ${t('receipt.perMillion', { price: price(ratio * (times ?? 1) * modelRatio * PER_MILLION) })}`}
      title={`${t('receipt.modelRatio')} ${decimal(modelRatio)} × ${decimal(ratio * (times ?? 1))}`}
      value={amounts[index]!}
    />
  ))
}

function LineRows({ receipt }: { receipt: PerLine }) {
  const { t } = useTranslation('logs')
  const { t: names } = useTranslation('rates')
  const { lineAmounts, price } = useAmounts(receipt)
  const amounts = lineAmounts(receipt.lines.map(({ worth }) => worth))
  const nameOf = ({ item, bucket, count }: PerLine['lines'][number]) =>
    bucket
      ? `${names(`buckets.${bucket}`)}${names('comma')}${t('values.tokens', { tokens: decimal(count) })}`
      : t(`receipt.items.${item}`, { amount: decimal(count) })
  return (
    <>
      {receipt.tiers.map(({ inputAbove, names: conditions }) => (
        <Row
          key={[inputAbove, ...conditions].join(' ')}
          name={t('receipt.tier')}
          factor={[
            ...(inputAbove === null ? [] : [t('receipt.inputAbove', { tokens: formatCount(inputAbove) })]),
            ...conditions,
          ].join(', ')}
          value=""
        />
      ))}
      {receipt.lines.map((line, index) => (
        <Row
          key={`${line.bucket ?? line.item} ${line.count} ${line.rate}`}
          name={nameOf(line)}
          factor={`× ${line.isTokens ? t('receipt.perMillion', { price: price(line.rate) }) : price(line.rate)}`}
          value={amounts[index]!}
        />
      ))}
    </>
  )
}

function CallRows({ receipt }: { receipt: PerCall }) {
  const { t } = useTranslation('logs')
  const { price, pieces, image } = receipt
  return (
    <>
      <Row name={t(pieces === null ? 'receipt.price' : 'receipt.piecePrice')} value={dollars(price, 2, 6)} />
      {pieces !== null && <Row name={t('receipt.pieces')} factor={`× ${formatCount(pieces)}`} value="" />}
      {image && (
        <>
          {image.size && (
            <Row name={t('receipt.size', { size: image.size })} factor={`× ${decimal(image.sizeRatio)}`} value="" />
          )}
          {image.quality && (
            <Row
              name={t('receipt.quality', { quality: image.quality })}
              factor={`× ${decimal(image.qualityRatio)}`}
              value=""
            />
          )}
          {image.modelRatio !== 1 && (
            <Row name={t('receipt.modelRatio')} factor={`× ${decimal(image.modelRatio)}`} value="" />
          )}
        </>
      )}
    </>
  )
}

interface RowProps {
  name: string
  factor?: string
  value: string
  kind?: 'sum' | 'total'
  title?: string
}

function Row({ name, factor = '', value, kind, title }: RowProps) {
  return (
    <tr className={kind && styles[kind]} title={title}>
      <th scope="row">{name}</th>
      <td className={styles.factor}>{factor}</td>
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
