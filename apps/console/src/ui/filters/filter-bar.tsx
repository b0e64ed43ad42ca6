import { DownOutlined } from '@ant-design/icons'
import { Children, useState, type ReactNode } from 'react'
import { useIsPhone } from '../../lib/use-media.ts'
import { Badge, Button } from '../kit/index.ts'
import styles from './filters.module.css'

interface Props {
  label: string
  /** Label of the button that shows the other filters. */
  more: string
  /** Number of active filters. */
  active: number
  /** Also visible on phones. */
  first: ReactNode
  /** Uses narrower fields. */
  dense?: boolean
  children: ReactNode
}

/** The most important filter, then the others in a wrapping row. On phones, a button shows the others. */
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
