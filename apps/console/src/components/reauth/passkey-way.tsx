import { KeyOutlined } from '@ant-design/icons'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../ui/kit/index.ts'
import { passkeyErrorText } from './passkeys.ts'
import styles from './proof.module.css'
import { useProveWithPasskey } from './use-prove.ts'
import type { WayProps } from './way-props.ts'

/** Proof by a passkey. The browser asks in its own words, and only after a click. */
export function PasskeyWay({ isReady, onProved }: WayProps) {
  const { t } = useTranslation('proof')
  const button = useRef<HTMLButtonElement>(null)
  const prove = useProveWithPasskey()
  useEffect(() => {
    if (isReady) button.current?.focus()
  }, [isReady])
  return (
    <>
      <p className="secondary">{t('passkey.hint')}</p>
      {prove.error && <Alert className={styles.trouble} type="error" showIcon title={passkeyErrorText(prove.error)} />}
      <Button
        block
        type="primary"
        ref={button}
        icon={<KeyOutlined aria-hidden />}
        loading={prove.isPending}
        onClick={() => prove.mutate(undefined, { onSuccess: onProved })}
      >
        {t('passkey.use')}
      </Button>
    </>
  )
}
