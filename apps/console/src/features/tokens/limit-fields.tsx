import { MAX_CONCURRENCY, MAX_RATE_LIMIT, MAX_TOKENS_PER_MINUTE } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { Button, Form, Input, InputNumber, Select, Switch } from '../../ui/kit/index.ts'
import { ownModelsQuery } from './api.ts'
import type { TokenValues } from './token-values.ts'
import styles from './tokens.module.css'

/** Options include `stored` names, which can stay even if no channel serves them. */
export function ModelFields({ stored }: { stored: readonly string[] }) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const isLimited = Form.useWatch('limitsModels', form) ?? false
  const models = useQuery(ownModelsQuery)
  const names = [...new Set([...(models.data ?? []), ...stored])]
  const choose = (value: string[]) => form.setFields([{ name: 'models', value, touched: true, errors: [] }])
  return (
    <>
      <SwitchField name="limitsModels" label={t('form.limitsModels')} hint={t('form.limitsModelsHint')} />
      {isLimited && (
        <Form.Item label={t('form.models')} htmlFor="models">
          <Form.Item<TokenValues>
            name="models"
            noStyle
            rules={[{ required: true, type: 'array', min: 1, message: t('form.modelsRequired') }]}
          >
            <Select
              id="models"
              mode="multiple"
              allowClear
              maxTagCount={20}
              placeholder={t('form.modelsHint')}
              options={names.map((name) => ({ value: name, label: name }))}
              loading={models.isPending}
            />
          </Form.Item>
          <div className={styles.presets}>
            <Button size="small" disabled={names.length === 0} onClick={() => choose(names)}>
              {t('form.modelsAll', { count: names.length })}
            </Button>
          </div>
        </Form.Item>
      )}
    </>
  )
}

export function AddressField() {
  const { t } = useTranslation('tokens')
  return (
    <Form.Item<TokenValues> name="addresses" label={t('form.addresses')} extra={t('form.addressesHint')}>
      <Input.TextArea
        className="mono"
        autoSize={{ minRows: 2, maxRows: 8 }}
        placeholder={'203.0.113.7\n10.0.0.0/8'}
        spellCheck={false}
      />
    </Form.Item>
  )
}

const RATE_FIELDS = ['ratePeriod', 'rateCount', 'rateSuccess'] as const

export function RateFields() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const isLimited = Form.useWatch('limitsRate', form) ?? false
  return (
    <>
      <SwitchField name="limitsRate" label={t('form.limitsRate')} hint={t('form.limitsRateHint')} />
      {isLimited && (
        <div className={styles.columns}>
          {RATE_FIELDS.map((name) => (
            <Form.Item<TokenValues>
              key={name}
              name={name}
              label={t(`form.${name}`)}
              rules={[{ required: true, type: 'integer', min: 0, max: MAX_RATE_LIMIT, message: t('form.rateInvalid') }]}
            >
              <InputNumber className={styles.wide} />
            </Form.Item>
          ))}
        </div>
      )}
    </>
  )
}

const THROUGHPUT_FIELDS = [
  { name: 'tokensPerMinute', max: MAX_TOKENS_PER_MINUTE },
  { name: 'concurrency', max: MAX_CONCURRENCY },
] as const

/** Model tokens per minute and concurrent requests. They need no switch, because 0 means no limit. */
export function ThroughputFields() {
  const { t } = useTranslation('tokens')
  return (
    <div className={styles.columns}>
      {THROUGHPUT_FIELDS.map(({ name, max }) => (
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
              max,
              message: t('form.throughputInvalid', { most: formatCount(max) }),
            },
          ]}
        >
          <InputNumber className={styles.wide} />
        </Form.Item>
      ))}
    </div>
  )
}

/** Whether the Responses API may store what this token sends. */
export function StorageField() {
  const { t } = useTranslation('tokens')
  return <SwitchField name="storesResponses" label={t('form.storesResponses')} hint={t('form.storesResponsesHint')} />
}

interface Props {
  name: 'limitsModels' | 'limitsRate' | 'storesResponses'
  label: string
  hint: string
}

function SwitchField({ name, label, hint }: Props) {
  return (
    <div className={styles.switch}>
      <Form.Item<TokenValues> name={name} valuePropName="checked" noStyle>
        <Switch id={name} aria-label={label} />
      </Form.Item>
      <label htmlFor={name}>{label}</label>
      <span className="secondary">{hint}</span>
    </div>
  )
}
