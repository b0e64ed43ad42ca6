import { Button, Form, InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatCount, moneyRules } from '../../lib/format.ts'
import type { TokenValues } from './token-values.ts'
import styles from './tokens.module.css'

const PRESETS = [1, 10, 50, 100, 500, 1000]

export function QuotaFields() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const unlimited = Form.useWatch('unlimited', form) ?? false
  const amount = Form.useWatch('amount', form) ?? 0
  const { quotaPerUnit } = moneyRules()
  return (
    <>
      <div className={styles.switch}>
        <Form.Item<TokenValues> name="unlimited" valuePropName="checked" noStyle>
          <Switch id="token-unlimited" aria-label={t('form.unlimited')} />
        </Form.Item>
        <label htmlFor="token-unlimited">{t('form.unlimited')}</label>
        <span className="secondary">{t('form.unlimitedHint')}</span>
      </div>
      {!unlimited && (
        <Form.Item label={t('form.amount')} htmlFor="amount" extra={hint()}>
          <Form.Item<TokenValues> name="amount" noStyle rules={[{ required: true, message: t('form.amountRequired') }]}>
            <InputNumber id="amount" className={styles.wide} prefix="$" min={0} max={1_000_000_000} step={1} />
          </Form.Item>
          <fieldset className={styles.presets} aria-label={t('form.presets')}>
            {PRESETS.map((preset) => (
              <Button key={preset} size="small" onClick={() => form.setFieldValue('amount', preset)}>
                ${preset}
              </Button>
            ))}
          </fieldset>
        </Form.Item>
      )}
    </>
  )

  function hint(): string {
    return t('form.amountHint', { quota: formatCount(Math.round(amount * quotaPerUnit)) })
  }
}
