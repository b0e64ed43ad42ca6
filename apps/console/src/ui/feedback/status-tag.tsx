import {
  CheckCircleFilled,
  CloseCircleFilled,
  ExclamationCircleFilled,
  InfoCircleFilled,
  MinusCircleOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import styles from './status-tag.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

const ICONS: Record<Tone, ReactNode> = {
  good: <CheckCircleFilled aria-hidden />,
  warn: <ExclamationCircleFilled aria-hidden />,
  bad: <CloseCircleFilled aria-hidden />,
  info: <InfoCircleFilled aria-hidden />,
  neutral: <MinusCircleOutlined aria-hidden />,
}

interface Props {
  tone: Tone
  children: ReactNode
  /** Hides the icon, for labels that are not a status. */
  plain?: boolean
}

/** A status label. The icon conveys the status without colour. */
export function StatusTag({ tone, children, plain = false }: Props) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {!plain && ICONS[tone]}
      <span className={styles.word}>{children}</span>
    </span>
  )
}
