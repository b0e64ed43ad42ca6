import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { TOKEN_PREFIX, type ApiToken } from '@tidegate/contract/api'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './tokens.module.css'

/** The key, hidden until asked for: people share their screens. */
export function TokenKey({ token }: { token: Pick<ApiToken, 'key' | 'name'> }) {
  const { t } = useTranslation('tokens')
  const [shown, setShown] = useState(false)
  const { name } = token
  const key = TOKEN_PREFIX + token.key
  return (
    <span className={styles.key}>
      <code className={`mono ${styles.keyText}`}>{shown ? key : masked(key)}</code>
      <Button
        size="small"
        type="text"
        aria-label={shown ? t('hideKey', { name }) : t('showKey', { name })}
        aria-pressed={shown}
        icon={shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
        onClick={() => setShown(!shown)}
      />
      <CopyButton text={key} label={t('copyKey', { name })} />
    </span>
  )
}

function masked(key: string): string {
  return `${key.slice(0, 7)}••••••••${key.slice(-4)}`
}
