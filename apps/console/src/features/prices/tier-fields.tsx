import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { CONDITION_VALUES, FEES, type Schedule } from '@tidegate/contract/api'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { scheduleWords } from '../../components/receipt/tier-words.ts'
import { Button, Checkbox, Form, Input, Radio, Select } from '../../ui/kit/index.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import {
  CONDITIONS,
  newFee,
  type Condition,
  type FeeEntry,
  type FeeName,
  type TierEffect,
  type TierEntry,
} from './card-entry.ts'
import { NumberField, RateFields } from './fields.tsx'
import styles from './prices.module.css'

interface Props {
  number: number
  tier: TierEntry
  schedules: Readonly<Record<string, Schedule>>
  onChange(tier: TierEntry): void
  onRemove(): void
  /** The error of a field of the tier, or of the tier itself. */
  problemOf(field?: string): string | undefined
}

const EFFECTS: readonly TierEffect[] = ['rates', 'multiply', 'multiplyEach']

/** When a tier applies and what tokens cost in it. */
export function TierFields({ number, tier, schedules, onChange, onRemove, problemOf }: Props) {
  const { t } = useTranslation('settings')
  const { t: names } = useTranslation('rates')
  const problem = problemOf()
  const title = t('prices.card.tier', { number })
  return (
    <fieldset className={styles.tier}>
      <legend className="visually-hidden">{title}</legend>
      <div className={styles.tierHead}>
        <strong>{title}</strong>
        <RowButton label={t('prices.card.removeTier', { number })} onClick={onRemove}>
          <DeleteOutlined aria-hidden />
        </RowButton>
      </div>
      <div className={styles.rateFields}>
        <div>
          <NumberField
            label={t('prices.card.inputAbove')}
            value={tier.inputAbove}
            onChange={(inputAbove) => onChange({ ...tier, inputAbove })}
            problem={problemOf('inputAbove')}
            unit={t('prices.card.tokensPerSearch')}
          />
          {tier.inputAbove !== '' && (
            <Checkbox
              className={styles.inclusive}
              checked={tier.inclusive}
              onChange={(event) => onChange({ ...tier, inclusive: event.target.checked })}
            >
              {t('prices.card.inclusive')}
            </Checkbox>
          )}
        </div>
        {CONDITIONS.map((condition) => (
          <Choice
            key={condition}
            label={t(`prices.card.conditions.${condition}`)}
            value={tier[condition]}
            options={optionsOf(condition)}
            isInvalid={problem !== undefined}
            onChange={(value) => onChange({ ...tier, [condition]: value })}
          />
        ))}
      </div>
      <Form.Item label={t('prices.card.effect')} className={styles.field}>
        <Radio.Group
          aria-label={t('prices.card.effect')}
          optionType="button"
          size="small"
          value={tier.effect}
          onChange={(event) => onChange({ ...tier, effect: event.target.value as TierEffect })}
          options={EFFECTS.map((effect) => ({ value: effect, label: t(`prices.card.effects.${effect}`) }))}
        />
      </Form.Item>
      {tier.effect === 'multiply' ? (
        <div className={styles.rateFields}>
          <NumberField
            label={t('prices.card.factor')}
            value={tier.multiply}
            onChange={(multiply) => onChange({ ...tier, multiply })}
            problem={problemOf('multiply')}
            sign="×"
          />
        </div>
      ) : (
        <RateFields
          rates={tier.rates}
          onChange={(rates) => onChange({ ...tier, rates })}
          problemOf={(bucket) => problemOf(bucket)}
          sign={tier.effect === 'rates' ? '$' : '×'}
        />
      )}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  )

  function optionsOf(condition: Condition): { value: string; label: string }[] {
    if (condition === 'schedule') {
      return Object.entries(schedules).map(([name, schedule]) => ({
        value: name,
        label: `${name}: ${scheduleWords(name, schedule, names)}`,
      }))
    }
    if (condition === 'serviceTier') {
      return CONDITION_VALUES.serviceTier.map((value) => ({ value, label: names(`when.serviceTier.${value}`) }))
    }
    if (condition === 'speed') {
      return CONDITION_VALUES.speed.map((value) => ({ value, label: names(`when.speed.${value}`) }))
    }
    return CONDITION_VALUES.region.map((value) => ({ value, label: names(`when.region.${value}`) }))
  }
}

interface ChoiceProps {
  label: string
  value: string
  options: { value: string; label: string }[]
  isInvalid: boolean
  onChange(value: string): void
}

function Choice({ label, value, options, isInvalid, onChange }: ChoiceProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  return (
    <Form.Item className={styles.field} label={label} htmlFor={id}>
      <Select
        id={id}
        aria-invalid={isInvalid}
        popupMatchSelectWidth={false}
        value={value}
        onChange={onChange}
        options={[{ value: '', label: t('prices.card.any') }, ...options]}
      />
    </Form.Item>
  )
}

interface FeeProps {
  fees: readonly FeeEntry[]
  onChange(fees: readonly FeeEntry[]): void
  problemOf(id: number, field: 'amount' | 'variant'): string | undefined
}

const NAMES: readonly FeeName[] = [...FEES, 'webSearchInputBlock']

/** Fees per unit. A fee with variants has a row for each. */
export function FeeFields({ fees, onChange, problemOf }: FeeProps) {
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
      <NumberField
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
