import { useTranslation } from 'react-i18next'
import { Form, InputNumber } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'
import { SwitchField } from './switch-field.tsx'
import type { TokenValues } from './token-values.ts'

const FIELDS = ['ratePeriod', 'rateCount', 'rateSuccess'] as const
const MOST = 2_147_483_647

export function RateFields() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const isLimited = Form.useWatch('limitsRate', form) ?? false
  return (
    <>
      <SwitchField name="limitsRate" label={t('form.limitsRate')} hint={t('form.limitsRateHint')} />
      {isLimited && (
        <div className={styles.columns}>
          {FIELDS.map((name) => (
            <Form.Item<TokenValues>
              key={name}
              name={name}
              label={t(`form.${name}`)}
              rules={[{ required: true, type: 'integer', min: 0, max: MOST, message: t('form.rateInvalid') }]}
            >
              <InputNumber className={styles.wide} />
            </Form.Item>
          ))}
        </div>
      )}
    </>
  )
}
