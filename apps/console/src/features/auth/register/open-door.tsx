import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ServiceButtons } from '../../../components/auth/service-buttons.tsx'
import type { Outcome } from '../../../components/auth/wechat-login.tsx'
import { Alert, Divider } from '../../../ui/kit/index.ts'
import { RegisterForm } from './register-form.tsx'
import styles from './register.module.css'
import type { WaysToRegister } from './ways-to-register.ts'

interface Props extends Outcome {
  ways: WaysToRegister
  /** Why the person has to begin again; blank when they do not. */
  notice: string
  returnTo: string
}

export function OpenDoor({ ways: { byPassword, services }, notice, ...serviceProps }: Props) {
  const { t } = useTranslation('register')
  const { t: entry } = useTranslation('entry')
  const navigate = useNavigate()
  const greet = (username: string) => void navigate('/login', { state: { registered: username } })
  return (
    <>
      {notice && <Alert className={styles.notice} type="warning" showIcon title={notice} />}
      {byPassword ? <RegisterForm onRegistered={greet} /> : <p className={styles.servicesOnly}>{t('servicesOnly')}</p>}
      {byPassword && services.length > 0 && (
        <Divider plain className={styles.or}>
          {entry('or')}
        </Divider>
      )}
      {services.length > 0 && <ServiceButtons services={services} {...serviceProps} />}
      <p className={styles.other}>
        {t('haveAccount')} <Link to="/login">{t('login')}</Link>
      </p>
    </>
  )
}
