import { MAX_QUOTA, REDEMPTION_LIMITS, UNLIMITED_USES } from '@tidegate/contract/api'
import type { Dayjs } from 'dayjs'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../../components/money-input.tsx'
import { AmountPresets } from '../../components/presets.tsx'
import { formatBalance, formatCount } from '../../lib/format.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Button, DatePicker, Form, Input, InputNumber, Space, Switch } from '../../ui/kit/index.ts'
import { nameFor, totalValue, type CodeValues, type NewCodeValues } from './code-values.ts'
import styles from './codes.module.css'

const transform = (text: string) => text.trim()

/** New codes without a name are named after their value. */
export function NameField({ isNew = false }: { isNew?: boolean }) {
  const { t } = useTranslation('coupons')
  const first = useFirstFocus()
  const quota = Form.useWatch<number | null | undefined>('quota') ?? 0
  const max = REDEMPTION_LIMITS.name
  return (
    <Form.Item<CodeValues>
      name="name"
      label={t('form.name')}
      extra={t(isNew ? 'form.newNameHint' : 'form.nameHint', { max })}
      rules={[
        { required: !isNew, whitespace: !isNew, message: t('problems.nameBlank') },
        { max, transform, message: t('problems.nameLong', { max }) },
      ]}
    >
      <Input ref={first} autoComplete="off" {...(isNew && quota > 0 && { placeholder: nameFor(quota) })} />
    </Form.Item>
  )
}

const PRESETS = [1, 10, 50, 100, 500, 1000]

/** The value of each code as an amount of money, with the stored quota on hover. */
export function ValueField({ disabled = false }: { disabled?: boolean }) {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<CodeValues>()
  const quota = Form.useWatch('quota', form) ?? 0
  return (
    <Form.Item label={t('form.quota')} htmlFor="quota" tooltip={t('form.quotaHint', { quota: formatCount(quota) })}>
      <Form.Item<CodeValues>
        name="quota"
        noStyle
        validateFirst
        rules={[
          { required: true, message: t('problems.quotaBlank') },
          { type: 'integer', min: 1, max: MAX_QUOTA, message: t('problems.quotaRange') },
        ]}
      >
        <MoneyInput id="quota" className={styles.wide} disabled={disabled} />
      </Form.Item>
      {!disabled && (
        <AmountPresets
          label={t('form.presets')}
          amounts={PRESETS}
          onChoose={(value) => form.setFields([{ name: 'quota', value, touched: true, errors: [] }])}
        />
      )}
    </Form.Item>
  )
}

/** Many users can redeem a gift code, once each. */
export function GiftFields({ disabled = false }: { disabled?: boolean }) {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<CodeValues>()
  const isGift = Form.useWatch('is_gift', form) ?? false
  const checkUses = (_: unknown, uses: number | null) =>
    uses === UNLIMITED_USES || (uses !== null && uses >= 1 && uses <= REDEMPTION_LIMITS.uses)
      ? Promise.resolve()
      : Promise.reject(new Error(t('problems.usesInvalid')))
  return (
    <>
      <div className={styles.switch}>
        <Form.Item<CodeValues> name="is_gift" valuePropName="checked" noStyle>
          <Switch id="is_gift" aria-label={t('form.gift')} disabled={disabled} />
        </Form.Item>
        <label htmlFor="is_gift">{t('form.gift')}</label>
        <span className="secondary">{t('form.giftHint')}</span>
      </div>
      {isGift && (
        <Form.Item label={t('form.uses')} htmlFor="max_uses" extra={t('form.usesHint')}>
          <Space.Compact block>
            <Form.Item<CodeValues> name="max_uses" noStyle rules={[{ validator: checkUses }]}>
              <InputNumber id="max_uses" className={styles.wide} precision={0} controls={false} disabled={disabled} />
            </Form.Item>
            <Button
              disabled={disabled}
              onClick={() => form.setFields([{ name: 'max_uses', value: UNLIMITED_USES, touched: true, errors: [] }])}
            >
              {t('form.unlimited')}
            </Button>
          </Space.Compact>
        </Form.Item>
      )}
    </>
  )
}

/** Start and end; both are optional. */
export function ValidityFields() {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<CodeValues>()
  const checkEnd = (_: unknown, until: Dayjs | null) => {
    const from = form.getFieldValue('from') as Dayjs | null
    const isReversed = from && until && from.unix() >= until.unix()
    return isReversed ? Promise.reject(new Error(t('problems.windowInvalid'))) : Promise.resolve()
  }
  return (
    <div className={styles.pair}>
      <Form.Item<CodeValues> name="from" label={t('form.from')} extra={t('form.fromHint')}>
        <DatePicker showTime className={styles.wide} placeholder={t('form.fromNow')} onKeyDown={keepForm} />
      </Form.Item>
      <Form.Item<CodeValues>
        name="until"
        label={t('form.until')}
        extra={t('form.untilHint')}
        dependencies={['from']}
        rules={[{ validator: checkEnd }]}
      >
        <DatePicker showTime className={styles.wide} placeholder={t('form.untilEver')} onKeyDown={keepForm} />
      </Form.Item>
    </div>
  )
}

/** Enter accepts the typed time and must not submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** Either one custom code, or a number of random codes. */
export function KeyFields() {
  const { t } = useTranslation('coupons')
  const form = Form.useFormInstance<NewCodeValues>()
  const hasKey = (Form.useWatch('key', form) ?? '').trim() !== ''
  const limits = { max: REDEMPTION_LIMITS.key }
  const counts = { max: REDEMPTION_LIMITS.count }
  return (
    <>
      <Form.Item<NewCodeValues>
        name="key"
        label={t('form.key')}
        extra={t('form.keyHint', limits)}
        validateFirst
        rules={[
          { ...limits, transform, message: t('problems.keyInvalid', limits) },
          { pattern: /^[^\p{C}\s]*$/u, transform, message: t('problems.keyInvalid', limits) },
        ]}
      >
        <Input className="mono" autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      {hasKey ? (
        <Form.Item label={t('form.count')} htmlFor="one" extra={t('form.countWithKey')}>
          <InputNumber id="one" className={styles.wide} value={1} disabled />
        </Form.Item>
      ) : (
        <Form.Item<NewCodeValues>
          name="count"
          label={t('form.count')}
          extra={t('form.countHint', counts)}
          rules={[{ required: true, type: 'integer', min: 1, ...counts, message: t('problems.countInvalid', counts) }]}
          preserve
        >
          <InputNumber className={styles.wide} precision={0} />
        </Form.Item>
      )}
    </>
  )
}

/** The most that the new codes can add to balances. */
export function TotalValue() {
  const { t } = useTranslation('coupons')
  const values = Form.useWatch((all: NewCodeValues) => all) as NewCodeValues | undefined
  const total = totalValue(values ?? {})
  if (total === undefined) return null
  return (
    <output className={styles.total} data-warns={total === null || undefined}>
      {total === null ? t('form.worthUnlimited') : t('form.worth', { money: formatBalance(total) })}
    </output>
  )
}
