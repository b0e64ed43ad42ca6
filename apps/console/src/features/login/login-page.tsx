import { Alert, App } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { returnPath } from '../../lib/return-path.ts'
import { rememberUser } from '../../lib/session.ts'
import { DEFAULT_NAME, useStatus } from '../../lib/status.ts'
import { toast } from '../../lib/toast.ts'
import { NarrowPanel } from '../../ui/narrow-panel.tsx'
import { LoginForm, type LoggedIn } from './login-form.tsx'
import styles from './login.module.css'
import { SocialButtons } from './social-buttons.tsx'

export default function LoginPage() {
  const { t } = useTranslation('login')
  const status = useStatus()
  const [search] = useSearchParams()
  const [wasExpired] = useState(() => search.get('expired') === 'true')
  const newcomer = useNewcomer()
  const enter = useEntry(returnPath(search.get('returnTo')))
  return (
    <NarrowPanel title={t('title')} purpose={t('purpose', { name: status.system_name || DEFAULT_NAME })}>
      {wasExpired && <Alert className={styles.notice} type="warning" showIcon title={t('expired')} />}
      {newcomer !== '' && <Alert className={styles.notice} type="success" showIcon title={t('registered')} />}
      <LoginForm username={newcomer} onLoggedIn={enter} />
      <SocialButtons status={status} />
      {!status.self_use_mode_enabled && (
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

/** Remembers the user and goes where they wanted to be, with a word to those whose password everybody knows. */
function useEntry(destination: string) {
  const { t } = useTranslation('login')
  const { modal } = App.useApp()
  const navigate = useNavigate()
  return ({ user, usedDefaultPassword }: LoggedIn) => {
    rememberUser(user)
    toast.success(t('success'))
    void navigate(destination, { replace: true })
    if (!usedDefaultPassword) return
    modal.confirm({
      title: t('defaultPassword.title'),
      content: t('defaultPassword.text'),
      okText: t('defaultPassword.action'),
      cancelText: t('defaultPassword.later'),
      onOk: () => void navigate('/app/me'),
    })
  }
}
