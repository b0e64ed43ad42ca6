import type { ReactNode } from 'react'
import { GuideLink } from '../page/help-link.tsx'
import styles from './states.module.css'
import { TideMark, type TideState } from './tide-mark.tsx'

interface Props {
  title: string
  /** One sentence about the purpose of the page or list. */
  hint?: string
  /** The action that creates the first entry. */
  action?: ReactNode
  /** A small icon beside the illustration. */
  icon?: ReactNode
  tide?: TideState
  /** The section of the documentation that explains what to do. By default the guide of the screen. */
  guide?: string
  /** Renders the title as the `h1` of the page. */
  isPage?: boolean
}

export function EmptyState({ title, hint, action, icon, tide = 'empty', guide, isPage = false }: Props) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={styles.state}>
      <TideMark state={tide} badge={icon} />
      <Heading className={styles.title}>{title}</Heading>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action && <div className={styles.action}>{action}</div>}
      {(isPage || tide === 'empty') && <GuideLink section={guide} />}
    </div>
  )
}
