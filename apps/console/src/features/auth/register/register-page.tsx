import type { SecondFactorNeeded, SignInServiceName, Status } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { useCompleteSignIn, type SignInHandlers } from '../../../components/auth/api.ts'
import { AuthPanel } from '../../../components/auth/auth-panel.tsx'
import { SecondStep } from '../../../components/auth/second-step.tsx'
import { enabledServices } from '../../../components/auth/services.tsx'
import { SignInMethods } from '../../../components/auth/sign-in-methods.tsx'
import { formatBalance } from '../../../lib/format.ts'
import { returnPath } from '../../../lib/return-path.ts'
import { stored } from '../../../lib/stored.ts'
import { Alert, Divider } from '../../../ui/kit/index.ts'
import styles from '../auth.module.css'
import { RegisterForm } from './register-form.tsx'

const DESTINATION = returnPath(null)

export default function RegisterPage() {
  const { t } = useTranslation('register')
  const status = useStatus()
  const user = useSession((session) => session.user)
  const completeSignIn = useCompleteSignIn()
  const [needed, setNeeded] = useState<SecondFactorNeeded | null>(null)
  const [notice, setNotice] = useState('')
  useInviteCode()
  const restart = (reason: string) => {
    setNotice(reason)
    setNeeded(null)
  }
  const complete: SignInHandlers['onUser'] = (known) => completeSignIn(known, DESTINATION)
  const methods = registrationMethods(status)
  if (needed) return <SecondStep needed={needed} onUser={complete} onRestart={restart} />
  const closed = status.self_use_mode_enabled
    ? { reason: t('closed'), to: '/login', action: t('toLogin') }
    : user
      ? { reason: t('loggedIn', { name: user.username }), to: DESTINATION, action: t('toConsole') }
      : !methods.hasPassword && methods.services.length === 0
        ? { reason: t('closedByOperator'), to: '/login', action: t('toLogin') }
        : null
  const purpose = closed ? (
    t('purpose', { name: status.system_name || DEFAULT_NAME })
  ) : (
    <>
      {t('haveAccount')}{' '}
      <Link to="/login" className={styles.link}>
        {t('login')}
      </Link>
    </>
  )
  return (
    <AuthPanel title={t('title')} purpose={purpose}>
      {closed ? (
        <>
          <Alert type="info" showIcon title={closed.reason} />
          <p className={styles.footnote}>
            <Link to={closed.to}>{closed.action}</Link>
          </p>
        </>
      ) : (
        <OpenRegistration methods={methods} notice={notice} onUser={complete} onSecondFactor={setNeeded} />
      )}
    </AuthPanel>
  )
}

interface Props extends SignInHandlers {
  methods: RegistrationMethods
  /** Why the user has to start again, or blank. */
  notice: string
}

function OpenRegistration({ methods: { hasPassword, services }, notice, ...handlers }: Props) {
  const { t } = useTranslation('register')
  const { t: entry } = useTranslation('entry')
  const navigate = useNavigate()
  const { signup_quota: credit } = useStatus()
  const openLogin = (username: string) => void navigate('/login', { state: { registered: username } })
  return (
    <>
      {notice && <Alert className={styles.notice} type="warning" showIcon title={notice} />}
      {credit > 0 && <p className={styles.credit}>{t('credit', { amount: formatBalance(credit) })}</p>}
      {hasPassword ? <RegisterForm onRegistered={openLogin} /> : <p className="secondary">{t('servicesOnly')}</p>}
      {hasPassword && services.length > 0 && (
        <Divider plain className={styles.or}>
          {entry('or')}
        </Divider>
      )}
      {services.length > 0 && <SignInMethods services={services} returnTo={DESTINATION} {...handlers} />}
    </>
  )
}

interface RegistrationMethods {
  hasPassword: boolean
  /** Services that create accounts for new users. */
  services: SignInServiceName[]
}

function registrationMethods(status: Status): RegistrationMethods {
  if (!status.register_enabled) return { hasPassword: false, services: [] }
  // Telegram only signs in users who have linked it.
  const services = enabledServices(status).filter((service) => service !== 'telegram')
  return { hasPassword: status.password_register, services }
}

/** Stores the invite code of the link until an account is created with it. */
function useInviteCode(): void {
  const [search] = useSearchParams()
  const code = search.get('aff')?.trim()
  useEffect(() => {
    if (code) stored.inviteCode.set(code)
  }, [code])
}
