import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { NEVER_EXPIRES, TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { RowButton } from '../../../ui/row-button.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { Time } from '../../../ui/time.tsx'
import { keyOf, maskedKeyOf } from '../token-words.ts'
import styles from '../tokens.module.css'

/** Facts of a token that read the same in a table and on a card. */

export function TokenStatus({ token }: { token: Pick<ApiToken, 'status' | 'model_limits_enabled'> }) {
  const { t } = useTranslation('tokens')
  switch (token.status) {
    case TOKEN_STATUS.enabled:
      return <StatusTag tone="good">{token.model_limits_enabled ? t('status.limited') : t('status.enabled')}</StatusTag>
    case TOKEN_STATUS.disabled:
      return <StatusTag tone="neutral">{t('status.disabled')}</StatusTag>
    case TOKEN_STATUS.expired:
      return <StatusTag tone="warn">{t('status.expired')}</StatusTag>
    case TOKEN_STATUS.exhausted:
      return <StatusTag tone="bad">{t('status.exhausted')}</StatusTag>
    default:
      return <StatusTag tone="neutral">{t('status.unknown')}</StatusTag>
  }
}

/** What the row is about, and whether it is still in use. */
export function TokenName({ token }: { token: Pick<ApiToken, 'name' | 'accessed_time'> }) {
  const { t } = useTranslation('tokens')
  return (
    <span className={styles.nameCell}>
      <span className={styles.name} title={token.name}>
        {token.name}
      </span>
      <span className={`secondary ${styles.small}`}>
        {token.accessed_time !== 0 && `${t('usedLast')} `}
        <TokenLastUse token={token} />
      </span>
    </span>
  )
}

/** The key, hidden until asked for: people share their screens. */
export function TokenKey({ token }: { token: Pick<ApiToken, 'key' | 'name'> }) {
  const { t } = useTranslation('tokens')
  const [shown, setShown] = useState(false)
  const { name } = token
  return (
    <span className={styles.key}>
      <code className={`mono ${styles.keyText}`}>{shown ? keyOf(token) : maskedKeyOf(token)}</code>
      <RowButton
        label={t(shown ? 'hideKey' : 'showKey', { name })}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
      </RowButton>
      <CopyButton text={keyOf(token)} label={t('copyKey', { name })} />
    </span>
  )
}

export function TokenExpiry({ token }: { token: Pick<ApiToken, 'expired_time'> }) {
  const { t } = useTranslation('tokens')
  return token.expired_time === NEVER_EXPIRES ? (
    <span className="secondary">{t('never')}</span>
  ) : (
    <Time unixSeconds={token.expired_time} />
  )
}

export function TokenLastUse({ token }: { token: Pick<ApiToken, 'accessed_time'> }) {
  const { t } = useTranslation('tokens')
  return token.accessed_time === 0 ? (
    <span className="secondary">{t('unused')}</span>
  ) : (
    <Time unixSeconds={token.accessed_time} />
  )
}
