import { MAX_QUOTA, TOKEN_NAME_MAX_LENGTH } from '@tidegate/contract/api'
import dayjs, { type Dayjs } from 'dayjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../components/money-input.tsx'
import { AmountPresets, Presets } from '../../components/presets.tsx'
import { formatCallPrice } from '../../lib/format.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Button, DatePicker, Form, Input, InputNumber, Radio, Select } from '../../ui/kit/index.ts'
import { ownGroupsQuery } from './api.ts'
import { GroupRatio } from './columns.tsx'
import type { NewTokenValues, QuotaMode, TokenValues } from './token-values.ts'
import styles from './tokens.module.css'

export function NameField() {
  const { t } = useTranslation('tokens')
  const first = useFirstFocus()
  return (
    <Form.Item<TokenValues>
      name="name"
      label={t('form.name')}
      extra={t('form.nameHint')}
      rules={[
        { required: true, whitespace: true, message: t('form.nameRequired') },
        { max: TOKEN_NAME_MAX_LENGTH, message: t('form.nameLong', { max: TOKEN_NAME_MAX_LENGTH }) },
      ]}
    >
      <Input ref={first} autoComplete="off" />
    </Form.Item>
  )
}

const COUNT_PRESETS = [10, 20, 30, 100]

export function CountField() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<NewTokenValues>()
  const count = Form.useWatch('count', form) ?? null
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
        choices={COUNT_PRESETS.map((value) => ({ value, text: t('form.countPreset', { count: value }) }))}
        chosen={count}
        onChoose={(value) => form.setFields([{ name: 'count', value, touched: true, errors: [] }])}
      />
    </Form.Item>
  )
}

const FORMAT = 'YYYY-MM-DD HH:mm:ss'

const SHORTCUTS: { key: 'never' | 'hour' | 'day' | 'month'; from(now: Dayjs): Dayjs | null }[] = [
  { key: 'never', from: () => null },
  { key: 'hour', from: (now) => now.add(1, 'hour') },
  { key: 'day', from: (now) => now.add(1, 'day') },
  { key: 'month', from: (now) => now.add(30, 'day') },
]

/** `stored` may be in the past: an unchanged expiry is valid. */
export function ExpiryField({ stored = null }: { stored?: Dayjs | null }) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  // The date picker has no event for text that it cannot parse.
  const isUnreadable = useRef(false)
  const choose = (value: Dayjs | null) => {
    isUnreadable.current = false
    form.setFields([{ name: 'expires', value, touched: true, errors: [] }])
  }
  const readText = ({ target }: FocusEvent<HTMLElement>) => {
    const text = target instanceof HTMLInputElement ? target.value.trim() : ''
    isUnreadable.current = text !== '' && !dayjs(text, FORMAT, true).isValid()
    void form.validateFields(['expires']).catch(() => {})
  }
  const check = (_: unknown, value?: Dayjs | null) => {
    if (isUnreadable.current) return Promise.reject(new Error(t('form.expiresUnreadable')))
    const isPast = value && !value.isAfter(dayjs()) && value.unix() !== stored?.unix()
    return isPast ? Promise.reject(new Error(t('form.expiresPast'))) : Promise.resolve()
  }
  return (
    <Form.Item label={t('form.expires')} htmlFor="expires" extra={t('form.expiresHint')}>
      <Form.Item<TokenValues> name="expires" noStyle rules={[{ validator: check }]}>
        <DatePicker
          id="expires"
          showTime
          format={FORMAT}
          needConfirm={false}
          preserveInvalidOnBlur
          className={styles.wide}
          placeholder={t('never')}
          onChange={() => {
            isUnreadable.current = false
          }}
          onBlur={readText}
          onKeyDown={keepForm}
        />
      </Form.Item>
      <fieldset className={styles.presets} aria-label={t('form.expiresPresets')}>
        {SHORTCUTS.map(({ key, from }) => (
          <Button key={key} size="small" onClick={() => choose(from(dayjs()))}>
            {t(`form.shortcuts.${key}`)}
          </Button>
        ))}
      </fieldset>
    </Form.Item>
  )
}

/** Enter accepts the typed time and must not submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

interface GroupProps {
  /** Listed as an option even if it is no longer offered. */
  stored?: string
  isNew?: boolean
}

export function GroupField({ stored = '', isNew = false }: GroupProps) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const groups = useQuery(ownGroupsQuery)
  const offered = groups.data ?? {}
  const names = [...new Set([...Object.keys(offered), ...(stored ? [stored] : [])])]
  const options = names.map((name) => {
    const { desc = name, ratio } = offered[name] ?? {}
    const description = desc === '' ? t('autoGroup') : desc
    return { value: name, label: description === name ? name : `${name} · ${description}`, ratio }
  })
  const initial = isNew ? names.find((name) => offered[name]?.is_default) : undefined
  useEffect(() => {
    if (initial !== undefined && !form.isFieldTouched('group')) form.setFieldValue('group', initial)
  }, [form, initial])
  return (
    <Form.Item<TokenValues> name="group" label={t('form.group')} extra={t('form.groupHint')}>
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('ownGroup')}
        options={options}
        optionRender={renderOption}
        loading={groups.isPending}
      />
    </Form.Item>
  )
}

function renderOption({ label, data }: { label?: ReactNode; data: { ratio: number | undefined } }) {
  return (
    <span className={styles.option}>
      <span className={styles.optionName}>{label}</span>
      {data.ratio !== undefined && <GroupRatio ratio={data.ratio} />}
    </span>
  )
}

const MODES: readonly QuotaMode[] = ['total', 'budget', 'unlimited']
const AMOUNT_PRESETS = [1, 10, 50, 100, 500, 1000]

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
      {mode === 'total' && <AmountField name="quota" label={t('form.quota')} min={0} />}
      {mode === 'budget' && (
        <>
          <AmountField name="budget" label={t('form.budget')} min={1} />
          <BudgetFields />
        </>
      )}
    </>
  )
}

interface AmountProps {
  name: 'quota' | 'budget'
  label: string
  min: number
}

/** An amount of money, with common amounts below. */
function AmountField({ name, label, min }: AmountProps) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const quota = Form.useWatch(name, form) ?? null
  return (
    <Form.Item label={label} htmlFor={name}>
      <Form.Item<TokenValues>
        name={name}
        noStyle
        rules={[
          { required: true, message: t('form.amountRequired') },
          {
            type: 'integer',
            min: min,
            max: MAX_QUOTA,
            message: t('form.amountInvalid', { least: formatCallPrice(min) }),
          },
        ]}
      >
        <MoneyInput id={name} className={styles.wide} />
      </Form.Item>
      <AmountPresets
        label={t('form.presets')}
        amounts={AMOUNT_PRESETS}
        chosen={quota}
        onChoose={(value) => form.setFields([{ name, value, touched: true, errors: [] }])}
      />
    </Form.Item>
  )
}

const PERIODS = ['day', 'week', 'month'] as const

/** The period of a budget, and the time zone in which it starts. */
function BudgetFields() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const zone = Form.useWatch('zone', form)
  const zones = useMemo(
    () =>
      [...new Set([...(zone ? [zone] : []), 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
        value,
        label: value,
      })),
    [zone],
  )
  return (
    <div className={styles.columns}>
      <Form.Item<TokenValues> name="period" label={t('form.period')}>
        <Select options={PERIODS.map((value) => ({ value, label: t(`form.periods.${value}`) }))} />
      </Form.Item>
      <Form.Item<TokenValues> name="zone" label={t('form.zone')} extra={t('form.zoneHint')}>
        <Select showSearch options={zones} />
      </Form.Item>
    </div>
  )
}
