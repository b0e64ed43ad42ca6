import { ApiOutlined, CalculatorOutlined, SwapOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { DEFAULT_LOGO, DEFAULT_NAME, useStatus } from '../../lib/status.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import styles from './home.module.css'

const POINTS = ['protocols', 'money', 'failover'] as const
const ICONS: Record<(typeof POINTS)[number], ReactNode> = {
  protocols: <ApiOutlined aria-hidden />,
  money: <CalculatorOutlined aria-hidden />,
  failover: <SwapOutlined aria-hidden />,
}

export default function HomePage() {
  const { t } = useTranslation('home')
  const navigate = useNavigate()
  const { system_name: name, logo } = useStatus()
  return (
    <div className={styles.home}>
      <section className={styles.lead}>
        {logo && logo !== DEFAULT_LOGO ? <img src={logo} alt="" width={56} height={56} /> : <BrandMark size={56} />}
        <h1>{name || DEFAULT_NAME}</h1>
        <p>{t('tagline')}</p>
        <div className={styles.actions}>
          <Button type="primary" size="large" onClick={() => void navigate('/app/tokens')}>
            {t('openConsole')}
          </Button>
          <Button size="large" onClick={() => void navigate('/pricing')}>
            {t('seePrices')}
          </Button>
        </div>
      </section>
      <ul className={styles.points}>
        {POINTS.map((point) => (
          <li key={point}>
            <span className={styles.icon} aria-hidden>
              {ICONS[point]}
            </span>
            <h2>{t(`${point}.title`)}</h2>
            <p>{t(`${point}.text`)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
