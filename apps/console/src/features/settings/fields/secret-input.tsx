import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Input, Space } from '../../../ui/kit/index.ts'

interface Props {
  id?: string
  /** Blank: as it was. Null: to be cleared. */
  value?: string | null
  onChange?(value: string | null): void
  label: string
  isSet: boolean
}

/** Written, never read. One that is set is replaced or cleared on demand, so that no browser fills it by itself. */
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
  // After it was saved the field is blank again: what is set now is offered for another replacement.
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
