import { Alert } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { DEFAULT_NAME, useStatus } from '../../lib/status.ts'
import { stored } from '../../lib/stored.ts'
import { NarrowPanel } from '../../ui/narrow-panel.tsx'
import { RegisterForm } from './register-form.tsx'
import styles from './register.module.css'

export default function RegisterPage() {
  const { t } = useTranslation('register')
  const status = useStatus()
  const user = useSession((session) => session.user)
  useInviteCode()
  return (
    <NarrowPanel title={t('title')} purpose={t('purpose', { name: status.system_name || DEFAULT_NAME })}>
      {status.self_use_mode_enabled ? (
        <Closed reason={t('closed')} to="/login" action={t('toLogin')} />
      ) : user ? (
        <Closed reason={t('loggedIn', { name: user.username })} to="/app/tokens" action={t('toConsole')} />
      ) : (
        <OpenDoor />
      )}
    </NarrowPanel>
  )
}

function OpenDoor() {
  const { t } = useTranslation('register')
  const navigate = useNavigate()
  const greet = (username: string) => void navigate('/login', { state: { registered: username } })
  return (
    <>
      <RegisterForm onRegistered={greet} />
      <p className={styles.other}>
        {t('haveAccount')} <Link to="/login">{t('login')}</Link>
      </p>
    </>
  )
}

function Closed({ reason, to, action }: { reason: string; to: string; action: string }) {
  return (
    <>
      <Alert type="info" showIcon title={reason} />
      <p className={styles.other}>
        <Link to={to}>{action}</Link>
      </p>
    </>
  )
}

/** Keeps the code of an invitation until an account is made with it, however long the person looks around first. */
function useInviteCode(): void {
  const [search] = useSearchParams()
  const code = search.get('aff')?.trim()
  useEffect(() => {
    if (code) stored.inviteCode.set(code)
  }, [code])
}
