import { ApiOutlined, CalculatorOutlined, SwapOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './landing.module.css'

const POINTS = ['protocols', 'money', 'failover'] as const
const ICONS: Record<(typeof POINTS)[number], ReactNode> = {
  protocols: <ApiOutlined aria-hidden />,
  money: <CalculatorOutlined aria-hidden />,
  failover: <SwapOutlined aria-hidden />,
}

export function Points() {
  const { t } = useTranslation('home')
  return (
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
  )
}
