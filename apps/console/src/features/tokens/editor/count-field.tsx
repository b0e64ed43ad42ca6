import { useTranslation } from 'react-i18next'
import { Form, InputNumber } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'
import { Presets } from './presets.tsx'
import type { NewTokenValues } from './token-values.ts'

const PRESETS = [10, 20, 30, 100]

export function CountField() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<NewTokenValues>()
  return (
    <Form.Item label={t('form.count')} htmlFor="count" extra={t('form.countHint')}>
      <Form.Item<NewTokenValues>
        name="count"
        noStyle
        rules={[{ required: true, type: 'integer', min: 1, message: t('form.countInvalid') }]}
      >
        <InputNumber id="count" className={styles.wide} />
      </Form.Item>
      <Presets
        label={t('form.countPresets')}
        choices={PRESETS.map((count) => ({ value: count, text: t('form.countPreset', { count }) }))}
        onChoose={(value) => form.setFields([{ name: 'count', value, touched: true, errors: [] }])}
      />
    </Form.Item>
  )
}
