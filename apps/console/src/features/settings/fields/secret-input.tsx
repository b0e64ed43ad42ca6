import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Input, Space } from '../../../ui/kit/index.ts'

interface Props {
  id?: string
  /** Blank keeps the secret, null clears it. */
  value?: string | null
  onChange?(value: string | null): void
  label: string
  isSet: boolean
}

/** A write-only secret. A stored one has buttons instead of a field, so that browsers do not autofill it. */
export function SecretInput({ id, value = '', onChange, label, isSet }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [isReplacing, setReplacing] = useState(false)
  const keep = () => {
    onChange?.('')
    setReplacing(false)
  }
  if (value === null) {
    return (
      <Space wrap>
        <span>{t('secret.willClear')}</span>
        <Button id={id} onClick={keep}>
          {t('secret.keep')}
        </Button>
      </Space>
    )
  }
  if (isSet && !isReplacing) {
    return (
      <Space wrap>
        <Button id={id} aria-label={t('secret.replaceOf', { label })} onClick={() => setReplacing(true)}>
          {t('secret.replace')}
        </Button>
        <Button danger aria-label={t('secret.clearOf', { label })} onClick={() => onChange?.(null)}>
          {t('secret.clear')}
        </Button>
      </Space>
    )
  }
  return (
    <Space.Compact block>
      <Input.Password
        id={id}
        className="mono"
        autoComplete="new-password"
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      {isSet && <Button onClick={keep}>{common('cancel')}</Button>}
    </Space.Compact>
  )
}
