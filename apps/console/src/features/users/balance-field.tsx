import { MAX_QUOTA } from '@tidegate/contract/api'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../components/money-input.tsx'
import { AmountPresets } from '../../components/presets.tsx'
import { formatBalance, formatCount } from '../../lib/format.ts'
import { Form } from '../../ui/kit/index.ts'
import type { UserValues } from './user-values.ts'
import styles from './users.module.css'

export const PRESETS = [1, 10, 50, 100]

export interface BalanceRules {
  /** A balance that does not change is always allowed. */
  stored: number
  /** Only the super admin may make a balance negative. */
  mayBeNegative: boolean
}

export function balanceProblem(quota: number | null, { stored, mayBeNegative }: BalanceRules) {
  if (quota === null) return 'blank'
  if (quota === stored) return null
  if (!Number.isSafeInteger(quota) || Math.abs(quota) > MAX_QUOTA) return 'range'
  return quota < 0 && !mayBeNegative ? 'debt' : null
}

/** `+$5.00`, `-$2.50`. */
export const signedAmount = (quota: number): string => `${quota > 0 ? '+' : ''}${formatBalance(quota)}`

/** Sets the balance to an amount. Shows what saving changes. */
export function BalanceField(rules: BalanceRules) {
  const { t } = useTranslation('users')
  const form = Form.useFormInstance<UserValues>()
  const { stored } = rules
  const shown = useRef(stored)
  // After a top-up, saving the form must not restore the previous balance.
  useEffect(() => {
    const isUnchanged = form.getFieldValue('quota') === shown.current
    if (isUnchanged && stored !== shown.current) form.setFields([{ name: 'quota', value: stored, touched: false }])
    shown.current = stored
  }, [form, stored])
  const quota = Form.useWatch('quota', form) ?? rules.stored
  const difference = quota - rules.stored
  const check = (_: unknown, value: number | null = null) => {
    const problem = balanceProblem(value, rules)
    return problem ? Promise.reject(new Error(t(`quota.${problem}`))) : Promise.resolve()
  }
  const hint =
    difference === 0
      ? t('quota.stored', { quota: formatCount(quota) })
      : t('quota.change', { before: formatBalance(rules.stored), amount: signedAmount(difference) })
  return (
    <Form.Item label={t('form.quota')} htmlFor="quota" extra={hint}>
      <Form.Item<UserValues> name="quota" noStyle rules={[{ validator: check }]}>
        <MoneyInput id="quota" className={styles.wide} />
      </Form.Item>
      <AmountPresets
        label={t('quota.presets')}
        amounts={PRESETS}
        sign="+"
        onChoose={(amount) => form.setFields([{ name: 'quota', value: quota + amount, touched: true, errors: [] }])}
      />
    </Form.Item>
  )
}
