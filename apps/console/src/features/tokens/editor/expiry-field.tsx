import dayjs, { type Dayjs } from 'dayjs'
import { useRef, type FocusEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, DatePicker, Form } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'
import type { TokenValues } from './token-values.ts'

const FORMAT = 'YYYY-MM-DD HH:mm:ss'

const SHORTCUTS: { key: 'never' | 'hour' | 'day' | 'month'; from(now: Dayjs): Dayjs | null }[] = [
  { key: 'never', from: () => null },
  { key: 'hour', from: (now) => now.add(1, 'hour') },
  { key: 'day', from: (now) => now.add(1, 'day') },
  { key: 'month', from: (now) => now.add(30, 'day') },
]

/** `stored` may lie in the past: an expiry that nobody touches is no mistake. */
export function ExpiryField({ stored = null }: { stored?: Dayjs | null }) {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  // The kit tells nobody about a text it cannot read.
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

/** Enter takes the time that was typed, which is not yet a wish to submit the form. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}
