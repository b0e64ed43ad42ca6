import { useTranslation } from 'react-i18next'
import { dollars, formatBalance, formatCallPrice, formatCount, moneyRules } from '../../../lib/format.ts'
import { Form, Radio } from '../../../ui/kit/index.ts'
import { MoneyInput } from '../../../ui/money-input.tsx'
import styles from '../tokens.module.css'
import { BudgetFields } from './budget-fields.tsx'
import { Presets } from './presets.tsx'
import type { QuotaMode, TokenValues } from './token-values.ts'

const MODES: readonly QuotaMode[] = ['total', 'budget', 'unlimited']
const PRESETS = [1, 10, 50, 100, 500, 1000]
const MAX_QUOTA = 9_000_000_000_000_000

export function QuotaFields() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const mode = Form.useWatch('mode', form)
  return (
    <>
      <Form.Item<TokenValues> name="mode" label={t('form.mode')} {...(mode && { extra: t(`form.modeHints.${mode}`) })}>
        <Radio.Group
          aria-label={t('form.mode')}
          options={MODES.map((value) => ({ value, label: t(`form.modes.${value}`) }))}
        />
      </Form.Item>
      {mode === 'total' && <AmountField name="quota" label={t('form.quota')} least={0} />}
      {mode === 'budget' && (
        <>
          <AmountField name="budget" label={t('form.budget')} least={1} />
          <BudgetFields />
        </>
      )}
    </>
  )
}

interface AmountProps {
  name: 'quota' | 'budget'
  label: string
  least: number
}

/** An amount of money; the quota that is stored for it stands beneath. */
function AmountField({ name, label, least }: AmountProps) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const quota = Form.useWatch(name, form) ?? 0
  const choices = PRESETS.map((amount) => ({
    value: Math.round(amount * moneyRules().quotaPerUnit),
    text: dollars(amount, 0, 0),
  }))
  return (
    <Form.Item
      label={label}
      htmlFor={name}
      extra={t('form.amountHint', { quota: formatCount(quota), money: formatBalance(quota) })}
    >
      <Form.Item<TokenValues>
        name={name}
        noStyle
        rules={[
          { required: true, message: t('form.amountRequired') },
          {
            type: 'integer',
            min: least,
            max: MAX_QUOTA,
            message: t('form.amountInvalid', { least: formatCallPrice(least) }),
          },
        ]}
      >
        <MoneyInput id={name} className={styles.wide} />
      </Form.Item>
      <Presets
        label={t('form.presets')}
        choices={choices}
        onChoose={(value) => form.setFields([{ name, value, touched: true, errors: [] }])}
      />
    </Form.Item>
  )
}
