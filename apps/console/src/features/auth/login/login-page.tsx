import type { SecondFactorNeeded, Status, User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { useCompleteSignIn, type SignInHandlers } from '../../../components/auth/api.ts'
import { AuthPanel } from '../../../components/auth/auth-panel.tsx'
import { SecondStep } from '../../../components/auth/second-step.tsx'
import { enabledServices } from '../../../components/auth/services.tsx'
import { SignInMethods } from '../../../components/auth/sign-in-methods.tsx'
import { passkeyObstacle } from '../../../components/reauth/passkeys.ts'
import { returnPath } from '../../../lib/return-path.ts'
import { Alert, Divider } from '../../../ui/kit/index.ts'
import styles from '../auth.module.css'
import { LoginForm } from './login-form.tsx'
import { threatensSite, useWeakPasswordWarning, type Weakness } from './weak-password.ts'

type Step = { needed: SecondFactorNeeded; weakness?: Weakness | undefined } | { notice: string }

export default function LoginPage() {
  const [search] = useSearchParams()
  const destination = returnPath(search.get('returnTo'))
  const completeSignIn = useCompleteSignIn()
  const warn = useWeakPasswordWarning()
  const [step, setStep] = useState<Step>({ notice: '' })
  const complete = (user: User, weakness?: Weakness) => {
    completeSignIn(user, destination)
    if (weakness && threatensSite(user)) warn(weakness)
  }
  if ('needed' in step)
    return (
      <SecondStep
        needed={step.needed}
        onUser={(user) => complete(user, step.weakness)}
        onRestart={(notice) => setStep({ notice })}
      />
    )
  return (
    <FirstStep
      destination={destination}
      notice={step.notice}
      onUser={complete}
      onSecondFactor={(needed, weakness) => setStep({ needed, weakness })}
    />
  )
}

interface FirstStepProps {
  /** The page that opens after the sign-in. */
  destination: string
  /** Why the user has to start again, or blank. */
  notice: string
  onUser(user: User, weakness?: Weakness): void
  onSecondFactor(needed: SecondFactorNeeded, weakness?: Weakness): void
}

/** The enabled sign-in methods: those without a password first, because they take one click. */
function FirstStep({ destination, notice, onUser, onSecondFactor }: FirstStepProps) {
  const { t } = useTranslation('login')
  const status = useStatus()
  const [search] = useSearchParams()
  const [wasExpired] = useState(() => search.get('expired') === 'true')
  const registered = useRegisteredName()
  const warning = notice || (wasExpired ? t('expired') : '')
  const canRegister = status.register_enabled && !status.self_use_mode_enabled
  const purpose = canRegister ? (
    <>
      {t('noAccount')}{' '}
      <Link to="/register" className={styles.link}>
        {t('register')}
      </Link>
    </>
  ) : (
    t('purpose', { name: status.system_name || DEFAULT_NAME })
  )
  return (
    <AuthPanel title={t('title')} purpose={purpose}>
      {warning && <Alert className={styles.notice} type="warning" showIcon title={warning} />}
      {registered !== '' && !notice && (
        <Alert className={styles.notice} type="success" showIcon title={t('registered')} />
      )}
      <OtherMethods
        status={status}
        returnTo={destination}
        onUser={(user) => onUser(user)}
        onSecondFactor={(needed) => onSecondFactor(needed)}
      />
      {status.password_login && <LoginForm username={registered} onUser={onUser} onSecondFactor={onSecondFactor} />}
    </AuthPanel>
  )
}

interface OtherMethodsProps extends SignInHandlers {
  status: Status
  returnTo: string
}

function OtherMethods({ status, ...props }: OtherMethodsProps) {
  const { t } = useTranslation('entry')
  const services = enabledServices(status)
  const hasPasskeys = passkeyObstacle(status.server_address) === null
  if (services.length === 0 && !hasPasskeys) return null
  return (
    <>
      <SignInMethods services={services} hasPasskeys={hasPasskeys} {...props} />
      {status.password_login && (
        <Divider plain className={styles.or}>
          {t('or')}
        </Divider>
      )}
    </>
  )
}

/** The username that the registration page passes on, or blank. */
function useRegisteredName(): string {
  const state: unknown = useLocation().state
  const name = typeof state === 'object' && state !== null && 'registered' in state ? state.registered : ''
  return typeof name === 'string' ? name : ''
}
