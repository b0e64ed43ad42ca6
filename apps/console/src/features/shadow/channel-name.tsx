import { Link } from 'react-router'
import { Nothing } from './amounts.tsx'
import styles from './shadow.module.css'

interface Props {
  /** Null, or 0 in old logs, where there was none. */
  id: number | null
  name: string
}

/** The number and the name. Channels that have been removed since have no name any more. */
export function ChannelName({ id, name }: Props) {
  if (id === null || id === 0) return <Nothing />
  return (
    <Link className={styles.channel} to={`/admin/channels?keyword=${id}`} title={name || undefined}>
      <span className="number">#{id}</span> {name}
    </Link>
  )
}
