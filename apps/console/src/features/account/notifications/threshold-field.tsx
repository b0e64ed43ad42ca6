import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Button, Form, InputNumber } from '../../../ui/kit/index.ts'
import { inDollars } from '../in-dollars.ts'
import me from '../account.module.css'
import type { NoticeValues } from './notice-values.ts'
import styles from './notices.module.css'

const PRESETS = [100_000, 500_000, 1_000_000, 5_000_000]
/** Beyond this a number is no longer exact. */
const MAXIMUM = 9_000_000_000_000_000

export function ThresholdField() {
  const { t } = useTranslation('me')
  const form = Form.useFormInstance<NoticeValues>()
  const threshold = Form.useWatch('quota_warning_threshold', form)
  const hint = typeof threshold === 'number' ? t('notices.thresholdHint', { money: inDollars(threshold) }) : ' '
  return (
    <Form.Item label={t('notices.threshold')} htmlFor="quota_warning_threshold" extra={hint}>
      <Form.Item<NoticeValues>
        name="quota_warning_threshold"
        noStyle
        rules={[
          {
            validator: (_, value: unknown) =>
              typeof value === 'number' && Number.isSafeInteger(value) && value > 0
                ? Promise.resolve()
                : Promise.reject(new Error(t('notices.errors.threshold'))),
          },
        ]}
      >
        <InputNumber<number | string>
          id="quota_warning_threshold"
          className={me.wide}
          max={MAXIMUM}
          step={100_000}
          suffix={t('notices.points')}
          formatter={(value) => String(value ?? '').replace(/\B(?=(\d{3})+$)/g, ',')}
          parser={(written = '') => written.replaceAll(',', '')}
        />
      </Form.Item>
      <fieldset className={styles.presets} aria-label={t('notices.presets')}>
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            size="small"
            onClick={() => form.setFields([{ name: 'quota_warning_threshold', value: preset, errors: [] }])}
          >
            {formatCount(preset)} · {inDollars(preset)}
          </Button>
        ))}
      </fieldset>
    </Form.Item>
  )
}
