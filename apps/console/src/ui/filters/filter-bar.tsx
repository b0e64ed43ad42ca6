import { DownOutlined } from '@ant-design/icons'
import { Children, useState, type ReactNode } from 'react'
import { useIsPhone } from '../../lib/use-media.ts'
import { Badge, Button } from '../kit/index.ts'
import styles from './filters.module.css'

interface Props {
  label: string
  /** On the button that unfolds the rest. */
  more: string
  /** How many filters are set. */
  active: number
  /** Stays in view on a phone too. */
  first: ReactNode
  /** Narrower fields, where there are many. */
  dense?: boolean
  children: ReactNode
}

/** What is asked for most first, the rest in one wrapping row; on a phone the rest unfolds. */
export function FilterBar({ label, more, active, first, dense = false, children }: Props) {
  const isPhone = useIsPhone()
  const [open, setOpen] = useState(false)
  return (
    <search className={styles.filters} aria-label={label} data-dense={dense || undefined}>
      {first}
      {isPhone && Children.count(children) > 0 && (
        <Badge count={active} size="small">
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {more} <DownOutlined aria-hidden rotate={open ? 180 : 0} />
          </Button>
        </Badge>
      )}
      {(open || !isPhone) && children}
    </search>
  )
}
