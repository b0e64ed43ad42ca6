import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { FEES } from '@tidegate/contract/api'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input, Select } from '../../../../ui/kit/index.ts'
import { RowButton } from '../../../../ui/row-button.tsx'
import { FigureField } from '../entry/figure-field.tsx'
import styles from '../prices.module.css'
import { newFee, type FeeEntry, type FeeName } from './card-entry.ts'

interface Props {
  fees: readonly FeeEntry[]
  onChange(fees: readonly FeeEntry[]): void
  /** Says what is wrong with a field of a fee. */
  problemOf(id: number, field: 'amount' | 'variant'): string | undefined
}

const NAMES: readonly FeeName[] = [...FEES, 'webSearchInputBlock']

/** Fees per unit. A fee with variants has a row for each. */
export function FeeFields({ fees, onChange, problemOf }: Props) {
  const { t } = useTranslation('settings')
  const set = (id: number, changes: Partial<FeeEntry>) =>
    onChange(fees.map((fee) => (fee.id === id ? { ...fee, ...changes } : fee)))
  const unused = NAMES.find((name) => fees.every(({ fee }) => fee !== name)) ?? 'webSearch'
  return (
    <>
      {fees.map((entry) => (
        <FeeRow
          key={entry.id}
          entry={entry}
          onChange={(changes) => set(entry.id, changes)}
          onRemove={() => onChange(fees.filter(({ id }) => id !== entry.id))}
          problemOf={(field) => problemOf(entry.id, field)}
        />
      ))}
      <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => onChange([...fees, newFee(unused)])}>
        {t('prices.card.addFee')}
      </Button>
    </>
  )
}

interface RowProps {
  entry: FeeEntry
  onChange(changes: Partial<FeeEntry>): void
  onRemove(): void
  problemOf(field: 'amount' | 'variant'): string | undefined
}

function FeeRow({ entry: { fee, variant, amount }, onChange, onRemove, problemOf }: RowProps) {
  const { t } = useTranslation('settings')
  const { t: names } = useTranslation('rates')
  const id = useId()
  const name = names(`fees.${fee}`)
  const variantProblem = problemOf('variant')
  return (
    <fieldset className={styles.feeRow}>
      <legend className="visually-hidden">{name}</legend>
      <Form.Item className={styles.field} label={t('prices.card.fee')} htmlFor={`${id}-fee`}>
        <Select<FeeName>
          id={`${id}-fee`}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={false}
          value={fee}
          onChange={(next) => onChange({ fee: next })}
          options={NAMES.map((value) => ({ value, label: names(`fees.${value}`) }))}
        />
      </Form.Item>
      <Form.Item
        className={styles.field}
        label={t('prices.card.variant')}
        htmlFor={`${id}-variant`}
        validateStatus={variantProblem ? 'error' : ''}
        {...(variantProblem && { help: variantProblem })}
      >
        <Input
          id={`${id}-variant`}
          autoComplete="off"
          aria-invalid={variantProblem !== undefined}
          placeholder={fee === 'imageBySizeQuality' ? t('prices.card.variantHint') : ''}
          value={variant}
          onChange={(event) => onChange({ variant: event.target.value })}
        />
      </Form.Item>
      <FigureField
        label={t(fee === 'webSearchInputBlock' ? 'prices.card.tokensPerSearch' : 'prices.card.amount')}
        value={amount}
        onChange={(text) => onChange({ amount: text })}
        problem={problemOf('amount')}
        {...(fee !== 'webSearchInputBlock' && { sign: '$' })}
      />
      <RowButton label={t('prices.card.removeFee', { name })} onClick={onRemove}>
        <DeleteOutlined aria-hidden />
      </RowButton>
    </fieldset>
  )
}
