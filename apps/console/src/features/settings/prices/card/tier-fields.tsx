import { DeleteOutlined } from '@ant-design/icons'
import { CONDITION_VALUES, type Schedule } from '@tidegate/contract/api'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { scheduleWords } from '../../../../lib/rates/tier-words.ts'
import { Checkbox, Form, Radio, Select } from '../../../../ui/kit/index.ts'
import { RowButton } from '../../../../ui/row-button.tsx'
import { FigureField } from '../entry/figure-field.tsx'
import styles from '../prices.module.css'
import { CONDITIONS, type Condition, type TierEffect, type TierEntry } from './card-entry.ts'
import { RateFields } from './rate-fields.tsx'

interface Props {
  number: number
  tier: TierEntry
  schedules: Readonly<Record<string, Schedule>>
  onChange(tier: TierEntry): void
  onRemove(): void
  /** Says what is wrong with a field of the tier, or with the tier itself. */
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
          <FigureField
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
          <FigureField
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
