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
/** `usual`: the state that most rows of a list have. */
export type RowTone = Tone | 'usual'

const ICONS: Record<Tone, ReactNode> = {
  good: <CheckCircleFilled aria-hidden />,
  warn: <ExclamationCircleFilled aria-hidden />,
  bad: <CloseCircleFilled aria-hidden />,
  info: <InfoCircleFilled aria-hidden />,
  neutral: <MinusCircleOutlined aria-hidden />,
}

interface Props {
  tone: RowTone
  children: ReactNode
  /** Hides the icon, for labels that are not a status. */
  plain?: boolean
}

/** A status label. The icon conveys the status without colour. The usual state is plain text, so that others stand out. */
export function StatusTag({ tone, children, plain = false }: Props) {
  if (tone === 'usual') return <span className={styles.usual}>{children}</span>
  return (
    <span className={styles.tag} data-tone={tone}>
      {!plain && ICONS[tone]}
      <span className={styles.word}>{children}</span>
    </span>
  )
}
