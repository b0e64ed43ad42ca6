import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { Alert } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import { LoginForm } from './login-form.tsx'
import styles from './login.module.css'
import { OtherWays } from './other-ways.tsx'
import type { Weakness } from './weak-password.ts'

interface Props {
  /** Where the person wanted to be. */
  destination: string
  /** Why the login has to begin again; blank when it does not. */
  notice: string
  onUser(user: User, weakness?: Weakness): void
  onSecondFactor(needed: SecondFactorNeeded, weakness?: Weakness): void
}

/** Every way in that stands open. */
export function FirstStep({ destination, notice, onUser, onSecondFactor }: Props) {
  const { t } = useTranslation('login')
  const status = useStatus()
  const [search] = useSearchParams()
  const [wasExpired] = useState(() => search.get('expired') === 'true')
  const newcomer = useNewcomer()
  const warning = notice || (wasExpired ? t('expired') : '')
  return (
    <NarrowPanel title={t('title')} purpose={t('purpose', { name: status.system_name || DEFAULT_NAME })}>
      {warning && <Alert className={styles.notice} type="warning" showIcon title={warning} />}
      {newcomer !== '' && !notice && (
        <Alert className={styles.notice} type="success" showIcon title={t('registered')} />
      )}
      {status.password_login && <LoginForm username={newcomer} onUser={onUser} onSecondFactor={onSecondFactor} />}
      <OtherWays
        status={status}
        destination={destination}
        onUser={(user) => onUser(user)}
        onSecondFactor={(needed) => onSecondFactor(needed)}
      />
      {status.register_enabled && !status.self_use_mode_enabled && (
        <p className={styles.register}>
          {t('noAccount')} <Link to="/register">{t('register')}</Link>
        </p>
      )}
    </NarrowPanel>
  )
}

/** The name of somebody who comes from the register screen, else blank. */
function useNewcomer(): string {
  const state: unknown = useLocation().state
  const name = typeof state === 'object' && state !== null && 'registered' in state ? state.registered : ''
  return typeof name === 'string' ? name : ''
}
