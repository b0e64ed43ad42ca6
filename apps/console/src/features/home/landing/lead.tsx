import { ArrowRightOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../../lib/session.ts'
import { DEFAULT_LOGO, DEFAULT_NAME, useStatus } from '../../../lib/status.ts'
import { BrandMark } from '../../../ui/brand-mark.tsx'
import { Button } from '../../../ui/kit/index.ts'
import styles from './landing.module.css'

export function Lead() {
  const { t } = useTranslation('home')
  const navigate = useNavigate()
  const { system_name: name, logo } = useStatus()
  const start = useStart()
  return (
    <section className={styles.lead}>
      {logo && logo !== DEFAULT_LOGO ? <img src={logo} alt="" width={48} height={48} /> : <BrandMark size={48} />}
      <h1>{name || DEFAULT_NAME}</h1>
      <p>{t('tagline')}</p>
      <div className={styles.actions}>
        <Button type="primary" size="large" onClick={() => void navigate(start.path)}>
          {t(start.text)} <ArrowRightOutlined aria-hidden />
        </Button>
        <Button size="large" onClick={() => void navigate('/pricing')}>
          {t('seePrices')}
        </Button>
      </div>
    </section>
  )
}

/** Where to begin: the console for those who have an account, else the way to one. */
function useStart(): { path: string; text: 'openConsole' | 'start' | 'login' } {
  const isLoggedIn = useSession((session) => session.user !== null)
  const { register_enabled: isOpen, self_use_mode_enabled: isSelfUse } = useStatus()
  if (isLoggedIn) return { path: '/app/tokens', text: 'openConsole' }
  return isOpen && !isSelfUse ? { path: '/register', text: 'start' } : { path: '/login', text: 'login' }
}
