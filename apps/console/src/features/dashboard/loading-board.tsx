import { Skeleton } from '../../ui/kit/index.ts'
import { LoadingCards } from './cards.tsx'
import styles from './dashboard.module.css'

/** Everything in its place before it is there. */
export function LoadingBoard() {
  return (
    <div className={styles.board}>
      <LoadingCards />
      <Blank height={300} />
      <div className={styles.pair}>
        <Blank height={220} />
        <Blank height={220} />
      </div>
    </div>
  )
}

function Blank({ height }: { height: number }) {
  return (
    <div className={styles.panel} aria-hidden>
      <div className={styles.panelHead}>
        <Skeleton.Input active size="small" />
      </div>
      <div style={{ height }}>
        <Skeleton.Node active className={styles.blank} />
      </div>
    </div>
  )
}
