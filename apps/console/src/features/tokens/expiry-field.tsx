import { Button, DatePicker, Form } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useTranslation } from 'react-i18next'
import type { TokenValues } from './token-values.ts'
import styles from './tokens.module.css'

const SHORTCUTS: { key: 'never' | 'hour' | 'day' | 'month'; from(now: Dayjs): Dayjs | null }[] = [
  { key: 'never', from: () => null },
  { key: 'hour', from: (now) => now.add(1, 'hour') },
  { key: 'day', from: (now) => now.add(1, 'day') },
  { key: 'month', from: (now) => now.add(30, 'day') },
]

export function ExpiryField() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const choose = (value: Dayjs | null) => {
    form.setFieldValue('expires', value)
    void form.validateFields(['expires'])
  }
  return (
    <Form.Item label={t('form.expires')} htmlFor="expires" extra={t('form.expiresHint')}>
      <Form.Item<TokenValues>
        name="expires"
        noStyle
        rules={[
          {
            validator: (_, value?: Dayjs | null) =>
              value && !value.isAfter(dayjs()) ? Promise.reject(new Error(t('form.expiresPast'))) : Promise.resolve(),
          },
        ]}
      >
        <DatePicker id="expires" showTime className={styles.wide} placeholder={t('never')} />
      </Form.Item>
      <fieldset className={styles.presets} aria-label={t('form.expires')}>
        {SHORTCUTS.map(({ key, from }) => (
          <Button key={key} size="small" onClick={() => choose(from(dayjs()))}>
            {t(`form.shortcuts.${key}`)}
          </Button>
        ))}
      </fieldset>
    </Form.Item>
  )
}
