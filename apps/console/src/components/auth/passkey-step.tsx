import { KeyOutlined } from '@ant-design/icons'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../ui/kit/index.ts'
import { passkeyErrorText } from '../reauth/passkeys.ts'
import { useFinishWithPasskey } from './queries.ts'
import type { StepProps } from './second-step.tsx'
import styles from './sign-in.module.css'
import { isExpired } from './step-problem.ts'

/** The browser asks in its own words, and only after a click. */
export function PasskeyStep({ ticket, onUser, onExpired }: StepProps) {
  const { t } = useTranslation('entry')
  const button = useRef<HTMLButtonElement>(null)
  const finish = useFinishWithPasskey(ticket)
  useEffect(() => button.current?.focus(), [])
  const start = () =>
    finish.mutate(undefined, {
      onSuccess: (user) => onUser(user),
      onError: (error) => isExpired(error) && onExpired(error.message),
    })
  return (
    <>
      {finish.error && (
        <Alert className={styles.trouble} type="error" showIcon title={passkeyErrorText(finish.error)} />
      )}
      <Button
        type="primary"
        size="large"
        block
        ref={button}
        icon={<KeyOutlined aria-hidden />}
        loading={finish.isPending}
        onClick={start}
      >
        {t('second.passkey.use')}
      </Button>
    </>
  )
}
