import { useTranslation } from 'react-i18next'
import { dollars, formatCount, moneyRules } from '../../../lib/format.ts'
import { Button, Form } from '../../../ui/kit/index.ts'
import { MoneyInput } from '../../../ui/money-input.tsx'
import styles from '../coupons.module.css'
import { quotaProblem } from './coupon-rules.ts'
import type { CouponValues } from './coupon-values.ts'
import { useRule } from './use-rule.ts'

const PRESETS = [1, 10, 50, 100, 500, 1000]

/** What each code is worth, as an amount of money; the quota that is stored for it stands beneath. */
export function QuotaField({ disabled = false }: { disabled?: boolean }) {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<CouponValues>()
  const quota = Form.useWatch('quota', form) ?? 0
  const rule = useRule()
  const choose = (preset: number) => {
    const value = Math.round(preset * moneyRules().quotaPerUnit)
    form.setFields([{ name: 'quota', value, touched: true, errors: [] }])
  }
  return (
    <Form.Item label={t('form.quota')} htmlFor="quota" extra={t('form.quotaHint', { quota: formatCount(quota) })}>
      <Form.Item<CouponValues> name="quota" noStyle rules={[rule(quotaProblem)]}>
        <MoneyInput id="quota" className={styles.wide} disabled={disabled} />
      </Form.Item>
      {!disabled && (
        <fieldset className={styles.presets} aria-label={t('form.presets')}>
          {PRESETS.map((preset) => (
            <Button key={preset} size="small" onClick={() => choose(preset)}>
              {dollars(preset, 0, 0)}
            </Button>
          ))}
        </fieldset>
      )}
    </Form.Item>
  )
}
