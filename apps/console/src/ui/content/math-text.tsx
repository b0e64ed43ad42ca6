import { lazy, Suspense } from 'react'
import styles from './rich-content.module.css'

const Formula = lazy(() => import('./formula.tsx'))

interface Props {
  tex: string
  /** A block that is still being written is shown as it is written. */
  display: 'inline' | 'block' | 'growing'
}

/** A formula; the typesetter and its letters load with the first one. */
export function MathText({ tex, display }: Props) {
  const source = <Source tex={tex} isBlock={display !== 'inline'} />
  if (display === 'growing') return source
  return (
    <Suspense fallback={source}>
      <Formula tex={tex} isBlock={display === 'block'} fallback={source} />
    </Suspense>
  )
}

function Source({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  return <code className={isBlock ? styles.sourceBlock : undefined}>{tex}</code>
}
