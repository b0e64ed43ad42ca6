import { MAX_CONCURRENCY, MAX_TOKENS_PER_MINUTE } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Form, InputNumber } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'
import type { TokenValues } from './token-values.ts'

const FIELDS = [
  { name: 'tokensPerMinute', most: MAX_TOKENS_PER_MINUTE },
  { name: 'concurrency', most: MAX_CONCURRENCY },
] as const

/** How much at a time: model tokens in a minute, and calls side by side. They need no switch: 0 is no limit. */
export function ThroughputFields() {
  const { t } = useTranslation('tokens')
  return (
    <div className={styles.columns}>
      {FIELDS.map(({ name, most }) => (
        <Form.Item<TokenValues>
          key={name}
          name={name}
          label={t(`form.${name}`)}
          extra={t(`form.${name}Hint`)}
          rules={[
            {
              required: true,
              type: 'integer',
              min: 0,
              max: most,
              message: t('form.throughputInvalid', { most: formatCount(most) }),
            },
          ]}
        >
          <InputNumber className={styles.wide} />
        </Form.Item>
      ))}
    </div>
  )
}
