import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { errorText } from '../../../api/errors.ts'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import { NewPassword } from './new-password.tsx'
import { useResetPassword } from './queries.ts'
import styles from './reset.module.css'

export function ConfirmReset({ email, token }: { email: string; token: string }) {
  const { t } = useTranslation('reset')
  const navigate = useNavigate()
  const reset = useResetPassword()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  if (reset.isSuccess) return <NewPassword password={reset.data} />

  // A used link is of no use in the history of a browser that others may look at.
  const onSuccess = () => void navigate('/user/reset', { replace: true })
  return (
    <NarrowPanel title={t('confirm.title')} purpose={t('confirm.purpose', { email })}>
      {reset.error && <Alert className={styles.notice} type="error" showIcon title={errorText(reset.error)} />}
      <Button
        type="primary"
        size="large"
        block
        ref={button}
        loading={reset.isPending}
        onClick={() => reset.mutate({ email, token }, { onSuccess })}
      >
        {t('confirm.submit')}
      </Button>
      {reset.error && (
        <p className={styles.other}>
          <Link to="/reset">{t('confirm.sendAgain')}</Link>
        </p>
      )}
    </NarrowPanel>
  )
}
