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
  /** Leaves the icon away, where the word is a plain label and not a state. */
  plain?: boolean
}

/** A state in a word, with an icon beside the colour. */
export function StatusTag({ tone, children, plain = false }: Props) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {!plain && ICONS[tone]}
      <span className={styles.word}>{children}</span>
    </span>
  )
}
